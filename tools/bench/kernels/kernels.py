#!/usr/bin/python3
"""Public whole kernels as PTO text, and how long they take on silicon (docs/timing.md, "Whole kernels").

usage: tools/bench/kernels/kernels.py gen DIR              writes every program
       tools/bench/kernels/kernels.py check [DIR]          runs small versions with data and compares the values with numpy
       tools/bench/kernels/kernels.py time DIR [PATTERN]   the real sizes beside silicon
       tools/bench/kernels/kernels.py table [--write | --check]   the table of docs/timing.md; --check: of the short ones only
PTO_SIM names the simulator; default: that of build/release.
"""
import csv
import fnmatch
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
os.environ.setdefault("PTO_SIM", str(ROOT / "build/release/bin/pto-sim"))
SIM = os.environ["PTO_SIM"]

from programs import build  # noqa: E402

EVIDENCE = pathlib.Path(__file__).resolve().parent / "silicon.csv"
PAGE = ROOT / "docs/timing.md"
BEGIN, END = "<!-- kernels: begin (./tools/bench/accuracy/accuracy --write) -->\n", "<!-- kernels: end -->\n"
SHORT = ["gemm_1536", "conv_C1", "topk_f32_2304", "fa_jit_128x1024", "fa_manual_1024", "mxfp8_2048"]


def evidence():
    with open(EVIDENCE, newline="") as file:
        return list(csv.DictReader(file))


def simulate(name, folder, extra=()):
    text, arguments, blocks = build(name)
    program = f"{folder}/{name}.pto"
    pathlib.Path(program).write_text(text)
    stats = f"{folder}/{name}.stats.json"
    command = [SIM, "-w", "--mode", "time", "--blocks", str(blocks), "--report", "none", "--stats", stats, *extra]
    for argument in arguments:
        command += ["--arg", argument]
    done = subprocess.run(command + [program], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{name}: {done.stderr[:2000]}")
    return json.loads(pathlib.Path(stats).read_text())


def bound(verdict):
    """The part of a verdict that says what bounds the kernel."""
    at = verdict.find("bound by ")
    return verdict[at + len("bound by "):].split(":")[0].split(";")[0].split(" (")[0] if at >= 0 else verdict


def table_rows(names):
    with tempfile.TemporaryDirectory() as folder:
        for row in evidence():
            if names is not None and row["subject"] not in names:
                continue
            stats = simulate(row["subject"], folder, ["--target", row["target"]])
            silicon, ours = float(row["cycles"]), stats["total_cycles"]
            peer = row["peer"]
            other = f"{100 * (float(peer) / silicon - 1):+.0f}" if peer else "-"
            yield row["subject"], (f"| {row['subject']} | {row['target']} | {row['shape']} | {row['use']} | {silicon:,.0f} | {ours:,} | "
                                   f"{100 * (ours / silicon - 1):+.1f} | {other} | {bound(stats['verdict'])} |")


def table(arguments):
    page = PAGE.read_text()
    begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    if "--check" in arguments:
        stale = [name for name, line in table_rows(SHORT) if line not in page[begin:end]]
        if stale:
            sys.exit(f"docs/timing.md: stale rows of kernels: {', '.join(stale)}; run ./tools/bench/accuracy/accuracy --write")
        print(f"{len(SHORT)} kernels as docs/timing.md says")
        return
    lines = [line for _, line in table_rows(None)]
    text = ("\n| kernel | target | blocks | use | silicon | ours | % | peer % | bound by |\n|---|---|---|---|---|---|---|---|---|\n"
            + "\n".join(lines) + "\n\n")
    if "--write" in arguments:
        PAGE.write_text(page[:begin] + text + page[end:])
    else:
        print(text)


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in ("gen", "check", "time", "table"):
        sys.exit(__doc__)
    what = sys.argv[1]
    if what == "table":
        return table(sys.argv[2:])
    if what == "check" and len(sys.argv) == 2:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            import check
            return sys.exit(check.main())
    folder = os.path.abspath(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    if what == "check":
        os.chdir(folder)
        import check
        sys.exit(check.main())
    pattern = sys.argv[3] if len(sys.argv) > 3 else "*"
    errors = []
    for row in evidence():
        name = row["subject"]
        if not fnmatch.fnmatch(name, pattern):
            continue
        if what == "gen":
            pathlib.Path(f"{folder}/{name}.pto").write_text(build(name)[0])
            continue
        cycles, silicon = simulate(name, folder, ["--target", row["target"], *sys.argv[4:]])["total_cycles"], float(row["cycles"])
        errors.append(abs(cycles / silicon - 1) * 100)
        print(f"{name:20} silicon {silicon:12,.0f}  pto-sim {cycles:12,}  {100 * (cycles / silicon - 1):+6.1f} %", flush=True)
    if errors:
        print(f"{len(errors)} kernels, mean error {sum(errors) / len(errors):.1f} %, largest {max(errors):.1f} %")


main()
