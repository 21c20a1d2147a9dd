"""Figure 15 and table 5 from the published files: on numbers made up here, and on the authors' own."""

import numpy as np
import pandas as pd
import pytest
from refusals import refused
from scipy.io import loadmat
from scipy.stats import pearsonr, spearmanr

from propeval_lite.results import published
from propeval_lite.studies import hosang_tuning as study


@pytest.fixture(scope="module")
def table():
    return study.variants()


def test_each_variant_is_there_once(table):
    deltas = [f"{delta:.2f}" for delta in np.arange(0.5, 0.91, 0.05)]
    assert sorted(table["delta"].unique()) == [*deltas, "AR"]
    assert not table.duplicated(["delta", "detector", "criterion", "tau", "category"]).any()
    assert study.recalls(table).notna().all(axis=None)
    assert study.by_variant(table).notna().all(axis=None)
    assert study.by_variant(table).index.tolist() == study.recalls(table).columns.tolist()
    single = table[(table["criterion"] == "AP") & (table["category"] != "mean")]
    means = single.groupby(["detector", "delta"])["value"].mean()
    for detector, maps in study.by_variant(table).drop(columns="AR").items():
        assert means[detector].to_numpy() == pytest.approx(maps.to_numpy(), abs=1e-6)


@pytest.mark.data
def test_variants_are_those_of_the_authors_files(real_data, table):
    """Row numbers of the variants as the files' own folder names give them, not as our published tables name them."""
    read = {
        name: loadmat(real_data / f"hosang/pascal_voc07_test_{name}.mat", squeeze_me=True)
        for name in ("recall", "rcnn_aps", "frcn_noregr_aps", "frcn_aps", "frcn_pretrained_aps")
    }
    folders = [str(name) for name in read["frcn_aps"]["dirs"]]
    ours = study.by_variant(table)
    for delta in ours.index:
        row = folders.index(f"edge_boxes_{delta.removeprefix('0.')}")
        theirs = [read["recall"]["ARs"][row]] + [
            read[name]["aps"][row]
            for name in ("rcnn_aps", "frcn_noregr_aps", "frcn_aps", "frcn_pretrained_aps")
        ]
        assert ours.loc[delta].to_numpy() == pytest.approx(np.array(theirs, dtype=float), abs=1e-6)
        assert study.recalls(table)[delta].to_numpy() == pytest.approx(
            read["recall"]["recalls"][row], abs=1e-6
        )


def test_the_printed_correlations_are_those_of_the_nine(table):
    maps = study.by_variant(table)
    found = study.correlations(maps).set_index("detector")
    plain = maps.drop(index="AR")
    for detector, printed in study.PRINTED.items():
        assert round(pearsonr(plain["AR"], plain[detector])[0], 3) == printed
        assert found.loc[detector, "without AR"] == pytest.approx(pearsonr(plain["AR"], plain[detector])[0])
        assert found.loc[detector, "with AR"] == pytest.approx(pearsonr(maps["AR"], maps[detector])[0])
        assert round(found.loc[detector, "with AR"], 3) != printed
        assert found.loc[detector, "of ranks"] == pytest.approx(spearmanr(maps["AR"], maps[detector])[0])
        out = [pearsonr(part["AR"], part[detector])[0] for part in (plain.drop(index=n) for n in plain.index)]
        assert found.loc[detector, ["lowest", "highest"]].tolist() == pytest.approx([min(out), max(out)])
    assert round(found.loc[study.REGRESSION, "without AR"], 3) == 0.950


def test_the_gain_of_the_adaptive_variant_depends_on_the_rival(table):
    gains = study.gains(table).set_index(["detector", "over"])
    default, best = gains.loc[(study.REGRESSION, "Δ = 0.70")], gains.loc[(study.REGRESSION, "the best")]
    assert (round(default["gain"], 1), round(best["gain"], 1)) == (1.6, 1.1)
    assert (best["variant"], round(best["mAP of it"], 1), round(default["mAP of it"], 1)) == (
        "0.65",
        60.9,
        60.4,
    )
    assert round(best["mAP of AR"], 1) == 62.0
    assert (gains["low"] < gains["gain"]).all()
    assert (gains["gain"] < gains["high"]).all()


def test_areas_are_the_published_average_recalls(table):
    apart = study.areas(study.recalls(table)) - study.by_variant(table)["AR"]
    assert apart.abs().max() < 5e-4


def made_up(values):
    """Recall at .5, .6 and .7 by variant."""
    return pd.DataFrame(values, index=pd.Index([0.5, 0.6, 0.7], name="tau"))


def test_peaks_on_made_up_curves():
    curves = made_up(
        {"0.50": [0.9, 0.5, 0.1], "0.60": [0.8, 0.4, 0.2], "0.70": [0.1, 0.1, 0.3], "AR": [0.2, 0.6, 0.3]}
    )
    peaks = study.peaks(curves)
    assert peaks["is best"].tolist() == [True, False, True]
    assert peaks["best tuned for one"].tolist() == ["0.50", "0.50", "0.70"]
    assert peaks["best of all"].tolist() == ["0.50", "AR", "0.70"]
    assert peaks["tuned for it"].tolist() == [0.9, 0.4, 0.3]
    assert study.best_somewhere(curves) == [0.6]
    assert study.areas(curves)["0.60"] == pytest.approx((0.8 / 2 + 0.4 + 0.2 / 2) / 2)


def test_what_a_choice_costs():
    curves = made_up({"0.50": [0.9, 0.5, 0.1], "0.60": [0.8, 0.6, 0.3]})
    maps = pd.DataFrame({"AR": [0.2, 0.3], "net": [50.0, 40.0]}, index=["0.50", "0.60"])
    chosen = study.predictors(curves, maps).set_index("chosen by")
    assert chosen.loc["AR", ["variant", "mAP", "lost"]].tolist() == ["0.60", 40.0, 10.0]
    assert chosen.loc["recall at 0.5", ["variant", "lost"]].tolist() == ["0.50", 0.0]
    assert chosen.loc["recall at 0.6", "variant"] == "0.60"
    assert chosen["r"].isna().all()  # two points lie on a line


def test_correlation_of_what_has_none_is_undefined():
    assert np.isnan(study.correlation([1, 1, 1], [1, 2, 3]))
    assert np.isnan(study.correlation([1, 2], [1, 2]))
    assert np.isnan(study.correlation([], []))
    with refused("as many values"):
        study.correlation([1, 2, 3], [1, 2])
    few = study.correlations(pd.DataFrame({"AR": [0.5], "net": [50.0]}, index=["AR"]))
    assert few["variants"].tolist() == [0]
    assert few[["without AR", "lowest", "highest", "with AR"]].isna().all(axis=None)


def test_table_5_says_what_its_classes_say():
    table = published("hosang_table5")
    assert len(table) == 4 * 21
    assert not table.duplicated(["oracle", "category"]).any()
    effects = study.oracle_effects()
    assert effects["printed"].tolist() == [67.8, 71.2, 75.0, 78.1]
    # Means of numbers rounded to .05 each, rounded again.
    assert effects["difference"].abs().max() <= 0.1
    assert effects["gain"].round(0).tolist() == [0, 3, 7, 10]
    assert effects["better in"].tolist() == [0, 20, 20, 20]
