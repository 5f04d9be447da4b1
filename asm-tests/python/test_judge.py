"""The judge of seeded faults (tools/scripts/fault_injection/judge.py): facts that no event shows."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/scripts"))
from fault_injection import judge  # noqa: E402

NUMBERS = ["%c1 = arith.constant 1 : index", "%c2 = arith.constant 2 : index", "%c64 = arith.constant 64 : index", "%c65 = arith.constant 65 : index"]
NEW = "!pto.tile_buf<vec, 1x64xf32, valid=?x?>"
OLD = "!pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=64, v_row=?, v_col=?>"


def facts(*text):
    return judge.judge([], list(enumerate([*NUMBERS, *text], 1)), "a5")


@pytest.mark.parametrize("kind", [NEW, OLD, "!T"])
@pytest.mark.parametrize("rows, columns, beyond", [("%c1", "%c64", False), ("%c2", "%c64", True), ("%c1", "%c65", True), ("%c1", "%n", False)])
def test_valid_region_beyond_its_tile(kind, rows, columns, beyond):
    alias = f"!T = {NEW}"
    made = facts(alias, f"%t = pto.alloc_tile addr = %a valid_row = {rows} valid_col = {columns} : {kind}")
    assert made == ({("more valid than the tile has", 6)} if beyond else set())
    later = facts(alias, f"pto.set_validshape %t, {rows}, {columns} : {kind}")
    assert later == made


def test_a_part_of_a_tile_may_be_valid():
    assert facts(f"%t = pto.alloc_tile valid_row = %c1 : {NEW}") == set()
    assert facts("%t = pto.alloc_tile valid_row = %c2", f"    : {NEW}") == {("more valid than the tile has", 5)}
    assert facts(f"%t = pto.alloc_tile valid_col = %c65 : {NEW}") == {("more valid than the tile has", 5)}
