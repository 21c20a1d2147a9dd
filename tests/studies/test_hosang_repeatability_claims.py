import numpy as np
import pandas as pd
import pytest

from propeval_lite.datasets.perturbations import PERTURBATIONS
from propeval_lite.studies import hosang_repeatability_claims as claims
from propeval_lite.studies.hosang_repeatability_paper import paper_curves

METHODS = ("Uniform", "Bing", "EdgeBoxes", "SelectiveSearch", "Superpixels", "Rahtu")


def toy(value):
    """Curves of a function of method, kind, and how many steps the value is from no change."""
    rows = []
    for kind, p in PERTURBATIONS.items():
        at = p.strengths.index(p.identity)
        for i, strength in enumerate(p.strengths):
            for method in METHODS:
                worth = 1.0 if method == "Uniform" else value(method, kind, abs(i - at))
                rows += [(kind, strength, of, method, worth) for of in ("all", "touching")]
    return pd.DataFrame(rows, columns=["perturbation", "value", "of", "method", "repeatability"])


def steady(method, kind, steps):
    return 0.9 - 0.04 * steps - 0.01 * METHODS.index(method)


def sudden(method, kind, steps):
    return 1.0 if steps == 0 else 0.7 - 0.01 * steps - 0.01 * METHODS.index(method)


def test_identity():
    assert claims.identity(toy(steady)).holds
    exact = claims.identity(toy(sudden))
    assert not exact.holds and "0 of 6" in exact.because
    found = claims.identity(paper_curves())
    assert found.holds and {"Uniform", "Gaussian", "SelectiveSearch"} <= set(
        found.because.replace(",", "").split()
    )


def test_subtle_changes():
    assert claims.subtle_changes(toy(sudden)).holds
    found = claims.subtle_changes(toy(lambda m, k, s: 1 - 0.01 * s * s))
    assert not found.holds and not found.mostly
    assert (found.table["methods"] == 0).all()


def test_superpixels_drop():
    weak = toy(lambda m, k, s: 1.0 if s == 0 else (0.5 if m in claims.SUPERPIXELS else 0.8))
    assert claims.superpixels_drop(weak).holds
    strong = toy(lambda m, k, s: 1.0 if s == 0 else (0.8 if m in claims.SUPERPIXELS else 0.5))
    assert not claims.superpixels_drop(strong).holds


def test_the_paper_on_superpixels_by_another_way():
    """The mean loss of either group at one percent of scale alone, from the published numbers."""
    table = paper_curves().query("of == 'all' and perturbation == 'scale'")
    wide = table.pivot_table(index="method", columns="value", values="repeatability")
    lost = wide[1.0] - (wide[0.99] + wide[1.01]) / 2
    super_lost = lost[list(claims.SUPERPIXELS)].mean()
    other = lost.drop([*claims.SUPERPIXELS, *claims.BLIND]).mean()
    found = claims.superpixels_drop(paper_curves())
    assert not found.holds
    assert (super_lost > other) == (
        found.table.groupby("group")["loss"].mean()["superpixels"]
        > found.table.groupby("group")["loss"].mean()["other"]
    )


def with_dips(curves):
    scale = curves["perturbation"] == "scale"
    octave = np.abs(np.log2(curves["value"].where(scale, 1)))
    extra = curves[scale & (curves["method"] == "Bing")].assign(method="Sliding window")
    curves = pd.concat([curves, extra], ignore_index=True)
    octave = np.abs(np.log2(curves["value"].where(curves["perturbation"] == "scale", 1)))
    named = curves["method"].isin(["Bing", "Sliding window"])
    curves["repeatability"] -= np.where(named & octave.between(0.5, 0.7), 0.5, 0)
    return curves


def test_bing_robust():
    assert claims.bing_robust(with_dips(toy(sudden))).holds
    late = claims.bing_robust(with_dips(toy(lambda m, k, s: sudden(m, k, s) + 0.02 * (m == "Rahtu") * 10)))
    assert not late.holds
    no_dip = toy(sudden)
    extra = no_dip[(no_dip["method"] == "Bing") & (no_dip["perturbation"] == "scale")]
    assert not claims.bing_robust(pd.concat([no_dip, extra.assign(method="Sliding window")])).holds


def test_one_pixel():
    assert claims.one_pixel(toy(steady)).holds
    assert not claims.one_pixel(toy(lambda m, k, s: 1.0 if s < 2 else 0.5)).holds


def test_edge_boxes_robust():
    assert claims.edge_boxes_robust(toy(steady)).holds
    last = claims.edge_boxes_robust(toy(lambda m, k, s: 0.2 if m == "EdgeBoxes" else 0.5))
    assert not last.holds and not last.mostly


def test_rotation_alike():
    assert claims.rotation_alike(toy(steady)).holds
    fan = toy(lambda m, k, s: 0.9 - 0.03 * s * METHODS.index(m))
    assert not claims.rotation_alike(fan).holds


@pytest.mark.parametrize(("sign", "holds"), [(1, True), (-1, False)])
def test_touching_alike(sign, holds):
    curves = toy(steady)
    near = curves["of"] == "touching"
    curves.loc[near, "repeatability"] = 0.5 + sign * 0.5 * curves.loc[near, "repeatability"]
    curves = curves[curves["method"] != "Uniform"]
    assert claims.touching_alike(curves).holds == holds


def test_every_claim_speaks_of_the_paper_in_a_sentence():
    for name in ("identity", "subtle_changes", "superpixels_drop", "bing_robust", "one_pixel", "edge_boxes_robust",
                 "rotation_alike", "touching_alike"):  # fmt: skip
        found = getattr(claims, name)(paper_curves())
        assert found.because and len(found.table) and not found.because.endswith(".")
        assert found.holds <= found.mostly or name == "rotation_alike"
