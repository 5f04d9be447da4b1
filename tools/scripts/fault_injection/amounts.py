"""Faults of numbers: how much is moved and where it goes, bounds of loops and windows, masks, registers that are not set."""
import re

from fault_injection.text import changed, edit

BYTES = re.compile(r"pto\.(mte_gm_ub|mte_ub_gm|mte_gm_l1|copy_gm_to_ubuf|copy_ubuf_to_gm|copy_gm_to_cbuf) ")
# The operands of raw transfers: number of bursts, length, strides.
RAW = {"copy_gm_to_ubuf": (3, 4, 9, 10), "copy_ubuf_to_gm": (3, 4, 7, 6), "copy_gm_to_cbuf": (2, 3, 4, 5)}


def operands(line):
    """Where the operands of a statement on one line stand."""
    return [m.span() for m in re.finditer(r"%\w+", line.split(" : ")[0])]


def transfers(t):
    """Of each transfer in bursts: first line, and line and place of the number of bursts, of the length and of the strides."""
    for i, line in enumerate(t.code):
        if (m := re.search(r"pto\.(copy_\w+) %", line)) and m[1] in RAW and len(places := operands(line)) > max(RAW[m[1]]):
            count, length, *strides = [(i, places[k]) for k in RAW[m[1]]]
            yield i, count, length, strides
        if re.search(r"pto\.mte_\w+ ", line):
            j = next((j for j in range(i, t.last_of(i) + 1) if "nburst(" in t.code[j]), None)
            if j is not None and (m := re.search(r"nburst\((%\w+), (%\w+), (%\w+)\)", t.code[j])):
                length = [(i, s) for s in operands(line.split("nburst")[0])][-1]
                yield i, (j, m.span(1)), length, [(j, m.span(2)), (j, m.span(3))]


def every(t, place, what, *changes):
    for words, change in changes:
        if lines := changed(t, *place, **change):
            yield place[0], f"{what} {words}", lines


ONE = (("one more", {"by": 1}), ("one less", {"by": -1}))
TWICE = (("twice as much", {"times": 2}), ("half as much", {"times": 0.5}))


def burst_count(t):
    for _, count, *_ in transfers(t):
        yield from every(t, count, "bursts:", *ONE)


def burst_length(t):
    for i, _, length, _ in transfers(t):
        by = 32 if BYTES.search(t.code[i]) else 1
        yield from every(t, length, "bytes of a burst:", ("a block more", {"by": by}), ("a block less", {"by": -by}))


def burst_stride(t):
    for _, (line, span), _, strides in transfers(t):
        if t.constants.get(t.code[line][slice(*span)]) != 1:
            for stride in strides:
                yield from every(t, stride, "step between bursts:", *TWICE)


def transfer_loop(t):
    for i, line in enumerate(t.code):
        for m in re.finditer(r"\bloop\((%\w+), (%\w+), (%\w+)\)", line):
            yield from every(t, (i, m.span(1)), "passes:", *ONE)
            for group in (2, 3):
                yield from every(t, (i, m.span(group)), "step between passes:", *TWICE)


def loop_bound(t):
    for i, _, m in t.loops:
        step = t.constants.get(m[4])
        # A counter that names a mode has no other values: such a program is refused, which is no question of order.
        if step and not any(f"_mode({m[1]})" in line for line in t.code):
            yield from every(t, (i, m.span(3)), "ends", ("one iteration later", {"by": step}), ("one iteration earlier", {"by": -step}))
            yield from every(t, (i, m.span(2)), "begins", ("one iteration later", {"by": step}))


def window(key):
    def go(t):
        for i, line in enumerate(t.code):
            m = re.search(rf"pto\.partition_view .*\b{key} = \[([^\]]*)\]", line)
            for operand in re.finditer(r"%\w+", m[1]) if m else []:
                span = (m.start(1) + operand.start(), m.start(1) + operand.end())
                yield from every(t, (i, span), f"{key}:", *ONE)
    return go


def valid_region(t):
    for i, line in enumerate(t.code):
        for m in re.finditer(r"valid_(?:row|col) = (%\w+)", line):
            yield from every(t, (i, m.span(1)), "valid:", *ONE)
        if m := re.search(r"pto\.set_validshape %\w+, (%\w+), (%\w+)", line):
            for group in (1, 2):
                yield from every(t, (i, m.span(group)), "valid:", *ONE)


def mask(t):
    for i, line in enumerate(t.code):
        if (m := re.search(r'pto\.p(?:set|ge)_b\d+ "(PAT_\w+)"', line)) and m[1] != "PAT_ALL":
            yield i, "all lanes", edit(t, replaced={i: t.lines[i].replace(m[1], "PAT_ALL")})
        if m := re.search(r"pto\.plt_b\d+ (%\w+)", line):
            yield from every(t, (i, m.span(1)), "lanes:", ("8 more", {"by": 8}), ("one less", {"by": -1}))
        if m := re.search(r"pto\.ub\.set_mask (%\w+), (%\w+)", line):
            for group in (1, 2):
                yield from every(t, (i, m.span(group)), "mask:", ("8 more", {"by": 8}))


def vector_offset(t):
    for i, line in enumerate(t.code):
        if m := re.search(r"pto\.(?:vlds|vsts) .*\[(%\w+)\]", line):
            yield from every(t, (i, m.span(1)), "elements:", ("64 further", {"by": 64}))


def drop_register(t):
    for i, line in enumerate(t.code):
        if re.search(r"pto\.(set_(loop\w+|mov_pad_val|pad_val\w*|mte2_nz_para|channel_para|quant_pre|fpc|relu_alpha|fix_clip_relu|ctrl|atomic\w+)|ub\.set_mask\w*) ?", line):
            yield i, "dropped", edit(t, {i})


CLASSES = {
    "burst-count": (burst_count, "a transfer has one burst more or less"),
    "burst-length": (burst_length, "the bursts of a transfer are a block longer or shorter"),
    "burst-stride": (burst_stride, "the bursts of a transfer stand twice or half as far apart"),
    "transfer-loop": (transfer_loop, "a loop of a transfer has one pass more or less, or other steps"),
    "loop-bound": (loop_bound, "a loop has one iteration more or less"),
    "window-offset": (window("offsets"), "a window begins one further, or one before"),
    "window-size": (window("sizes"), "a window is one larger or smaller"),
    "valid-region": (valid_region, "a tile has a row or column more or less that is valid"),
    "mask": (mask, "a mask has more lanes, or one less"),
    "vector-offset": (vector_offset, "a vector load or store is 64 elements further"),
    "drop-register": (drop_register, "a control register is not set"),
}
