#!/usr/bin/env python3
"""Runs pto-as over checkouts of the public repositories and compares with what their RUN lines expect.

usage: corpus.py [--bin DIR] [--round-trip] [--json FILE] [-v] CHECKOUT...
       corpus.py --findings [--bin DIR] [--json FILE] CHECKOUT...

Every distinct .pto file counts once, or each of its parts: `//--- name` where a RUN line calls split-file, `// -----` where
it says -split-input-file. A RUN line that calls ptoas or pto-test-opt is one expectation: `not ptoas` (or `! ptoas`) wants a
refusal, any other wants acceptance; the flags that change acceptance are passed on. Of split input the parts with an
expected error want the refusal. What only a compiler pass refuses (limits of its lowering) is
no expectation. A refusal is exit code 1 with a located error; exit code 2, a wrong command line, counts where the RUN line
is about the command line. A file without RUN lines wants acceptance. A file is positive when any of its lines wants
acceptance. Files whose outcome we differ on for a reason are listed in asm-tests/corpus/deviations.toml, some for one
checkout only; any other difference, and a listed file that agrees, make this exit with 1.

--findings looks for wrong errors instead: every program that is to be accepted and assembles is run by pto-sim profile --mode check, and
pto-as checks its synchronisation. Errors have their reason in asm-tests/corpus/findings.toml ([texts], and [fragments] for folders of
programs that nobody runs); an error without one, and a listed program without its error, make this exit with 1.
"""
import argparse, collections, concurrent.futures, hashlib, json, os, pathlib, re, subprocess, sys, tempfile, time, tomllib

ROOT = pathlib.Path(__file__).resolve().parents[3]
KEEP = ("--pto-arch", "--pto-level", "--pto-backend", "--plan-memory-impl", "--vpto-scheduler", "--bisheng-vf-auto-sync",
        "--enable-op-fusion", "--enable-bufid_sync")
UNREAD = ("--pto-level=3",)   # no level; ptoas verifies the program before it says so, which is what these files are about
EMIT = ("--emit-vpto", "--emit-vpto-llvm-ir")   # pto-as never makes it: passed on where the command line is what is refused
INSERT = ("--enable-insert-sync", "--enable-graph-sync-solver")   # two ways to insert flags


CALL = re.compile(r"(not |! )?\s*(?:\S*/)?(ptoas|pto-test-opt)\s+(.*?)(?:\||&&|;|>|\)|$)")
REFUSES = re.compile(r"error:|' op |\bexpected \S|source and result")   # what a message says that a FileCheck line looks for
LOWERING = re.compile(r"VMI-(UNSUPPORTED|LAYOUT-CONTRACT|RESIDUAL)|failed to legalize|direct lowering|supported memory|predicate-maskable|full physical chunks")   # what passes say, not verifiers
COMMAND = re.compile(r"^Error: .*--|for the --\S+ option|(output|VPTO-specific) flags")   # about the command line, not the program


def parts(text):
    """(name, text) of every part; the name is empty for a whole file."""
    run = "\n".join(re.findall(r"//\s*RUN:(.*)", text))
    if "split-file" in run and "-split-input-file" not in run:
        found = re.split(r"^//--- (\S+)$", text, flags=re.M)
        return [(found[i], found[i + 1]) for i in range(1, len(found), 2)]
    if "-split-input-file" in run:
        found = re.split(r"^// -----.*$", text, flags=re.M)
        return [(str(i + 1), part) for i, part in enumerate(found) if re.search(r"^\s*[^/\s]", part, flags=re.M)]
    return [("", text)]


def run_lines(text, name, part):
    """(wants refusal, flags, what FileCheck looks for) of every call that reads this part."""
    joined = re.sub(r"\\\n\s*//\s*(RUN:)?", " ", text)
    for line in re.findall(r"//\s*RUN:(.*)", joined):
        call = CALL.search(line)
        split = "-split-input-file" in line
        if not call or (f"%t/{name}" not in call[3] if name and not split else "%s" not in call[3]):
            continue
        flags, words = ["--pto-arch=a5"] if call[2] == "pto-test-opt" and "target_arch" not in part else [], call[3].split()
        for i, word in enumerate(words):
            if word in INSERT:
                flags.append("--sync=auto")
            if word.split("=")[0] in KEEP:
                flag = word if "=" in word or word.startswith("--enable") else f"{word}={words[i + 1]}"
                if flag not in UNREAD:
                    flags.append(flag)
        refusal = bool(call[1]) or "ptoas" in line and "; test $? -ne 0" in line
        prefix = re.search(r"--check-prefix(?:es)?[= ](\S+)", line)
        wanted = re.findall(r"//\s*%s(?:-(?!NOT)[A-Z]+)?:(.*)" % (re.escape(prefix[1]) if prefix else "CHECK"), part if split else text)
        wanted = [re.sub(r"\{\{(\W)\}\}", r"\1", w) for w in wanted]
        if split:
            if call[1] and not wanted:
                continue
            if call[1] and any(LOWERING.search(w) for w in wanted):   # no word on which part it is, and a pass says it
                continue
            refusal = "expected-error" in part or bool(call[1]) and any(REFUSES.search(w) for w in wanted)
        refusal = refusal or "-verify-diagnostics" in line and "expected-error" in part
        refusal = refusal or any(re.match(r"\s*(.*: )?error:", w) for w in wanted)   # FileCheck on messages without `not`
        if refusal and call[2] == "pto-test-opt" and any(LOWERING.search(w) for w in wanted):
            continue
        if refusal and any(COMMAND.search(w.strip()) for w in wanted):
            flags += [word for word in words if word in EMIT]
        yield refusal, tuple(flags), [w.strip() for w in wanted] if refusal else []


def expectations(path, text, name, part):
    lines = list(dict.fromkeys((r, f, tuple(w)) for r, f, w in run_lines(text, name, part)))
    if lines or CALL.search(" ".join(re.findall(r"//\s*RUN:(.*)", text))):
        return lines
    flags = ("--pto-arch=a5",) if re.search(r"A5|_a5_|/vpto/|/vmi|tilelang_st", str(path)) and "target_arch" not in text else ()
    return [(False, flags, ())]


def layer(path, text):
    """The table's rows: whose language a file is written in."""
    if re.search(r"samples/(Deepseek|Qwen)", str(path)):
        return "model kernels"
    if "pto.vmi" in text:
        return "VMI, internal form" if "#pto.vmi" in text else "VMI"
    if "pto.backend" in text:
        return "mixed"
    return "micro" if "vpto" in str(path) else "tile"


def family(path):
    return "/".join(path.parts[:min(3, len(path.parts) - 1)])


class Corpus:
    def __init__(self, options):
        self.bin, self.round_trip, self.results = pathlib.Path(options.bin), options.round_trip, []

    def call(self, *argv):
        return subprocess.run([str(a) for a in argv], stdin=subprocess.DEVNULL, capture_output=True, errors="replace", timeout=60)

    def check_round_trip(self, path, flags, folder):
        first, text, second, again = (folder / n for n in ("a.bin", "a.pto", "b.bin", "b.pto"))
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
        text, relative, made = path.read_text(errors="replace"), path.relative_to(root), []
        for name, part in parts(text):
            lines = expectations(relative, text, name, part)
            with tempfile.TemporaryDirectory(prefix="corpus") as folder:
                self.check_part(path, relative, name, part, lines, pathlib.Path(folder), made)
        return made

    def check_part(self, path, relative, name, part, lines, folder, made):
        source = path
        if name:
            source = folder / "part.pto"
            source.write_text(part)
        for refusal, flags, wanted in lines:
            done = self.call(self.bin / "pto-as", source, *flags, "-o", folder / "a.bin")
            first = next((l for l in done.stderr.splitlines() if "error" in l), done.stderr.strip()[:200])
            file = str(relative) + (f"#{name}" if name else "")
            made.append(dict(file=file, family=family(relative), layer=layer(relative, part), refusal=refusal, flags=" ".join(flags),
                             code=done.returncode, message=first.replace(str(source), path.name), wanted=list(wanted),
                             positive=any(not r for r, _, _ in lines)))
            if self.round_trip and not refusal and done.returncode == 0:
                made[-1]["round_trip"] = self.check_round_trip(source, flags, folder)


def outcome(result):
    if result["code"] == 2 and any(COMMAND.search(w) for w in result["wanted"]):
        return "refused"
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
        table[(result["refusal"], result["family"] if verbose else result["layer"])][what] += 1
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
        if file not in differing:
            known = any(result["file"] == file for result in results)
            print(f"listed as a deviation, but {'it agrees' if known else 'there is no such file'}: {file}")
            bad += 1
    return bad


def diagnostics(text):
    """What --diagnostics json says: a list for each program."""
    decoder, found, at = json.JSONDecoder(), [], 0
    while (at := text.find("[", at)) >= 0:
        several, at = decoder.raw_decode(text, at)
        found += several
    return [(f["severity"], f["id"], f["location"]["line"], f["message"]) for f in found]


def findings_of(options, path, relative, name, part, flags, folder):
    """What pto-as says of synchronisation, and pto-sim of a run; None when nothing is to run."""
    source, kept = path, [f for f in flags if f.startswith(("--pto-arch", "--pto-level", "--sync"))]
    if name:
        source = folder / "part.pto"
        source.write_text(part)
    def call(*argv):
        return subprocess.run([*argv, "--diagnostics", "json", "--max-errors", "0"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", timeout=600)
    static = call(options.bin / "pto-as", source, *kept, "-o", folder / "a.bin")
    found = [f for f in diagnostics(static.stderr) if re.match("[EW]05[01]", f[1])]
    if static.returncode != 0 and not found:
        return None
    ran = call(options.bin / "pto-sim", "profile", "--mode", "check", "--jobs", "1", source, *kept)
    run = [f for f in diagnostics(ran.stderr) if not re.match("E[0-46-9]|E05[2-9]", f[1])]   # what is refused, the other mode compares
    return found + run if ran.returncode in (0, 1) else found or None


def findings(options, jobs):
    """Prints errors that have no reason, how many have one, and warnings by rule; the number of those without."""
    listed = tomllib.loads((ROOT / "asm-tests/corpus/findings.toml").read_text())
    fragments, seen, results = listed["fragments"], set(), []
    def run(job):
        root, path = job
        text, relative, made = path.read_text(errors="replace"), path.relative_to(root), []
        for name, part in parts(text):
            accepted = [flags for refusal, flags, _ in expectations(relative, text, name, part) if not refusal]
            if accepted and (key := hashlib.sha256(part.encode(errors="replace")).digest()) not in seen:
                seen.add(key)
                with tempfile.TemporaryDirectory(prefix="corpus") as folder:
                    found = findings_of(options, path, relative, name, part, accepted[0], pathlib.Path(folder))
                if found is not None:
                    made.append(dict(file=str(relative) + (f"#{name}" if name else ""), found=found,
                                     fragment=str(relative).startswith(tuple(fragments["folders"]))))
        return made
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for made in pool.map(run, jobs):
            results += made
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    return report_findings(results, listed)


def report_findings(results, listed):
    bad, excused, unused = 0, collections.Counter(), set(listed["texts"])
    for result in results:
        reason = listed["texts"].get(result["file"], "")
        kind = "fragments" if result["fragment"] else "programs"
        rules = {rule for severity, rule, *_ in result["found"] if severity == "error"} - {"UNSUPPORTED"}
        excused[kind] += 1
        for rule in sorted(rules):
            known = rule in reason.split(":")[0].split() or result["fragment"] and rule in listed["fragments"]["rules"]
            excused[kind + " with " + rule] += known
            if not known:
                bad += 1
                print(f"no reason: {result['file']}: {next(f for f in result['found'] if f[1] == rule)[1:]}")
        if rules & set(reason.split(":")[0].split()):
            unused.discard(result["file"])
    for file in sorted(unused):
        print(f"listed, but there is no such error: {file}")
    print("errors with a reason: " + ", ".join(f"{count} {what}" for what, count in sorted(excused.items()) if count))
    return bad + len(unused)


def deviations_of(roots):
    """The reasons that hold in these checkouts: a section of its own holds what one of them has, known by a path."""
    listed = tomllib.loads((ROOT / "asm-tests/corpus/deviations.toml").read_text())
    reasons = dict(listed["files"])
    for name, path in listed["checkouts"].items():
        known = any((root / path.removeprefix("!")).exists() != path.startswith("!") for root in roots)
        reasons |= listed[name] if known else {}
    return reasons


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="+", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--findings", action="store_true", help="errors of programs that are right")
    parser.add_argument("--round-trip", action="store_true", help="check as(dis(as(t))) == as(t) and that canonical text is a fixed point")
    parser.add_argument("--json", type=pathlib.Path, help="every result, as JSON")
    parser.add_argument("-v", action="store_true", help="show agreeing files too, with our first message and theirs")
    options = parser.parse_args()
    deviations = deviations_of(options.checkouts)

    corpus, seen, start, jobs = Corpus(options), set(), time.time(), []
    for root in options.checkouts:
        for path in sorted(root.rglob("*.pto")):
            digest = hashlib.sha256(path.read_bytes()).digest()
            if digest not in seen:
                seen.add(digest)
                jobs.append((root, path))
    if options.findings:
        bad = findings(options, jobs)
        print(f"{len(seen)} distinct files; {bad} errors without a reason, or the other way round")
        return 1 if bad else 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for made in pool.map(lambda job: corpus.check(*job), jobs):
            corpus.results += made
    if options.json:
        options.json.write_text(json.dumps(corpus.results, indent=1))
    bad = report(corpus.results, deviations, options.v)
    print(f"{len(seen)} distinct files, {len(corpus.results)} calls, {time.time() - start:.1f} s; {bad} differences without a listed reason, or the other way round")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
