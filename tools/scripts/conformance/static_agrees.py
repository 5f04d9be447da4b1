#!/usr/bin/env python3
"""Compares the static synchronisation checks of pto-as with what pto-sim --mode check sees.

usage: static_agrees.py [--bin DIR] [--corpus DIR] [--jobs N] PATH...

A PATH is a golden test with a `RUN: pto-sim` line, a case file, or a folder with such. No program may have a static error
(E05..) and run clean; every deadlock that does not depend on inputs, but of tile queues, must have a static error or warning. Prints
"N agree, M contradict", what the simulator alone sees per finding, and exits with 1 on a contradiction.
"""
import argparse, collections, concurrent.futures, os, pathlib, re, shlex, subprocess, sys, tomllib

ROOT = pathlib.Path(__file__).resolve().parents[3]


def commands(path):
    """pto-sim's arguments and the program: of a case file, or of the first RUN line that runs the text itself."""
    if path.suffix == ".toml":
        case = tomllib.loads(path.read_text())
        program = os.path.expandvars(case.get("program", ""))
        return [[str(path)]], path.parent / program, case.get("target", "")
    for line in re.findall(r"^// RUN: pto-sim (%s.*)$", path.read_text(errors="replace"), re.M):
        if not re.search(r"[|;&>$]|%t", line):
            return [[a for a in shlex.split(line.replace("%s", str(path)))]], path, ""
    return [], path, ""


def check(options, path):
    runs, program, target = commands(path)
    if not runs or not program.exists():
        return path, None, set(), set()
    def call(tool, *argv):
        return subprocess.run([options.bin / tool, *argv], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=120, cwd=path.parent)
    argv = runs[0] + ([] if "--mode" in runs[0] else ["--mode", "check"]) + ([] if "--report" in runs[0] else ["--report", "none"])
    ran = call("pto-sim", *argv)
    flags = [f"--target={target}"] if target in ("a2a3", "a5", "cpu") else []
    static = set(re.findall(r"(?:error|warning)\[([EW]05\d\d)\]", call("pto-as", program, "-o", "/dev/null", *flags).stderr))
    # How many entries both ends of a tile queue move is for the run to see.
    said = re.sub(r"error\[DEADLOCK\](: [^\n]* of the tile queue )", r"error[DEADLOCK-QUEUE]\1", ran.stderr)
    return path, ran.returncode, static, set(re.findall(r"(?:error|warning)\[([A-Z]+-?[A-Z]*)\]", said))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--corpus", help="the corpus that conformance cases name: PTO_CORPUS")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.bin = options.bin.resolve()
    if options.corpus:
        os.environ["PTO_CORPUS"] = options.corpus
    files = []
    for path in options.paths:
        files += [f for f in sorted(path.rglob("*")) if f.suffix in (".pto", ".toml")] if path.is_dir() else [path]
    agree, bad, alone = 0, 0, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, code, static, seen in pool.map(lambda f: check(options, f.resolve()), files):
            if code is None or code == 3:
                continue
            errors = {i for i in static if i[0] == "E"}
            contradicts = code == 0 and errors or "DEADLOCK" in seen and not static
            if contradicts:
                print(f"{path}: static {sorted(static)}, run {sorted(seen)} (exit {code})")
            for dynamic, found in (("RACE", {"0511"}), ("FLAG-LEFT", {"0502", "0505"})):
                if dynamic in seen and not {i[1:] for i in static} & found:
                    alone[dynamic] += 1
            bad, agree = bad + bool(contradicts), agree + (not contradicts)
    for dynamic, count in sorted(alone.items()):
        print(f"{dynamic}: seen by the simulator alone in {count}")
    print(f"{agree} agree, {bad} contradict")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
