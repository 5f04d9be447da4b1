#!/usr/bin/env python3
"""Runs pto-as over checkouts of the public repositories and compares with what their RUN lines expect.

usage: corpus.py [--bin DIR] [--round-trip] [--json FILE] [-v] CHECKOUT...

Every distinct .pto file counts once. A RUN line that calls ptoas is one expectation: `not ptoas` (or `! ptoas`) wants a
refusal, any other wants acceptance; the flags that change acceptance are passed on. A file without RUN lines wants
acceptance. A file is positive when any of its lines wants acceptance. Files whose outcome we differ on for a reason are
listed in asm-tests/corpus/deviations.toml; any other difference makes this exit with 1.
"""
import argparse, collections, hashlib, json, pathlib, re, subprocess, sys, tempfile, time, tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEEP = ("--pto-arch", "--pto-level")
INSERT = ("--enable-insert-sync", "--enable-graph-sync-solver")   # two ways to insert flags


def run_lines(text):
    """(wants refusal, flags, what FileCheck looks for) of every ptoas call."""
    joined = re.sub(r"\\\n\s*//\s*(RUN:)?", " ", text)
    for line in re.findall(r"//\s*RUN:(.*)", joined):
        call = re.search(r"(not |! )?\s*(?:\S*/)?ptoas\s+(.*?)(?:\||&&|;|>|\)|$)", line)
        if not call or "%s" not in call[2]:
            continue
        flags, words = [], call[2].split()
        for i, word in enumerate(words):
            if word in INSERT:
                flags.append("--sync=auto")
            if word.split("=")[0] in KEEP:
                flags.append(word)
                if "=" not in word:
                    flags[-1] += "=" + words[i + 1]
        refusal = bool(call[1]) or "ptoas" in line and "; test $? -ne 0" in line
        prefix = re.search(r"--check-prefix(?:es)?[= ](\S+)", line)
        wanted = re.findall(r"//\s*%s(?:-(?!NOT)[A-Z]+)?:(.*)" % (re.escape(prefix[1]) if prefix else "CHECK"), text)
        refusal = refusal or any(re.match(r"\s*(.*: )?error:", w) for w in wanted)   # FileCheck on messages without `not`
        yield refusal, tuple(flags), [w.strip() for w in wanted] if refusal else []


def expectations(path, text):
    lines = list(dict.fromkeys((r, f, tuple(w)) for r, f, w in run_lines(text)))
    if lines:
        return lines
    flags = ("--pto-arch=a5",) if re.search(r"A5|_a5_|/vpto/|tilelang_st", str(path)) and "target_arch" not in text else ()
    return [(False, flags, ())]


def family(path):
    return "/".join(path.parts[:min(3, len(path.parts) - 1)])


class Corpus:
    def __init__(self, options):
        self.bin, self.scratch = pathlib.Path(options.bin), pathlib.Path(tempfile.mkdtemp(prefix="corpus"))
        self.round_trip, self.results = options.round_trip, []

    def call(self, *argv):
        return subprocess.run([str(a) for a in argv], stdin=subprocess.DEVNULL, capture_output=True, errors="replace", timeout=60)

    def check_round_trip(self, path, flags):
        first, text, second, again = (self.scratch / n for n in ("a.bin", "a.pto", "b.bin", "b.pto"))
        if self.call(self.bin / "pto-as", path, *flags, "-o", first).returncode != 0:
            return ""
        steps = [(self.bin / "pto-dis", first, "-o", text), (self.bin / "pto-as", text, *flags, "-o", second), (self.bin / "pto-dis", second, "-o", again)]
        for step in steps:
            if (done := self.call(*step)).returncode != 0:
                return f"{step[0].name}: {done.stderr.strip().splitlines()[0] if done.stderr else done.returncode}"
        if first.read_bytes() != second.read_bytes():
            return "as(dis(as(t))) differs from as(t)"
        return "" if text.read_bytes() == again.read_bytes() else "canonical text is no fixed point"

    def check(self, root, path):
        text, relative = path.read_text(errors="replace"), path.relative_to(root)
        lines = expectations(relative, text)
        for refusal, flags, wanted in lines:
            done = self.call(self.bin / "pto-as", path, *flags, "-o", self.scratch / "a.bin")
            first = next((l for l in done.stderr.splitlines() if "error" in l), done.stderr.strip()[:200])
            self.results.append(dict(file=str(relative), family=family(relative), refusal=refusal, flags=" ".join(flags), code=done.returncode,
                                     message=first.replace(str(path), path.name), wanted=list(wanted), positive=any(not r for r, _, _ in lines)))
            if self.round_trip and not refusal and done.returncode == 0:
                self.results[-1]["round_trip"] = self.check_round_trip(path, flags)


def outcome(result):
    if result["code"] not in (0, 1, 3):
        return "crash"
    if result["refusal"]:
        return "refused" if result["code"] == 1 else "unsupported" if result["code"] == 3 else "accepted, not refused"
    if result.get("round_trip"):
        return "round trip"
    return {0: "accepted", 1: "refused, not accepted", 3: "unsupported"}[result["code"]]


def report(results, deviations, verbose):
    """Prints the table and the differences; the number of differences without a listed reason."""
    table, worst, good = collections.defaultdict(collections.Counter), {}, ("accepted", "refused")
    for result in results:
        what = outcome(result)
        key = (result["file"], result["refusal"])
        if key not in worst or what not in good:
            worst[key] = (what, result)
    for what, result in worst.values():
        table[(result["refusal"], result["family"])][what] += 1
    bad = 0
    for refusal, title in ((False, "to be accepted"), (True, "to be refused")):
        total = sum((counts for (r, _), counts in table.items() if r == refusal), collections.Counter())
        print(f"{title}: " + ", ".join(f"{count} {what}" for what, count in total.most_common()))
        for (r, name), counts in sorted(table.items()):
            if r == refusal:
                print(f"  {name:28} " + ", ".join(f"{count} {what}" for what, count in counts.most_common()))
    for what, result in worst.values():
        if what in good and not verbose:
            continue
        reason = deviations.get(result["file"])
        bad += reason is None and what not in good
        print(f"{what}: {result['file']} {result['flags']}")
        print(f"    ours:  {result.get('round_trip') or result['message']}")
        for line in result["wanted"][:3]:
            print(f"    wants: {line}")
        if reason:
            print(f"    why:   {reason}")
    differing = {result["file"] for what, result in worst.values() if what not in good}
    for file in deviations:
        if any(result["file"] == file for result in results) and file not in differing:
            print(f"listed as a deviation, but it agrees: {file}")
            bad += 1
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="+", type=pathlib.Path)
    parser.add_argument("--bin", default=ROOT / "build/release/bin")
    parser.add_argument("--round-trip", action="store_true", help="check as(dis(as(t))) == as(t) and that canonical text is a fixed point")
    parser.add_argument("--json", type=pathlib.Path, help="every result, as JSON")
    parser.add_argument("-v", action="store_true", help="show agreeing files too, with our first message and theirs")
    options = parser.parse_args()
    deviations_file = ROOT / "asm-tests/corpus/deviations.toml"
    deviations = tomllib.loads(deviations_file.read_text())["files"] if deviations_file.exists() else {}

    corpus, seen, start = Corpus(options), set(), time.time()
    for root in options.checkouts:
        for path in sorted(root.rglob("*.pto")):
            digest = hashlib.sha256(path.read_bytes()).digest()
            if digest not in seen:
                seen.add(digest)
                corpus.check(root, path)
    if options.json:
        options.json.write_text(json.dumps(corpus.results, indent=1))
    bad = report(corpus.results, deviations, options.v)
    print(f"{len(seen)} distinct files, {len(corpus.results)} calls, {time.time() - start:.1f} s; {bad} differences without a listed reason, or the other way round")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
