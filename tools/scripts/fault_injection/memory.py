"""Faults of places: tiles, pointers and windows that lie elsewhere, what is not loaded or not begun."""
import re

from fault_injection.text import dropped, edit

ALLOC = re.compile(r"(%\w+) = pto\.alloc_tile addr = (%\w+) : !pto\.tile_buf<(?:loc=)?(\w+)")
CAST = re.compile(r"(%\w+) = pto\.castptr (%\w+) : i64 -> !pto\.ptr<\w+, ub>")


def places(t):
    for i, line in enumerate(t.code):
        if m := ALLOC.search(line):
            yield i, m[2], m[3]
        elif m := CAST.search(line):
            yield i, m[2], "vec"


def overlap(t):
    every = list(places(t))
    made = {}  # the first line that gives a name
    for i, line in enumerate(t.code):
        if m := re.match(r"\s*(%\w+) =", line):
            made.setdefault(m[1], i)
    for i, at, space in every:
        for other in sorted({a for _, a, s in every if s == space and a != at}):
            if made.get(other, i) < i:
                yield i, f"at {other}", edit(t, replaced={i: t.lines[i].replace(at, other)})


def misaligned(t):
    for i, at, space in places(t):
        name = re.match(r"\s*(%\w+) =", t.lines[i])[1]
        if at in t.constants and any(re.search(rf"pto\.(?!load|store|castptr).*{name}\b", line) for line in t.code):
            made = f"%sf_at = arith.constant {t.constants[at] + 8} : i64"
            yield i, "8 bytes further", edit(t, before={i: [made]}, replaced={i: t.lines[i].replace(at, "%sf_at")})


def misaligned_computed(t):
    """Of what DMA moves in UB, where only a run knows the offset: 8 * (blocks modulo 3), 8 for one block."""
    for i, at, space in places(t):
        name = re.match(r"\s*(%\w+) =", t.lines[i])[1]
        if space == "vec" and any(re.search(rf"pto\.(tload|tstore|mte_\w+) .*{name}\b", line) for line in t.code):
            made = ["%sf_n = pto.get_block_num", "%sf_3 = arith.constant 3 : i64", "%sf_8 = arith.constant 8 : i64",
                    "%sf_one = arith.remsi %sf_n, %sf_3 : i64", "%sf_by = arith.muli %sf_one, %sf_8 : i64", f"%sf_at = arith.addi {at}, %sf_by : i64"]
            yield i, "8 bytes further for one block, computed", edit(t, before={i: made}, replaced={i: t.lines[i].replace(at, "%sf_at")})


def beyond(t):
    for i, line in enumerate(t.code):
        m = re.search(r"pto\.partition_view (%\w+), offsets = \[(%\w+),.*sizes = \[(%\w+)", line)
        if m and t.constants.get(m[3]) != 1:  # one row does not leave its view
            view = next((l for l in t.code if re.search(rf"{m[1]} = pto\.make_tensor_view", l)), "")
            rows = re.search(r"shape = \[(%\w+)", view)
            if rows and rows[1] in t.constants:
                made = f"%sf_row = arith.constant {t.constants[rows[1]] - 1} : index"
                yield i, "from the last row on", edit(t, before={i: [made]}, replaced={i: t.lines[i].replace(f"[{m[2]},", "[%sf_row,")})
        m = re.search(r"pto\.mte_\w+ .*nburst\((%\w+),", line)
        if m:
            made = "%sf_burst = arith.constant 1024 : i64"
            yield i, "1024 bursts", edit(t, before={i: [made]}, replaced={i: t.lines[i].replace(f"nburst({m[1]},", "nburst(%sf_burst,")})


def uninitialised(t):
    for i, line in enumerate(t.code):
        m = re.search(r"pto\.tmatmul ins\((.*?) : (.*?)\) outs\((%\w+) : (.*)\)", line)
        if m:
            new = f"pto.tmatmul.acc ins({m[3]}, {m[1]} : {m[4]}, {m[2]}) outs({m[3]} : {m[4]})"
            yield i, "accumulates", edit(t, replaced={i: line[: m.start()] + new})


def drop_load(t):
    for i, line in enumerate(t.code):
        if re.search(r"pto\.(tload|mte_gm_\w+|copy_gm_\w+) ", line):
            yield i, "dropped", dropped(t, i)


CLASSES = {
    "overlap": (overlap, "a tile or pointer is moved onto another one"),
    "misaligned": (misaligned, "a tile or pointer is moved by 8 bytes"),
    "misaligned-computed": (misaligned_computed, "the same by a number that is computed"),
    "out-of-bounds": (beyond, "a window begins at the last row of its tensor; a transfer has 1024 bursts"),
    "uninitialised": (uninitialised, "the product that begins a sum adds to it"),
    "drop-load": (drop_load, "a load from GM is removed"),
}
