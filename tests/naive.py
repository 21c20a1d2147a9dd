"""Slow oracles: numpy only, loop by loop, sharing nothing with the library they check."""

from itertools import pairwise

import numpy as np

# Boxes: overlaps, matchings and recall --------------------------------------------------------------------


def box_overlap(a, b, extra=0, crowd=False):
    """IoU of two boxes x1, y1, x2, y2; for a crowd `a` the share of `b` that lies in it."""
    width = min(a[2], b[2]) - max(a[0], b[0]) + extra
    height = min(a[3], b[3]) - max(a[1], b[1]) + extra
    if width <= 0 or height <= 0:
        return 0.0
    own = (b[2] - b[0] + extra) * (b[3] - b[1] + extra)
    other = (a[2] - a[0] + extra) * (a[3] - a[1] + extra)
    return width * height / (own if crowd else own + other - width * height)


def best_overlaps(objects, boxes, extra=0):
    """IoU of each object's best box."""
    return [max([box_overlap(o, b, extra) for b in boxes], default=0.0) for o in objects]


def greedy_overlaps(objects, boxes, extra=0, crowds=()):
    """IoU given to each object by taking all pairs, largest first; crowds take any number of boxes."""
    pairs = [(-box_overlap(o, b, extra), i, j) for i, o in enumerate(objects) for j, b in enumerate(boxes)]
    n = len(objects)
    for i, c in enumerate(crowds):
        pairs += [(-box_overlap(c, b, extra, crowd=True), n + i, j) for j, b in enumerate(boxes)]
    given, used = {}, set()
    for value, i, j in sorted(pairs):
        if value < 0 and j not in used and i not in given:
            used.add(j)
            if i < n:
                given[i] = -value
    return [given.get(i, 0.0) for i in range(n)]


def largest_total_overlap(objects, boxes, extra=0):
    """Largest sum of IoU of a one-to-one assignment, by trying all of them."""
    if not objects:
        return 0.0
    rest = largest_total_overlap(objects[1:], boxes, extra)
    for j, box in enumerate(boxes):
        with_box = largest_total_overlap(objects[1:], boxes[:j] + boxes[j + 1 :], extra)
        rest = max(rest, box_overlap(objects[0], box, extra) + with_box)
    return rest


def coco_hits(objects, ignored, crowd, boxes, threshold):
    """Which objects are taken at `threshold`, boxes in order; ordinary objects come before ignored ones."""
    order = sorted(range(len(objects)), key=lambda i: ignored[i])
    taken = [False] * len(objects)
    for box in boxes:
        reached, winner = min(threshold, 1 - 1e-10), None
        for i in order:
            if taken[i] and not crowd[i]:
                continue
            if winner is not None and ignored[i] and not ignored[winner]:
                break
            overlap = box_overlap(objects[i], box, crowd=crowd[i])
            if overlap >= reached:
                reached, winner = overlap, i
        if winner is not None:
            taken[winner] = True
    return taken


def suppress(boxes, scores, threshold, eta=1.0, extra=0, limit=None):
    """Rows that survive, best first: each box in order of rank against all that are kept, at the threshold of then."""
    kept = []
    for row in sorted(range(len(boxes)), key=lambda row: (-scores[row], row)):
        if len(kept) == limit:
            break
        if not [other for other in kept if box_overlap(boxes[row], boxes[other], extra) > threshold]:
            kept.append(row)
            threshold = threshold * eta if threshold > 0.5 else threshold
    return kept


def recall_at(overlaps, tau):
    """Share of `overlaps` that reach `tau`."""
    return sum(u >= tau for u in overlaps) / len(overlaps)


def area_under_recall(overlaps, low, high):
    """Mean of the step function recall(t) over [low, high], piece by piece between its steps."""
    ends = [low, *sorted(u for u in overlaps if low < u < high), high]
    area = 0.0
    for i in range(len(ends) - 1):
        area += (ends[i + 1] - ends[i]) * recall_at(overlaps, ends[i + 1])
    return area / (high - low)


# Chance: candidates of an image, hits, and the probability to hit by chance -----------------------------------


def lattice_intervals(points):
    """All pairs of two of the points 1..points, the smaller first."""
    return [(a, b) for a in range(1, points + 1) for b in range(a + 1, points + 1)]


def hits_lattice_box(a, b, p, q):
    """Whether the IoU of two boxes with whole corners is at least p/q, in integers."""
    width = max(0, min(a[2], b[2]) - max(a[0], b[0]))
    height = max(0, min(a[3], b[3]) - max(a[1], b[1]))
    union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - width * height
    return q * width * height >= p * union


def count_lattice_hits(box, size, p, q):
    """Number of boxes of an image with an IoU of at least p/q with `box`."""
    return sum(
        hits_lattice_box(box, (x1, y1, x2, y2), p, q)
        for x1, x2 in lattice_intervals(size[0])
        for y1, y2 in lattice_intervals(size[1])
    )


def hit_probability_scaled(n_hit, n_total, k, bits=300):
    """1 − C(N−n, k) / C(N, k) times 2**bits, rounded down; each factor is off by less than one unit."""
    few, many = min(n_hit, k), max(n_hit, k)
    miss = 1 << bits
    for i in range(few):
        miss = miss * max(0, n_total - many - i) // (n_total - i)
    return (1 << bits) - miss


def uniform_prior_probability(box, size, ranges, tau, n):
    """Share of boxes with an IoU of at least tau, their four features at n midpoints of their ranges each.

    The features are log2 aspect, root of the relative area and relative centre; boxes are cut off at the border
    of the image, rounded to whole pixels and at least one pixel large.
    """
    width, height = size
    middles = [low + (high - low) * (np.arange(n) + 0.5) / n for low, high in ranges]
    hits = 0
    for aspect in middles[0]:
        for scale in middles[1]:
            w = scale * np.sqrt(width * height * 2**aspect)
            h = scale * np.sqrt(width * height / 2**aspect)
            sides = []
            for length, full, middle in ((w, width, middles[2]), (h, height, middles[3])):
                low = np.round(np.maximum(middle * full - length / 2, 0))
                high = np.round(np.minimum(middle * full + length / 2, full))
                low = np.minimum(low, full - 1)
                sides.append((low, np.maximum(high, low + 1)))
            (x1, x2), (y1, y2) = sides
            across = np.maximum(np.minimum(x2, box[2]) - np.maximum(x1, box[0]), 0)
            down = np.maximum(np.minimum(y2, box[3]) - np.maximum(y1, box[1]), 0)
            shared = across[:, None] * down
            area = (box[2] - box[0]) * (box[3] - box[1])
            hits += (shared / ((x2 - x1)[:, None] * (y2 - y1) + area - shared) >= tau).sum()
    return hits / n**4


def hits_with_replacement(p, k):
    """Probability that at least one of k independent draws hits, each with probability p."""
    missed = 1.0
    for _ in range(k):
        missed *= 1 - p
    return 1 - missed


# --- Partitions and boundaries ---------------------------------------------------------------------------


def cells(truth, partition):
    """Joint counts {(truth label, partition label): pixels} and the sizes of both sides' regions."""
    joint, rows, columns = {}, {}, {}
    for g, s in zip(np.ravel(truth).tolist(), np.ravel(partition).tolist(), strict=True):
        joint[g, s] = joint.get((g, s), 0) + 1
        rows[g] = rows.get(g, 0) + 1
        columns[s] = columns.get(s, 0) + 1
    return joint, rows, columns


def region_measures(truth, partition):
    """Every region measure of Table 1, from pairs of regions and pairs of pixels."""
    joint, rows, columns = cells(truth, partition)
    n = sum(rows.values())

    def overlap(g, s):
        return joint.get((g, s), 0)

    def jaccard(g, s):
        return overlap(g, s) / (rows[g] + columns[s] - overlap(g, s))

    out = {
        "hamming_partition": 1 - sum(max(overlap(g, s) for g in rows) for s in columns) / n,
        "hamming_truth": 1 - sum(max(overlap(g, s) for s in columns) for g in rows) / n,
        "covering_truth": sum(size * max(jaccard(g, s) for s in columns) for g, size in rows.items()) / n,
        "covering_partition": sum(size * max(jaccard(g, s) for g in rows) for s, size in columns.items()) / n,
        "bce": 1 - sum(c * min(c / rows[g], c / columns[s]) for (g, s), c in joint.items()) / n,
    }
    out["van_dongen"] = out["hamming_partition"] + out["hamming_truth"]
    out["bgm"] = 1 - best_assignment([[overlap(g, s) for s in columns] for g in rows]) / n

    def entropy(sizes):
        return -sum(size / n * np.log2(size / n) for size in sizes)

    mutual = sum(c / n * np.log2(c * n / rows[g] / columns[s]) for (g, s), c in joint.items())
    out["voi"] = entropy(rows.values()) + entropy(columns.values()) - 2 * mutual
    regions = max(len(rows), len(columns))
    out["nvoi"] = out["voi"] / (2 * np.log2(regions)) if regions > 1 else 0.0
    flat_g, flat_s = np.ravel(truth).tolist(), np.ravel(partition).tolist()
    pairs = {"11": 0, "10": 0, "01": 0, "00": 0}
    for a in range(n):
        for b in range(a + 1, n):
            pairs[f"{int(flat_s[a] == flat_s[b])}{int(flat_g[a] == flat_g[b])}"] += 1
    both, only_s, only_g = pairs["11"], pairs["10"], pairs["01"]
    total = sum(pairs.values())
    nan = float("nan")
    out["pri"] = (both + pairs["00"]) / total if total else nan
    out["region_precision"] = both / (both + only_s) if both + only_s else nan
    out["region_recall"] = both / (both + only_g) if both + only_g else nan
    out["region_f"] = 2 * both / (2 * both + only_s + only_g) if both + only_s + only_g else nan
    return out


def region_measures_of_truths(truths, partition):
    """Every region measure over several truths: the mean, but F of the mean precision and the mean recall."""
    each = [region_measures(truth, partition) for truth in truths]
    out = {name: sum(one[name] for one in each) / len(each) for name in each[0]}
    p, r = out["region_precision"], out["region_recall"]
    defined = [one["region_f"] for one in each if not np.isnan(one["region_f"])]
    if any(defined):
        out["region_f"] = 2 * p * r / (p + r)
    else:
        out["region_f"] = 0.0 if defined else float("nan")
    return out


def best_assignment(weights):
    """Largest sum of weights with at most one cell per row and column, by trying everything."""
    if not weights:
        return 0
    first, rest = weights[0], weights[1:]
    best = best_assignment(rest)
    for j, weight in enumerate(first):
        best = max(best, weight + best_assignment([row[:j] + row[j + 1 :] for row in rest]))
    return best


def objects_and_parts(partition, truths, gamma_object, gamma_part, beta, coverage):
    """Algorithm 1 and eq. (11), region by region: F, P, R."""

    def judged(sizes, labels_in_order):
        n, kept, total = sum(sizes.values()), set(), 0
        order = sorted(range(len(labels_in_order)), key=lambda k: (-sizes[labels_in_order[k]], -k))
        for k in order:
            if total < coverage * n - 1e-9:
                kept.add(labels_in_order[k])
            total += sizes[labels_in_order[k]]
        return kept

    part_order = list(dict.fromkeys(np.ravel(partition).tolist()))
    objects, parts, filled = set(), set(), dict.fromkeys(part_order, 0.0)
    recall_credit, recall_count = 0.0, 0
    for truth in truths:
        joint, rows, columns = cells(truth, partition)
        truth_order = list(dict.fromkeys(np.ravel(truth).tolist()))
        good_s, good_g = judged(columns, part_order), judged(rows, truth_order)
        truth_objects, truth_parts, truth_filled = set(), set(), dict.fromkeys(truth_order, 0.0)
        for (g, s), c in joint.items():
            o_s, o_g = c / columns[s], c / rows[g]
            if g in good_g and s in good_s:
                if o_s >= gamma_object and o_g >= gamma_object:
                    objects.add(s)
                    truth_objects.add(g)
                elif o_s >= gamma_object and o_g >= gamma_part:
                    parts.add(s)
                elif o_g >= gamma_object and o_s >= gamma_part:
                    truth_parts.add(g)
            if o_s >= gamma_object > o_g:
                truth_filled[g] += o_g
            if o_g >= gamma_object > o_s:
                filled[s] += o_s
        recall_count += len(good_g)
        for g in good_g:
            recall_credit += 1 if g in truth_objects else beta if g in truth_parts else truth_filled[g]
    credit = sum(1 if s in objects else beta if s in parts else filled[s] / len(truths) for s in good_s)
    p, r = credit / len(good_s), recall_credit / recall_count
    return (2 * p * r / (p + r) if p + r else 0.0), p, r


def contour(labels):
    """Pixels that differ from their east, south or south-east neighbour."""
    labels = np.asarray(labels)
    out = np.zeros(labels.shape, dtype=bool)
    for i in range(labels.shape[0]):
        for j in range(labels.shape[1]):
            for y, x in ((i, j + 1), (i + 1, j), (i + 1, j + 1)):
                if y < labels.shape[0] and x < labels.shape[1] and labels[y, x] != labels[i, j]:
                    out[i, j] = True
    return out


def contour_pairs(a, b, radius):
    """Distances {(k, l): d} of pixel k of map a and pixel l of map b that are not further apart than radius."""
    first, second = np.argwhere(a).tolist(), np.argwhere(b).tolist()
    out = {}
    for k, (y, x) in enumerate(first):
        for l_, (v, u) in enumerate(second):
            d = ((y - v) ** 2 + (x - u) ** 2) ** 0.5
            if d <= radius:
                out[k, l_] = d
    return out


def most_pairs(pairs):
    """Size of a maximum matching, by growing it one alternating path at a time."""
    partner = {}

    def grow(k, tried):
        for a, b in pairs:
            if a == k and b not in tried:
                tried.add(b)
                if b not in partner or grow(partner[b], tried):
                    partner[b] = k
                    return True
        return False

    return sum(grow(k, set()) for k in sorted({a for a, _ in pairs}))


def cheapest_pairs(pairs):
    """(number of pairs, total cost) of the best matching, most pairs first, by trying everything."""
    if not pairs:
        return 0, 0.0
    k = min(a for a, _ in pairs)
    best = cheapest_pairs({ab: d for ab, d in pairs.items() if ab[0] != k})
    for (a, b), d in pairs.items():
        if a == k:
            n, cost = cheapest_pairs({ab: c for ab, c in pairs.items() if ab[0] != k and ab[1] != b})
            best = max(best, (n + 1, cost + d), key=lambda found: (found[0], -found[1]))
    return best


# --- synthetic scenes -------------------------------------------------------------------------------------------------


def winding_number(points, x, y):
    """How often a polygon runs around the point (x, y)."""
    total = 0
    for (xa, ya), (xb, yb) in zip(points, [*points[1:], points[0]], strict=True):
        if (ya <= y) != (yb <= y):
            crossing = xa + (y - ya) * (xb - xa) / (yb - ya)
            if crossing <= x:
                total += 1 if yb > ya else -1
    return total


def polygon_cover(points, width, height, rows=4, columns=16):
    """Share of each pixel inside a polygon, by rows x columns points in each pixel."""
    points = [tuple(map(float, point)) for point in points]
    cover = np.zeros((height, width))
    for row in range(height):
        for column in range(width):
            for i in range(rows):
                for j in range(columns):
                    x, y = column + (j + 0.5) / columns, row + (i + 0.5) / rows
                    cover[row, column] += winding_number(points, x, y) != 0
    return cover / (rows * columns)


def regions_connected(labels):
    """Whether each label of a partition is one piece joined by pixel sides."""
    height, width = labels.shape
    seen = np.zeros((height, width), bool)
    started = set()
    for row in range(height):
        for column in range(width):
            if seen[row, column]:
                continue
            value = int(labels[row, column])
            if value in started:
                return False
            started.add(value)
            stack = [(row, column)]
            seen[row, column] = True
            while stack:
                y, x = stack.pop()
                for b, a in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                    inside = 0 <= b < height and 0 <= a < width
                    if inside and not seen[b, a] and labels[b, a] == value:
                        seen[b, a] = True
                        stack.append((b, a))
    return True


# --- superpixel grouping ---------------------------------------------------------------------------------


def merge_sequence(labels, colours, strength, bins, weights):
    """Merge the most alike touching regions one by one; every step looks at all pixels again.

    Returns the merged pairs of node numbers (new nodes count on from the largest label), each pair sorted.
    """
    labels = np.array(labels, dtype=int)
    height, width = labels.shape
    merged = []
    fresh = labels.max() + 1
    while True:
        size, histogram, border, contrast = {}, {}, {}, {}
        for y in range(height):
            for x in range(width):
                label = labels[y, x]
                size[label] = size.get(label, 0) + 1
                cells = histogram.setdefault(label, np.zeros((3, bins)))
                for c in range(3):
                    cells[c, min(max(int(colours[y, x, c] * bins), 0), bins - 1)] += 1
                for y2, x2 in ((y, x + 1), (y + 1, x)):
                    if y2 < height and x2 < width and labels[y2, x2] != label:
                        pair = tuple(sorted((int(label), int(labels[y2, x2]))))
                        border[pair] = border.get(pair, 0) + 1
                        contrast[pair] = contrast.get(pair, 0) + max(strength[y, x], strength[y2, x2])
        if not border:
            return merged
        costs = {}
        for a, b in border:
            common = np.minimum(histogram[a] / size[a], histogram[b] / size[b]).sum() / 3
            share = (size[a] + size[b]) / (height * width)
            costs[a, b] = (
                weights[0] * (1 - common) + weights[1] * contrast[a, b] / border[a, b] + weights[2] * share
            )
        best = min(costs, key=costs.get)
        merged.append(best)
        labels[(labels == best[0]) | (labels == best[1])] = fresh
        fresh += 1


def boxes_of_labels(labels):
    """Bounding box x1, y1, x2, y2 (edges) of each label, found pixel by pixel."""
    found = {}
    for y, row in enumerate(labels):
        for x, label in enumerate(row):
            x1, y1, x2, y2 = found.get(label, (x, y, x + 1, y + 1))
            found[label] = (min(x1, x), min(y1, y), max(x2, x + 1), max(y2, y + 1))
    return [list(found[label]) for label in sorted(found)]


# --- segmenters and meta-measures -----------------------------------------------------------------------


def same_partition(a, b):
    """Whether two label arrays have the same regions, whatever their numbers."""
    pairs = {(int(x), int(y)) for x, y in zip(np.ravel(a), np.ravel(b), strict=True)}
    return len(pairs) == len({x for x, _ in pairs}) == len({y for _, y in pairs})


def is_connected(labels, corners=True):
    """Whether each label fills one connected piece, by flood filling."""
    labels = np.asarray(labels)
    seen, pieces = np.zeros(labels.shape, dtype=bool), 0
    steps = [(0, 1), (1, 0), (0, -1), (-1, 0)] + ([(1, 1), (1, -1), (-1, 1), (-1, -1)] if corners else [])
    for start in np.ndindex(labels.shape):
        if seen[start]:
            continue
        pieces += 1
        stack, seen[start] = [start], True
        while stack:
            y, x = stack.pop()
            for dy, dx in steps:
                v, u = y + dy, x + dx
                inside = 0 <= v < labels.shape[0] and 0 <= u < labels.shape[1]
                if inside and not seen[v, u] and labels[v, u] == labels[y, x]:
                    seen[v, u] = True
                    stack.append((v, u))
    return pieces == len(np.unique(labels))


def graph_based_regions(picture, scale, min_size):
    """Felzenszwalb and Huttenlocher's grouping of a float picture (height, width, 3), list by list."""
    height, width, _ = picture.shape
    edges = []
    for order, (dy, dx) in enumerate(((0, 1), (1, 0), (1, 1), (1, -1))):
        for y in range(height):
            for x in range(width):
                if y + dy < height and 0 <= x + dx < width:
                    cost = np.sqrt(((picture[y, x] - picture[y + dy, x + dx]) ** 2).sum())
                    edges.append((cost, order, y, x, y + dy, x + dx))
    region = {(y, x): frozenset([(y, x)]) for y in range(height) for x in range(width)}
    inner = {}
    for join_small in (False, True):
        for cost, _, y, x, v, u in sorted(edges):
            a, b = region[y, x], region[v, u]
            if a is b:
                continue
            if join_small:
                merge = min(len(a), len(b)) < min_size
            else:
                merge = cost <= min(inner.get(a, 0) + scale / len(a), inner.get(b, 0) + scale / len(b))
            if merge:
                both = a | b
                inner[both] = cost
                for pixel in both:
                    region[pixel] = both
    first = np.array([min(region[y, x]) for y in range(height) for x in range(width)])
    return (first[:, 0] * width + first[:, 1]).reshape(height, width)


def drowned_regions(relief, regions):
    """Cut the watershed tree of a relief: undo the joins that drown most volume until `regions` are left."""
    height, width = relief.shape
    edges = []
    for order, (dy, dx) in enumerate(((0, 1), (1, 0))):
        for y in range(height - dy):
            for x in range(width - dx):
                edges.append((max(relief[y, x], relief[y + dy, x + dx]), order, y, x, y + dy, x + dx))
    region = {(y, x): frozenset([(y, x)]) for y in range(height) for x in range(width)}
    joins = []
    for level, _, y, x, v, u in sorted(edges):
        a, b = region[y, x], region[v, u]
        if a is not b:
            volumes = [sum(level - relief[pixel] for pixel in side) for side in (a, b)]
            joins.append((min(volumes), (y, x), (v, u)))
            both = a | b
            for pixel in both:
                region[pixel] = both
    joins.sort(key=lambda join: join[0])
    label = {(y, x): y * width + x for y in range(height) for x in range(width)}
    for _, p, q in joins[: len(joins) - regions + 1]:
        old, new = label[q], label[p]
        label = {pixel: new if value == old else value for pixel, value in label.items()}
    return np.array([[label[y, x] for x in range(width)] for y in range(height)])


def least_error_merges(labels, colours):
    """Merge touching regions whose union adds least squared error, measured on the pixels; all label arrays."""
    labels = np.array(labels)

    def error(names):
        inside = colours[np.isin(labels, names)]
        return ((inside - inside.mean(axis=0)) ** 2).sum()

    states = [labels.copy()]
    while len(np.unique(labels)) > 1:
        pairs = set()
        for one, other in ((labels[:, :-1], labels[:, 1:]), (labels[:-1], labels[1:])):
            pairs |= {
                tuple(sorted(pair)) for pair in zip(one.ravel().tolist(), other.ravel().tolist(), strict=True)
            }
        added = {(a, b): error([a, b]) - error([a]) - error([b]) for a, b in pairs if a != b}
        a, b = min(added, key=added.get)
        labels[labels == b] = a
        states.append(labels.copy())
    return states


def best_division(good, bad):
    """Least sum of error rates of any threshold: scores up to it are called bad."""
    least = 1.0
    for at in [*good, *bad]:
        least = min(least, sum(g <= at for g in good) / len(good) + sum(b > at for b in bad) / len(bad))
    return least


def crossing(good, bad, low, high, points):
    """Threshold where the density of good scores overtakes that of bad ones, by the rule of Table 2's program."""
    edges = [low + (high - low) * i / (points - 1) for i in range(points - 1)]
    centres = [edge + (high - low) / points / 2 for edge in edges]
    heights = []
    for scores in (bad, good):
        inside = [sum(e <= s < f for s in scores) for e, f in pairwise(edges)]
        counts = [*inside, sum(s == edges[-1] for s in scores)]
        area = sum(c + d for c, d in pairwise(counts)) / 2
        heights.append([count / area if area else 0.0 for count in counts])
    left, right = heights
    half, below, i = sum(left) / 2, 0.0, 0
    while below + left[i] < half - 1e-9:
        below += left[i]
        i += 1
    if i and below + left[i] > half + 1e-9:
        i -= left[i - 1] > right[i - 1]  # the median lies inside the bin: the walk begins before it if it can
    while i < len(left) and left[i] > right[i]:
        i += 1
    if i == len(left):
        return high
    if i == 0 or left[i - 1] <= right[i - 1]:
        return edges[i]
    above, under = left[i - 1] - right[i - 1], right[i] - left[i]
    return centres[i - 1] + above / (above + under) * (centres[i] - centres[i - 1])


def right_judgements(good, bad, credit):
    """Share of scores (image by method) above the best bad score of the image; equal ones earn `credit`."""
    total = 0.0
    for row, others in zip(good, bad, strict=True):
        for value in row:
            best = max(others)
            total += 1 if value > best else credit if value == best else 0
    return total / sum(len(row) for row in good)


# --- mask proposals ----------------------------------------------------------------------------------------


def node_pixels(labels, merges, node):
    """Pixels of a node of a merge tree, as a set of (row, column)."""
    n = int(np.max(labels)) + 1
    if node >= n:
        one, two = merges[node - n]
        return node_pixels(labels, merges, one) | node_pixels(labels, merges, two)
    return {(i, j) for i, row in enumerate(labels) for j, label in enumerate(row) if label == node}


def touching_nodes(labels, merges):
    """Pairs of nodes that exist together at some step of the merging and share a pixel side."""
    n = int(np.max(labels)) + 1
    alive, pairs = set(range(n)), set()
    for step in range(len(merges) + 1):
        for a in alive:
            for b in alive:
                sides = {(i + di, j + dj) for i, j in node_pixels(labels, merges, a)
                         for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0))}  # fmt: skip
                if a < b and sides & node_pixels(labels, merges, b):
                    pairs.add((a, b))
        if step < len(merges):
            alive = alive - {int(x) for x in merges[step]} | {n + step}
    return pairs


def rough_contour(pixels, shape):
    """Pixels whose neighbour to the east, south or south-east is on the other side, as a set."""
    found = set()
    for i in range(shape[0]):
        for j in range(shape[1]):
            for y, x in ((i, j + 1), (i + 1, j), (i + 1, j + 1)):
                if y < shape[0] and x < shape[1] and ((i, j) in pixels) != ((y, x) in pixels):
                    found.add((i, j))
    return found


def rough_boundary_f(truth, mask, shape, distance):
    """F of contour pixels with any pixel of the other contour within `distance`."""
    a, b = rough_contour(truth, shape), rough_contour(mask, shape)
    if not a and not b:
        return float("nan")

    def near(side, other):
        return sum(any((i - y) ** 2 + (j - x) ** 2 <= distance**2 for y, x in other) for i, j in side)

    if not a or not b or not near(a, b):
        return 0.0
    precision, recall = near(b, a) / len(b), near(a, b) / len(a)
    return 2 * precision * recall / (precision + recall)


BING_SIZES = """512x512 256x512 128x512 64x512 512x256 256x256 128x256 64x256 32x256 512x128 256x128 128x128 64x128
32x128 16x128 512x64 256x64 128x64 64x64 32x64 16x64 128x32 64x32 32x32 16x32 64x16 32x16 16x16"""


def grid_places(last, step):
    """Count from 1 in steps up to `last`, with half of what remains in front."""
    places = [1 + ((last - 1) % step) / 2]
    while places[-1] + step <= last + 1e-9 * max(last, 1):
        places.append(places[-1] + step)
    return places


def sliding_windows(width, height, number):
    """Windows of Bing's sizes as x1, y1, x2, y2, both ends in the window, pixels counted from 1."""
    sizes = [tuple(map(int, text.split("x"))) for text in BING_SIZES.split()]
    fitting = [(w, h) for w, h in sizes if w < width and h < height]
    windows = [] if fitting == sizes else [(0, 0, width, height)]
    steps = []
    for w, h in fitting:
        most = number // len(fitting)
        step = ((width - w) * (height - h) / most) ** 0.5
        while len(grid_places(width - w, step)) * len(grid_places(height - h, step)) > most:
            step += 1
        steps.append(step)

    def places(i, step):
        w, h = fitting[i]
        return [(x, y) for x in grid_places(width - w, step) for y in grid_places(height - h, step)]

    spare = number - len(windows) - sum(len(places(i, step)) for i, step in enumerate(steps))
    for i in range(5, len(fitting)):
        more = len(places(i, steps[i] * 0.75)) - len(places(i, steps[i]))
        if spare <= more:
            break
        spare -= more
        steps[i] *= 0.75
    for i, (w, h) in enumerate(fitting):
        windows += [(x, y, x + w, y + h) for x, y in places(i, steps[i])]
    return windows


def gaussian_box(log2_aspect, sqrt_area, x, y, width, height):
    """Return a box as x1, y1, x2, y2, both ends in it, pixels counted from 1; None if it must be drawn again.

    x and y are the centre as a share of the sides, measured between edges.
    """
    if not (0 < sqrt_area <= 1 and 0 <= x <= 1 and 0 <= y <= 1):
        return None
    area = sqrt_area**2 * width * height
    h = (area / 2**log2_aspect) ** 0.5
    w = max(area / h, 5)
    h = max(h, 5)
    x1, y1 = round(x * width + 0.5 - w / 2), round(y * height + 0.5 - h / 2)
    x2, y2 = round(x1 + w - 1), round(y1 + h - 1)
    if x1 < 1:
        x1, x2 = 1, x2 + 1 - x1
    if y1 < 1:
        y1, y2 = 1, y2 + 1 - y1
    return x1, y1, min(x2, width), min(y2, height)


# --- boundaries over a data set ----------------------------------------------------------------------------


def mean_boundary_sides(rows):
    """Mean precision and mean recall of pictures (matched truth, truth, matched found, found) and F of the two."""
    precisions, recalls = [], []
    for matched_truth, truth, matched_found, found in rows:
        precisions.append(matched_found / found if found else 1.0)
        if truth:
            recalls.append(matched_truth / truth)
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


# Detections -----------------------------------------------------------------------------------------------


def detection_outcomes(objects, ignored, crowd, detections, tau, free_only, extra=0):
    """1, 0 or -1 (not judged) of the detections of one image and category, best first, one after the other."""
    found, used = [], set()
    for box in detections:
        overlaps = [box_overlap(o, box, extra, crowd=c) for o, c in zip(objects, crowd, strict=True)]
        if free_only:
            free = [i for i in range(len(objects)) if crowd[i] or i not in used]
            good = [i for i in free if overlaps[i] >= tau and not ignored[i]]
            rest = [i for i in free if overlaps[i] >= tau and ignored[i]]
            choice = good or rest
            winner = max(choice, key=lambda i: (overlaps[i], i)) if choice else None
        else:
            winner = max(range(len(objects)), key=lambda i: (overlaps[i], -i)) if objects else None
            if winner is not None and not (overlaps[winner] >= tau and overlaps[winner] > 0):
                winner = None
        if winner is None:
            found.append(0)
            continue
        found.append(-1 if ignored[winner] else int(winner not in used))
        used.add(winner)
    return found


def average_precision(outcomes, n, kind):
    """AP of outcomes (1, 0, -1) in order of score: the best precision at each recall that counts, or the area."""
    points, right, wrong = [], 0, 0
    for outcome in outcomes:
        right, wrong = right + (outcome == 1), wrong + (outcome == 0)
        if outcome >= 0:
            points.append((right, right / (right + wrong)))

    def best(enough):
        return max([p for r, p in points if enough(r)], default=0.0)

    if kind == "voc11":
        return sum(best(lambda r, i=i: 10 * r >= i * n) for i in range(11)) / 11
    if kind == "coco":
        return sum(best(lambda r, level=level: r / n >= level) for level in np.linspace(0, 1, 101)) / 101
    return sum(best(lambda r, i=i: r >= i) for i in range(1, n + 1)) / n


def area_means(picture, box, side):
    """Mean of a picture of constant pixels in each of side x side equal parts of a box, pixel by pixel."""
    x1, y1, x2, y2 = box
    width, height = (x2 - x1) / side, (y2 - y1) / side
    means = np.zeros((side, side))
    for i in range(side):
        for j in range(side):
            top, left = y1 + i * height, x1 + j * width
            total = 0.0
            for y in range(picture.shape[0]):
                for x in range(picture.shape[1]):
                    down = max(0.0, min(y + 1, top + height) - max(y, top))
                    right = max(0.0, min(x + 1, left + width) - max(x, left))
                    total += picture[y, x] * down * right
            means[i, j] = total / (width * height)
    return means


def without_touching(boxes, outcomes, least, extra=0):
    """Rows of detections of an image and category that stay when wrong ones (0) that overlap a right one (1) go."""
    right = [box for box, outcome in zip(boxes, outcomes, strict=True) if outcome == 1]
    return [
        row
        for row, (box, outcome) in enumerate(zip(boxes, outcomes, strict=True))
        if outcome != 0 or not any(box_overlap(other, box, extra) > least for other in right)
    ]


# Repeatability --------------------------------------------------------------------------------------------


def project_box(box, h):
    """Four corners through a homography; each side is the mean of the two corners next to it."""
    x1, y1, x2, y2 = box
    xs, ys = [], []
    for x, y in ((x1, y1), (x2, y1), (x2, y2), (x1, y2)):
        u, v, w = (sum(row[i] * c for i, c in enumerate((x, y, 1))) for row in h)
        xs.append(u / w)
        ys.append(v / w)
    xs, ys = sorted(xs), sorted(ys)
    return [(xs[0] + xs[1]) / 2, (ys[0] + ys[1]) / 2, (xs[2] + xs[3]) / 2, (ys[2] + ys[3]) / 2]


def centre_is_inside(box, size):
    """Whether the centre lies between the centres of the first and the last pixel."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return 1 <= x <= size[0] and 1 <= y <= size[1]


def greedy_table(reference, boxes, extra=1):
    """IoU of each reference box by striking rows and columns off the whole table, largest entry first."""
    table = np.array([[box_overlap(a, b, extra) for b in boxes] for a in reference]).reshape(
        len(reference), len(boxes)
    )
    found = [0.0] * len(reference)
    turned = len(reference) > len(boxes)
    work = (table.T if turned else table).copy()
    for _ in range(min(table.shape)):
        place = np.unravel_index(np.argmax(work), work.shape)
        if work[place] <= 0:
            break
        found[place[1] if turned else place[0]] = float(work[place])
        work[place[0], :], work[:, place[1]] = -1, -1
    return found


def repeats(reference, boxes, h, reference_size, size):
    """IoU of each reference box with its partner; None where it is not compared."""
    back = [project_box(box, np.linalg.inv(np.array(h, dtype=float)).tolist()) for box in boxes]
    back = [box for box in back if centre_is_inside(box, reference_size)]
    there = [i for i, box in enumerate(reference) if centre_is_inside(project_box(box, h), size)]
    found = greedy_table([reference[i] for i in there], back)
    return [found[there.index(i)] if i in there else None for i in range(len(reference))]


def repeatability(iou, sizes, image_areas, thin=500):
    """Mean of the ten areas under recall; box i has the area sizes[i] in an image of image_areas[i]."""
    areas = []
    for g in range(10):
        values = []
        for value, size, whole in zip(iou, sizes, image_areas, strict=True):
            share = (size / whole) ** 0.5
            low, high = (-1 if g == 0 else g / 10), (1e9 if g == 9 else (g + 1) / 10)
            if value is not None and low <= share < high:
                values.append(value)
        values.sort()
        if len(values) > thin:
            step, picked, place = len(values) / thin, [], 0
            while 1 + place * step <= len(values):
                picked.append(values[int(1 + place * step + 0.5) - 1])
                place += 1
            values = picked
        points = [(0, 1), *((v, (len(values) - i) / len(values)) for i, v in enumerate(values))]
        if values and values[-1] < 1:
            points.append((values[-1] + 0.001, 0))
        areas.append(sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(points)))
    return sum(areas) / 10


def blurred_pixel(image, row, column, sigma):
    """One pixel of a Gaussian blur over ceil(20 sigma) pixels, as the whole double sum, mirrored at the border."""
    n, total, weight = int(np.ceil(20 * sigma)), 0.0, 0.0
    first = (
        n + 1
    ) // 2 - 1  # pixels before this one: of an even kernel the pixel before its middle is this one
    for i in range(n):
        for j in range(n):
            w = np.exp(-((i - (n - 1) / 2) ** 2 + (j - (n - 1) / 2) ** 2) / (2 * sigma**2))
            r, c = row + i - first, column + j - first
            while not 0 <= r < len(image):
                r = -1 - r if r < 0 else 2 * len(image) - 1 - r
            while not 0 <= c < len(image[0]):
                c = -1 - c if c < 0 else 2 * len(image[0]) - 1 - c
            total, weight = total + w * image[r][c], weight + w
    return total / weight
