"""Faults of double buffers: the other half, the id of the other half."""
import re

from fault_injection.text import changed, edit

TILE = re.compile(r"(%\w+) = pto\.alloc_tile addr = %\w+ : (!pto\.tile_buf<[^>]*>)")
POINTER = re.compile(r"(%\w+) = pto\.castptr %\w+ : i64 -> (!pto\.ptr<\w+, ub>)")


def wrong_half(t):
    """Tiles and pointers of one type whose names differ in their last digit."""
    made = [m for l in t.code if (m := TILE.search(l) or POINTER.search(l))]
    twins = [(one[1], other[1]) for one in made for other in made
             if one[1] != other[1] and one[2] == other[2] and re.sub(r"\d$", "", one[1]) == re.sub(r"\d$", "", other[1])]
    for i, line in enumerate(t.code):
        for name, other in twins if " = pto.alloc_tile" not in line and " = pto.castptr" not in line else []:
            if re.search(rf"{name}\b", line):
                yield i, f"{other} for {name}", edit(t, replaced={i: re.sub(rf"{name}\b", other, t.lines[i])})


def wrong_parity(t):
    """A number that is 0 and 1 in turns, the other one where it is used."""
    for i, line in enumerate(t.code):
        m = re.match(r"\s*(%\w+) = arith\.(remui|remsi|andi) %\w+, (%\w+) :", line)
        if not m or t.constants.get(m[3]) != (1 if m[2] == "andi" else 2):
            continue
        for j, other in enumerate(t.code):
            for use in re.finditer(rf"{m[1]}\b", other) if j > i else []:
                if lines := changed(t, j, use.span(), by=1, minus=True):
                    yield j, f"the other {m[1]}", lines


VALUES = ["wrong-half", "wrong-parity"]
CLASSES = {
    "wrong-half": (wrong_half, "an instruction takes the other one of two buffers"),
    "wrong-parity": (wrong_parity, "what is chosen by a counter modulo 2 is the other one in one place"),
}
