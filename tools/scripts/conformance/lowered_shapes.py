#!/usr/bin/python3
"""Looks for instruction shapes that no lowering of logical vectors should write, in what pto-as --emit=vpto gives.

usage: lowered_shapes.py PTO_AS FILE_OR_CHECKOUT...

Programs that want acceptance are lowered one by one, and what that gives has to assemble. What is not lowered is counted by its reason, which has to be one of
REASONS: those that docs/reference/logical-vectors.md has. SHAPES says what is forbidden, each with a text that has it, which must be found first. Public guard tests beside them (RUN lines with
--implicit-check-not, in test/lit/vmi_new/opt) count for their own file: a line that they forbid may stand as often as their
positive lines name it. Ends with 1 when something forbidden stands somewhere, or something is not lowered for another reason.
"""
import collections, concurrent.futures, importlib.util, os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
LINE = re.compile(r"^\s*(?:(%[^=]+?) = )?pto\.(\w+)\s*(.*?)(?: : .*)?$")


class Op:
    def __init__(self, number, results, name, rest):
        self.number, self.results, self.name, self.rest = number, results, name, rest
        attrs = re.search(r"\{(.*)\}", rest)
        self.attrs = attrs[1] if attrs else ""
        self.inputs = re.findall(r"%[\w.$#-]+", rest.split("{")[0])


class Function:
    """Instructions of one function with who makes and who uses a register; casts of bits are looked through."""
    def __init__(self, lines, first):
        self.ops, self.maker, self.users = [], {}, collections.defaultdict(list)
        for number, line in enumerate(lines, first):
            found = LINE.match(line)
            if not found:
                continue
            results = re.findall(r"%[\w.$#-]+", found[1] or "")
            self.ops.append(Op(number, results, found[2], found[3]))
            for result in results:
                self.maker[result] = self.ops[-1]
            for used in self.ops[-1].inputs:
                self.users[used].append(self.ops[-1])

    def source(self, op, i):
        """What makes input i, behind casts."""
        made = self.maker.get(op.inputs[i]) if i < len(op.inputs) else None
        while made is not None and made.name in ("vbitcast", "pbitcast"):
            made = self.maker.get(made.inputs[0])
        return made

    def all_users(self, value):
        for user in self.users[value]:
            if user.name == "vbitcast":
                yield from self.all_users(user.results[0])
            else:
                yield user

    def only(self, op, wanted):
        users = [user for result in op.results for user in self.all_users(result)]
        return bool(users) and all(user.name in wanted for user in users)


def is_load(op, dist=None):
    return op is not None and op.name == "vlds" and (dist in op.attrs if dist else "dist" not in op.attrs or '"NORM"' in op.attrs)


def part(op, *parts):
    return op is not None and op.name == "vcvt" and any(f'part = "{p}"' in op.attrs for p in parts)


def widened_then_interleaved(f, op):
    a, b = f.source(op, 0), f.source(op, 1)
    return op.name == "vintlv" and part(a, "EVEN") and part(b, "ODD") and a.inputs[0] == b.inputs[0] \
        and is_load(f.maker.get(a.inputs[0])) and all(f.only(made, ("vintlv",)) for made in (a, b))


def packed_before_store(f, op):
    narrow = f.source(op, 0)
    return op.name == "vpack" and (part(narrow, "EVEN", "P0") or narrow is not None and narrow.name == "vpack") and f.only(op, ("vsts",)) \
        and f.only(narrow, ("vpack",))


def quarters_joined_then_packed(f, op):
    def quarters(made):
        if made is not None and made.name == "vor":
            return quarters(f.source(made, 0)) | quarters(f.source(made, 1))
        return {p for p in ("P0", "P1", "P2", "P3") if part(made, p)}
    return op.name == "vpack" and len(quarters(f.source(op, 0))) == 4


def there_and_back(f, op):
    other = {"vintlv": "vdintlv", "vdintlv": "vintlv"}.get(op.name)
    a, b = f.source(op, 0), f.source(op, 1)
    return a is not None and a is b and a.name == other and op.inputs[:2] == a.results


def slots_selected_from_load(f, op):
    index = f.source(op, 1)
    return op.name == "vselr" and is_load(f.source(op, 0)) and index is not None and index.name == "vshrs" and f.only(f.source(op, 0), ("vselr",))


def loads_apart_then_reduced(f, op):
    apart = f.source(op, 0)
    return op.name in ("vcgadd", "vcgmax", "vcgmin") and apart is not None and apart.name == "vdintlv" \
        and apart.inputs[0] != apart.inputs[1] and all(is_load(f.source(apart, i)) and f.only(f.source(apart, i), ("vdintlv",)) for i in (0, 1))


def cleared_before_point_store(f, op):
    def of_one_lane(made):
        return made is not None and made.name == "vdup" and (of := f.source(made, 0)) is not None and of.name in ("vcadd", "vcmax", "vcmin")
    return op.name == "vsel" and (of_one_lane(f.source(op, 0)) or of_one_lane(f.source(op, 1))) and bool(op.results) \
        and any("1PT" in user.attrs for user in f.all_users(op.results[0]))


def scalar_loaded_then_spread(f, op):
    made = f.source(op, 0)
    return op.name == "vdup" and (is_load(made) or is_load(made, "BRC_B")) and f.only(made, ("vdup",))


def wide_side_rearranged(f, op):
    return op.name == "vdintlv" and op.inputs[0] == op.inputs[1] and f.only(op, ("vcvt",)) and all(part(user, "EVEN", "ODD", "P0", "P1", "P2", "P3") and "rnd" in user.attrs for result in op.results for user in f.all_users(result))


def counts_chosen_by_turns(f, op):
    def counted(made):
        while made is not None and made.name in ("vadds", "vmuls", "vands", "vshrs"):
            made = f.source(made, 0)
        return made is not None and (made.name == "vci" or made.name == "vsel" and counted(f.source(made, 0)))
    chained = lambda made: made is not None and made.name == "vsel" and counted(made)
    return op.name == "vsel" and counted(f.source(op, 0)) and counted(f.source(op, 1)) and (chained(f.source(op, 0)) or chained(f.source(op, 1)))


def value_of_its_own(f, op):
    return op.name == "vmi"


SHAPES = {
    "lanes widened by halves and interleaved again, where the load unpacks": (widened_then_interleaved, """
%r = pto.vlds %x[%i] : a -> b
%e = pto.vcvt %r, %m {part = "EVEN"} : a -> b
%o = pto.vcvt %r, %m {part = "ODD"} : a -> b
%l, %h = pto.vintlv %e, %o : a -> b"""),
    "narrowed lanes packed before a store that packs": (packed_before_store, """
%e = pto.vcvt %r, %m {part = "EVEN", rnd = "R"} : a -> b
%b = pto.vbitcast %e : a -> b
%p = pto.vpack %b, "LOWER" : a -> b
pto.vsts %p, %x[%i], %m {dist = "NORM_B16"} : a"""),
    "four quarters joined and then packed": (quarters_joined_then_packed, """
%p0 = pto.vcvt %r, %m {part = "P0"} : a -> b
%p1 = pto.vcvt %s, %m {part = "P1"} : a -> b
%p2 = pto.vcvt %t, %m {part = "P2"} : a -> b
%p3 = pto.vcvt %u, %m {part = "P3"} : a -> b
%j0 = pto.vor %p0, %p1, %m : a -> b
%j1 = pto.vor %j0, %p2, %m : a -> b
%j2 = pto.vor %j1, %p3, %m : a -> b
%b = pto.vbitcast %j2 : a -> b
%k = pto.vpack %b, "LOWER" : a -> b"""),
    "lanes interleaved and taken apart again": (there_and_back, """
%l, %h = pto.vintlv %a, %b : a -> b
%c, %d = pto.vdintlv %l, %h : a -> b"""),
    "slots of groups selected from a load, where the load broadcasts": (slots_selected_from_load, """
%n = pto.vci %c : i32 -> a
%k = pto.vshrs %n, %three, %m : a -> b
%r = pto.vlds %x[%i] : a -> b
%e = pto.vselr %r, %k : a -> b"""),
    "two loads taken apart for a reduction by blocks": (loads_apart_then_reduced, """
%r = pto.vlds %x[%i] : a -> b
%s = pto.vlds %x[%j] : a -> b
%l, %h = pto.vdintlv %r, %s : a -> b
%t = pto.vcgadd %l, %m : a -> b"""),
    "one lane cleaned up before a store of one lane": (cleared_before_point_store, """
%s = pto.vcadd %a, %m : a -> b
%d = pto.vdup %s, %m : a -> b
%c = pto.vsel %d, %z, %m : a -> b
pto.vsts %c, %x[%i], %m {dist = "1PT_B32"} : a"""),
    "a scalar loaded and then spread, where the load broadcasts": (scalar_loaded_then_spread, """
%r = pto.vlds %x[%i] {dist = "BRC_B32"} : a -> b
%d = pto.vdup %r, %m : a -> b"""),
    "wide lanes taken apart before narrowing, where the narrow ones are half as many": (wide_side_rearranged, """
%r = pto.vlds %x[%i] : a -> b
%l, %h = pto.vdintlv %r, %r : a -> b
%e = pto.vcvt %l, %m {part = "EVEN", rnd = "R"} : a -> b
%o = pto.vcvt %h, %m {part = "ODD", rnd = "R"} : a -> b"""),
    "counts of groups chosen one by one": (counts_chosen_by_turns, """
%n = pto.vci %c : i32 -> a
%p = pto.vadds %n, %k, %m : a -> b
%s = pto.vsel %n, %p, %q : a -> b
%t = pto.vsel %s, %p, %r : a -> b"""),
    "an operation on logical values that is left": (value_of_its_own, """
%v = pto.vmi.vadd %a, %b : !pto.vmi.vreg<64xf32>"""),
}


# Functions that do so are lowered and shown, but no text can say it.
AGAIN = "registers across the end of a vector scope"
# What a message says, and the words of docs/reference/logical-vectors.md, "What is not lowered".
REASONS = {
    "hybrid rounding is not supported": "rounding `H`",
    "of a memref, lanes that fill no register": "a memref with fewer lanes than a register",
    "cf.switch is not supported yet": "`cf.switch`",
    "needs 'saturate'": "without `saturate`",
}


def found_in(text):
    """(line, name of the shape) of everything forbidden."""
    lines, found = text.splitlines(), []
    starts = [i for i, line in enumerate(lines) if "func.func" in line] or [0]
    for first, end in zip(starts, starts[1:] + [len(lines)]):
        function = Function(lines[first:end], first + 1)
        found += [(op.number, name) for op in function.ops for name, (wrong, _) in SHAPES.items() if wrong(function, op)]
    return found


def guards(text, emitted):
    """What a public guard test forbids in its own file and how often it stands too often."""
    joined = re.sub(r"\\\n\s*//\s*(RUN:)?", " ", text)
    for line in re.findall(r"//\s*RUN:(.*)", joined):
        if "--emit-vpto" not in line or "FileCheck" not in line:
            continue
        prefix = re.search(r"--check-prefix[= ](\S+)", line)
        wanted = re.findall(r"//\s*%s(-COUNT-\d+|-NOT|-SAME|-DAG)?:(.*)" % (prefix[1] if prefix else "CHECK"), text)
        forbidden = [a or b for a, b in re.findall(r"--implicit-check-not[= ](?:'([^']*)'|(\S+))", line)]
        forbidden += [said.strip() for kind, said in wanted if kind == "-NOT"]
        for what in dict.fromkeys(forbidden):
            allowed = sum(int(kind.split("-")[-1]) if kind.startswith("-COUNT") else 1 for kind, said in wanted if kind != "-NOT" and what in said)
            stands = emitted.count(what)
            if stands > allowed:
                yield f"the file's own guard: {what.strip()!r} stands {stands} times, at most {allowed} are wanted"


def corpus_tool():
    spec = importlib.util.spec_from_file_location("corpus", ROOT / "tools/scripts/conformance/corpus.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def programs(paths):
    """(path, name of a part, text, flags) of what is to be accepted and has logical vectors."""
    corpus = corpus_tool()
    for root in paths:
        for path in sorted(root.rglob("*.pto")) if root.is_dir() else [root]:
            text = path.read_text(errors="replace")
            if "pto.vmi." not in text:
                continue
            for name, part in corpus.parts(text):
                lines = [flags for refusal, flags, _ in corpus.expectations(path, text, name, part) if not refusal]
                if "pto.vmi." in part and lines:
                    yield path, name, part, [flag for flag in lines[0] if not flag.startswith("--pto-arch")]


def lower(pto_as, path, part, flags):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / path.name
        source.write_text(part)
        done = subprocess.run([pto_as, "--target", "a5", "--emit=vpto", str(source), *flags], capture_output=True, text=True, errors="replace", timeout=120)
        error = next((line for line in done.stderr.splitlines() if "error" in line), "")
        if done.returncode == 0:
            source.write_text(done.stdout)
            again = subprocess.run([pto_as, "--target", "a5", str(source), "-o", f"{folder}/a.bin"], capture_output=True, text=True, errors="replace", timeout=120)
            error = next((line for line in again.stderr.splitlines() if "error" in line), "")
    return done.returncode, done.stdout, error


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    bad = 0
    for name, (_, example) in SHAPES.items():
        if name not in {shape for _, shape in found_in(example)}:
            print(f"not recognised: {name}")
            bad += 1
    jobs = list(programs([pathlib.Path(path) for path in sys.argv[2:]]))
    page = " ".join((ROOT / "docs/reference/logical-vectors.md").read_text().split())
    for reason in (*REASONS.values(), AGAIN):
        if reason not in page:
            print(f"docs/reference/logical-vectors.md does not have: {reason}")
            bad += 1
    counts, reasons = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda job: lower(sys.argv[1], job[0], job[2], job[3]), jobs)
        for (path, name, part, _), (code, emitted, error) in zip(jobs, results):
            counts[code] += 1
            file = f"{path}#{name}" if name else str(path)
            if code != 0:
                reason = next((why for message, why in REASONS.items() if message in error), None)
                reasons[reason] += 1
                if reason is None:
                    print(f"{file}: not lowered, exit code {code}: {error}")
                    bad += 1
                continue
            if "E0401" in error or "E0402" in error:
                reasons[AGAIN] += 1
            elif error:
                print(f"{file}: does not assemble again: {error}")
                bad += 1
            for number, shape in found_in(emitted):
                print(f"{file}: {shape}: {emitted.splitlines()[number - 1].strip()}")
                bad += 1
            for problem in guards(path.read_text(errors="replace"), emitted) if path.parent.name == "opt" else ():
                print(f"{file}: {problem}")
                bad += 1
    again = reasons.pop(AGAIN, 0)
    print(f"{len(SHAPES)} shapes looked for in {counts[0]} lowered programs of {len({path for path, *_ in jobs})} files, {again} with {AGAIN}; "
          f"{len(jobs) - counts[0]} are not lowered: " + ", ".join(f"{n} {reason}" for reason, n in reasons.most_common()))
    print(f"{counts[0]} passed, {bad} failed")
    return 1 if bad or not counts[0] else 0


if __name__ == "__main__":
    sys.exit(main())
