"""Runs a kernel under many timings, asks the judge and the tools, and applies the advice of findings."""
import collections, dataclasses, hashlib, itertools, math, os, pathlib, re, shlex, shutil, struct, subprocess, threading, tomllib

from fault_injection import classes, judge, text

# Each is one machine on which the same program must give the same bytes.
TIMINGS = {
    "as configured": [],
    "slow MTE2": ["machine.slow.MTE2=60"],
    "slow MTE1": ["machine.slow.MTE1=60"],
    "slow M": ["machine.slow.M=60"],
    "slow V": ["machine.slow.V=60"],
    "slow FIX": ["machine.slow.FIX=60"],
    "slow MTE3": ["machine.slow.MTE3=60"],
    "slow scalar unit": ["machine.issue_cycles=300", "machine.scalar_cycles=50"],
    "fast MTE2 and MTE3": ["machine.slow.V=40", "machine.slow.M=40", "machine.slow.MTE1=40", "machine.slow.FIX=40"],
    "short queues": ["machine.queue_depth=2"],
}
LEFT = ("0x5a5b5a5b", "0xffc1ffc1")  # what memories hold before the kernel, the second no number in any type: it must make no difference
WIDTHS = {"f64": 8, "i64": 8, "u64": 8, "f32": 4, "i32": 4, "u32": 4, "f16": 2, "bf16": 2, "i16": 2, "u16": 2}
LONGEST = 30  # seconds of one run
ORDER = re.compile("E05[01]")  # rules of synchronisation and order; the others say what is no program
FINDING = re.compile(r"^\S+?:(\d+):\d+: (error|warning)\[([A-Z][A-Z0-9-]*)\]", re.M)
PLACED = re.compile(r"add pto\.(barrier <\w+>) before \S+?:(\d+)|"
                    r"add (pto\.set_flag(?:_dyn)?\[[^\]]*\]) after (?:the [a-z ]+ at )?\S+?:(\d+) and (pto\.wait_flag(?:_dyn)?\[[^\]]*\]) before \S+?:(\d+)"
                    r"( of the next iteration \(set it once before the loop at \S+?:(?P<loop>\d+), wait once after it\))?|"
                    r"add (pto\.mem_bar \"\w+\") between the two|"
                    r"add (pto\.wait_flag(?:_dyn)?\[[^\]]*\]) before \S+?:(\d+): no wait")
OUT_OF_ORDER = {"RACE", "DEADLOCK", "FLAG-LEFT", "CROSS-LEFT", "CROSS-OVERFLOW", "BUF-LEFT", "BUF-DOUBLE", "MEM-BAR"}
PROOF = re.compile(r"^\S+?: (\S+): (proved|counterexample)\b", re.M)
SYNC = r"(pto\.[\w.]+(?:\[[^\]]*\]| \"\w+\", \d+, \d+| <\w+>, \d+(?: \{[^}]*\})?)?)"
ONE = rf"(write|remove|add|move) {SYNC}(?: at \S+?:(\d+)| from \S+?:(\d+))?(?: (before|after)(?: the ([a-z ]+) at)? \S+?:(\d+))?"
WRITTEN = [(kind, re.compile(form)) for kind, form in (
    ("tried", rf"{ONE}(?: and {ONE})*: tried, "),
    ("move", rf"move {SYNC} from \S+?:(\d+) before \S+?:(\d+)"),
    ("operand", r"write (%\w+|-?\d+) in place of (%\w+) at \S+?:(\d+)(?::(\d+))?: "),
    ("remove", rf"remove {SYNC} at \S+?:(\d+)"),
    ("write", rf"write {SYNC} at \S+?:(\d+)"),
    ("both before", rf"add {SYNC} before \S+?:(\d+) and {SYNC} before \S+?:(\d+)"),
    ("placed", r"add (pto\.\w+ .*\)) before \S+?:(\d+): tried, "),
    ("after block", rf"add {SYNC} after the [a-z ]+ at \S+?:(\d+)"),
    ("before", rf"add {SYNC} before \S+?:(\d+)"),
    ("after", rf"add {SYNC} after \S+?:(\d+)"),
    ("round", r"round (%\w+) down to a multiple of (\d+) at \S+?:(\d+)"),
    ("statement", r"(write|remove) (?:%\w+ = )?(pto\..*) at \S+?:(\d+): tried, "),
    ("cache", r"add (pto\.cmo\.cacheinvalid all #pto\.address_space<gm>) (before|after)(?: the [a-z ]+ at)? \S+?:(\d+)"),
    ("put", r".* share bytes: put (%\w+) at (\d+), which is free, in \S+?:(\d+)"))]
EDIT = re.compile(rf"(write|remove) {SYNC} at \S+?:(\d+)")
PTO = re.compile(r'pto\.(?:set|wait)_flag(?:_dyn)?\s*\[[^\]]*\]|pto\.(?:get|rls)_buf\s+"\w+",\s*\d+(?:,\s*\d+)?|pto\.(?:sync\.(?:set|wait)|(?:set|wait)_(?:intra|cross)_block)\s+(?:#pto\.pipe)?<\w+>,\s*\d+(?:\s*\{[^}]*\})?')


@dataclasses.dataclass
class Kernel:
    name: str
    path: pathlib.Path      # of the program's text
    case: pathlib.Path      # of the case file, or None
    argv: list
    outputs: list
    target: str
    entry: str              # kernel that runs; "": the only one
    text: text.Text
    lines: list             # of (number, text)
    dtypes: dict            # of a case: input file -> type of its elements
    expects: dict           # of a case: buffer -> file with what it shall hold
    compared: dict = dataclasses.field(default_factory=dict)  # buffer -> (bytes of an element, what a case selects of it); others as a whole
    text_of_case: str = ""  # with other expectations than the file has
    timings: dict = None    # name -> digests of the outputs
    loose: dict = None      # bytes of them that depend on what memories hold before
    facts: set = None
    warned: set = dataclasses.field(default_factory=set)


@dataclasses.dataclass
class Judged:
    mutant: text.Mutant
    refused: bool = False
    harm: str = ""          # "run: ..", "judge: .." or ""
    static: set = dataclasses.field(default_factory=set)
    check: set = dataclasses.field(default_factory=set)
    run: set = dataclasses.field(default_factory=set)
    warned: set = dataclasses.field(default_factory=set)  # by rules that do not warn of the clean kernel
    in_order: bool = True   # of a miss: the judge sees nothing about order
    proof: str = ""         # of a mutant out of order: "proved" (wrong), "counterexample", "undecided"
    cured: bool = None      # None: the findings have no advice that a machine could follow
    followed: str = ""      # the advice, step by step, and what was said in the end

    @property
    def ids(self):
        return sorted(self.static | self.check | self.run)

    @property
    def missed(self):
        return bool(self.harm) and not self.ids

    @property
    def wrong(self):
        return not self.refused and not self.harm and bool(self.ids)


class Bench:
    def __init__(self, tools, scratch, insert=False, prove=False):
        self.prove = prove
        self.tools, self.scratch, self.numbers, self.lock = tools, scratch, itertools.count(), threading.Lock()
        self.insert, self.inputs = insert, {}

    def call(self, tool, *argv, stream="stderr"):
        try:
            done = subprocess.run([self.tools / tool, *map(str, argv)], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=LONGEST)
        except subprocess.TimeoutExpired:
            return 124, "<run>:1:1: error[HANG]: took too long"
        return done.returncode, getattr(done, stream)

    # ---- kernels

    def clean_kernel(self, path):
        kernel = self.read(path)
        if kernel is None or not any(text.SYNC.search(l) for l in kernel.text.code):
            return None
        work = self.folder(kernel, kernel.lines)
        code, said = self.sim(kernel, work, "check", [])
        errors, _, kernel.warned = self.static(kernel, work)
        if code != 0 or errors:
            return None
        kernel.warned |= self.warnings(said)
        kernel.timings = {}
        for name, settings in TIMINGS.items():
            digests = self.outputs(kernel, work, settings)
            if isinstance(digests, tuple):
                kernel.timings[name] = digests
        first = kernel.timings.get("as configured")
        if first is None or any(digests != first for digests in kernel.timings.values()):
            return None
        if kernel.case is None:
            self.make_case(kernel, work)
        else:
            self.expect(kernel, work)
        work = self.folder(kernel, kernel.lines)
        if self.sim(kernel, work, "run", [])[0] != 0:
            return None
        kernel.loose = self.loose(kernel, work)
        kernel.facts = self.facts(kernel, work, kernel.lines)
        return None if kernel.facts is None else kernel

    def read(self, path):
        if path.suffix == ".toml":
            case = tomllib.loads(path.read_text())
            program = path.parent / os.path.expandvars(case.get("program", ""))
            if program.suffix != ".pto" or not program.exists():
                return None
            entry = case.get("entry", "")
            argv, outputs, found = [], [a["name"] for a in case.get("arg", []) if "shape" in a], path
            expects = {a["name"]: a["expect"] for a in case.get("arg", []) if "expect" in a}
            dtypes = {a["input"]: a.get("dtype") for a in case.get("arg", []) if str(a.get("input")).endswith(".bin")}
            target = case.get("target", "")
            compared = {a["name"]: (WIDTHS.get(a["dtype"], 1), a["select"]) for a in case.get("arg", []) if "select" in a}
        else:
            program, found, argv, target, entry, compared, dtypes, expects = path, None, None, "", "", {}, {}, {}
            for line in re.findall(r"^// RUN: pto-sim %s (.*)$", path.read_text(errors="replace"), re.M):
                if not re.search(r"[|;&>$]|%t|profile|--emit", line):
                    argv = without(shlex.split(line), {"--mode", "--report", "--races"})
                    break
            if argv is None:
                return None
            argv = [self.filled(a) for a in argv]
            outputs = [m[1] for a in argv if (m := re.match(r"(\w+)=\w+\[", a))]
        lines = program.read_text(errors="replace").splitlines()
        lines = [l for l in lines if not re.match(r"\s*//[=|!]", l)]
        if target not in ("a2a3", "a5"):
            m = re.search(r'pto\.target_arch = "(\w+)"', "\n".join(lines))
            target = "a5" if m and m[1] in ("a5", "950") else "a2a3"
        if self.insert and not any(text.SYNC.search(line) for line in lines):
            lines = self.completed(program, target) or lines
        return Kernel(f"{path.parent.name}/{path.stem}", program, found, argv, outputs, target, entry if isinstance(entry, str) else "", text.Text(lines), list(enumerate(lines, 1)), dtypes, expects, compared)

    def make_case(self, kernel, work):
        """A case that expects what the clean kernel has left in its buffers, in the place of arguments of the command line."""
        folder = work / "case"
        folder.mkdir()
        case = ['program = "program.pto"', f'target = "{kernel.target}"']
        rest = iter(kernel.argv)
        kernel.argv = []
        for word in rest:
            m = word == "--arg" and re.match(r"(\w+)=(\w+)(?:\[([\dx]+)\])?(?:(@|:)(.*))?$", next(rest))
            if not m:
                kernel.argv.append(word)
                continue
            case += ["[[arg]]", f'name = "{m[1]}"', f'dtype = "{m[2]}"']
            if not m[3]:
                case.append(f"value = {m[5]}")
                continue
            case.append(f"shape = [{m[3].replace('x', ', ')}]")
            case += [f'input = "{m[5]}"' if m[4] == "@" else f"fill = {m[5]}"] if m[4] else []
            shutil.copy(work / f"out-{m[1]}", folder / f"expect-{m[1]}")
            case.append(f'expect = "expect-{m[1]}"')
        kernel.case = folder / "case.toml"
        kernel.case.write_text("\n".join(case) + "\n")

    def expect(self, kernel, work):
        """Of a case: what the clean kernel leaves of its inputs (see telling) in the place of what the case expects."""
        text = kernel.case.read_text()
        for name, file in kernel.expects.items():
            data, selected = (work / f"out-{name}").read_bytes(), kernel.compared.get(name)
            made = work / f"expect-{name}.bin"
            made.write_bytes(data if selected is None else bytes(b for at, b in enumerate(data) if counts(selected, at)))
            text = re.sub(rf'^(\s*expect\s*=\s*)"{re.escape(file)}"', lambda m: f'{m[1]}"{made}"', text, flags=re.M)
        kernel.text_of_case = text

    def completed(self, program, target):
        """The program with the addresses and flags that the tools put in."""
        done = subprocess.run([self.tools / "pto-as", program, "--emit=pto", f"--target={target}"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return done.stdout.splitlines() if done.returncode == 0 else None

    def filled(self, argument):
        """Inputs of one value say nothing about which bytes were read: others, different in every element and argument."""
        m = re.match(r"((\w+)=(f32|f16|i32)\[([\dx]+)\]):[\d.]+$", argument)
        if not m:
            return argument
        count, form = math.prod(map(int, m[4].split("x"))), {"f32": "f", "f16": "e", "i32": "i"}[m[3]]
        file, salt = self.scratch / f"{m[2]}-{m[3]}-{count}.bin", sum(map(ord, m[2]))
        values = [(7 * (i + salt) % 23 + i // 64 % 5 + 1) * (1 if form == "i" else 0.125) for i in range(count)]
        with self.lock:
            if not file.exists():  # others may be reading it
                file.write_bytes(struct.pack(f"<{count}{form}", *values))
        return f"{m[1]}@{file}"

    def telling(self, file, dtype):
        """Inputs of a case that tell bytes apart: floats are not all one number, and an end of zeros, which nobody could tell from unwritten bytes,
        is what stands before it, again and again."""
        with self.lock:
            if file not in self.inputs:
                data = file.read_bytes()
                if form := {"f16": "e", "f32": "f"}.get(dtype):
                    numbers = struct.unpack(f"<{len(data) // struct.calcsize(form)}{form}", data)
                    scaled = [n * (1 + i // 4 % 5 * 0.25) for i, n in enumerate(numbers)]
                    if all(math.isfinite(n) and abs(n) < 30000 for n in scaled):
                        data = struct.pack(f"<{len(scaled)}{form}", *scaled)
                used = (len(data.rstrip(b"\0")) + 31) // 32 * 32
                if 0 < used <= len(data) - 32:
                    data = (data[:used] * (len(data) // used + 1))[: len(data)]
                self.inputs[file] = self.scratch / f"input-{len(self.inputs)}.bin"
                self.inputs[file].write_bytes(data)
            return self.inputs[file]

    def folder(self, kernel, lines):
        """A folder of its own with the program, and for a case file what stands beside it."""
        work = self.scratch / str(next(self.numbers))
        work.mkdir()
        (work / "program.pto").write_text("\n".join(t for _, t in lines) + "\n")
        if kernel.case:
            for each in kernel.case.parent.iterdir():
                if each.suffix != ".toml" and each.name != "program.pto":
                    (work / each.name).symlink_to(self.telling(each, kernel.dtypes[each.name]) if each.name in kernel.dtypes else each)
            (work / "case.toml").write_text(re.sub(r"^program\s*=.*$", 'program = "program.pto"', kernel.text_of_case or kernel.case.read_text(), count=1, flags=re.M))
        return work

    # ---- runs

    def sim(self, kernel, work, mode, settings, *more):
        sets = [a for s in settings for a in ("--set", s)]
        return self.call("pto-sim", work / ("case.toml" if kernel.case else "program.pto"), *kernel.argv, "--mode", mode, "--races", "new", "--report", "none", *sets, *more)

    def static(self, kernel, work):
        """Errors of the synchronisation checks, and whether anything else refuses the program."""
        flags = [f"--target={kernel.target}"] if kernel.case else []
        code, said = self.call("pto-as", work / "program.pto", "-o", "/dev/null", *flags)
        errors = {i for _, severity, i in FINDING.findall(said) if severity == "error"}
        refused = code not in (0, 1) or any(not ORDER.match(i) for i in errors)
        return {i for i in errors if ORDER.match(i)}, refused, self.warnings(said)

    def loose(self, kernel, work):
        """By buffer, where it is another byte when memories hold other bytes before the run."""
        left = []
        for more in ([], *(["--fill-on-chip", fill] for fill in LEFT)):
            if not isinstance(self.outputs(kernel, work, [], *more), tuple):
                return dict.fromkeys(kernel.outputs, frozenset())
            left.append([(work / f"out-{name}").read_bytes() for name in kernel.outputs])
        return {name: frozenset(i for i, seen in enumerate(zip(*runs)) if len(set(seen)) > 1 and counts(kernel.compared.get(name), i))
                for name, *runs in zip(kernel.outputs, *left)}

    def outputs(self, kernel, work, settings, *more):
        """Digests of the buffers; "hang"; or None when the run tells nothing."""
        files = [work / f"out-{name}" for name in kernel.outputs]
        for file in files:
            file.unlink(missing_ok=True)
        code, said = self.sim(kernel, work, "run", settings, *more, *[a for name, f in zip(kernel.outputs, files) for a in ("--out", f"{name}={f}")])
        ids = {i for _, severity, i in FINDING.findall(said) if severity == "error"}
        if ids & {"DEADLOCK", "HANG", "MAX-CYCLES"}:
            return "hang"
        if code not in (0, 1) or not all(f.exists() for f in files):
            return None
        return tuple(hashlib.sha256(f.read_bytes()).hexdigest() for f in files)

    def facts(self, kernel, work, lines):
        file = work / "events"
        self.sim(kernel, work, "check", [], "--events", file)
        if not file.exists() or file.stat().st_size > 40_000_000:
            return None
        with file.open() as events:
            return judge.judge(events, lines, kernel.target, kernel.entry, self.given(work))

    def given(self, work):
        """The arguments of the case in a folder, None for buffers."""
        values = [a.get("value") for a in tomllib.loads((work / "case.toml").read_text()).get("arg", [])]
        return [value if isinstance(value, int) else None for value in values]

    def harm(self, kernel, work, lines, amounts):
        first = None
        for name, clean in kernel.timings.items():
            got = self.outputs(kernel, work, TIMINGS[name])
            if got == "hang" and name == "short queues":
                continue  # what fits the queues of the chip may need them
            if got == "hang":
                return f"run: hangs, {name}"
            if amounts:
                clean = first = first or got
            if got is not None and got != clean:
                return f"run: other bytes, {name}"
        if any(self.loose(kernel, work)[name] - places for name, places in kernel.loose.items()):
            return "run: bytes that nobody wrote"
        new = self.new_facts(kernel, work, lines, amounts)
        return f"judge: {' '.join(map(str, new[0]))}" if new else ""

    def new_facts(self, kernel, work, lines, amounts):
        """What the clean kernel does not do as well. Of other numbers, more or fewer bytes read say nothing by themselves (runs tell whether they
        matter), nor does a store that is done once more: most put the same bytes there."""
        def says_nothing(fact):
            return amounts and (fact[0] == "never written" or fact[0] == "no mem_bar" and fact[1] == fact[2])
        facts = (self.facts(kernel, work, lines) or set()) - kernel.facts
        return sorted((f for f in facts if not says_nothing(f)), key=str)

    # ---- what the tools say

    def judge(self, mutant):
        kernel, result = mutant.kernel, Judged(mutant)
        work = self.folder(kernel, mutant.lines)
        result.static, result.refused, result.warned = self.static(kernel, work)
        if result.refused:
            return result
        code, said = self.sim(kernel, work, "check", [])
        if code not in (0, 1):
            result.refused = True
            return result
        result.check = self.errors(said)
        result.warned = (result.warned | self.warnings(said)) - kernel.warned
        result.run = self.errors(self.sim(kernel, work, "run", [])[1])
        amounts = mutant.name in classes.AMOUNTS
        result.harm = "judge: no such id" if mutant.name in classes.CERTAIN else self.harm(kernel, work, mutant.lines, amounts)
        if result.missed:
            result.in_order = all(fact[0] == "never written" for fact in self.new_facts(kernel, work, mutant.lines, amounts))
        if self.prove and result.harm and (result.check | result.run) & OUT_OF_ORDER:
            result.proof = self.proof(kernel, work)
        if result.harm and result.check:
            result.cured, result.followed = self.cure(kernel, mutant.lines, said, amounts)
        return result

    def proof(self, kernel, work):
        """What the proof over all inputs says of it, one of which has shown the contrary."""
        said = self.call("pto-sim", "prove", work / "program.pto", f"--target={kernel.target}", "--sync=explicit", "--max-errors=0", stream="stdout")[1]
        of = [word for name, word in PROOF.findall(said) if not kernel.entry or name == kernel.entry]
        return of[0] if len(of) == 1 else "undecided"

    @staticmethod
    def warnings(said):
        return {i for _, severity, i in FINDING.findall(said) if severity == "warning"}

    @staticmethod
    def errors(said):
        return {i for _, severity, i in FINDING.findall(said) if severity == "error"} - {"MISMATCH"}

    def cure(self, kernel, lines, said, amounts):
        """Does what the findings advise, until they are gone and the values are right; None when the first findings advise nothing a machine can do."""
        followed = ""
        for turn in range(6):
            advised = advice(said)
            if not advised:
                return None if turn == 0 else False, followed + said
            followed += f"* {advised[0][1][0]}\n"
            try:
                lines = applied(lines, advised[0])
            except LookupError as error:
                return False, f"{followed}{error}\n{said}"
            work = self.folder(kernel, lines)
            code, said = self.sim(kernel, work, "check", [])
            if code == 0:
                code, said = self.sim(kernel, work, "run", [])
                return code == 0 or amounts and not self.errors(said), followed + said
        return False, followed + said


def counts(selected, place):
    """Whether a byte of a buffer belongs to what a case compares."""
    if selected is None:
        return True
    width, select = selected
    at = place // width - select.get("offset", 0)
    row, column = divmod(at, select.get("stride", select["cols"]))
    return 0 <= row < select["rows"] and column < select["cols"]


def advice(said):
    found = []
    for part in re.split(r"^(?=\S+?:\d+:\d+: (?:error|warning)\[)", said, flags=re.M):
        head, help_ = FINDING.match(part), PLACED.search(part)
        if not head or head[2] != "error":
            continue
        if help_:
            found.append((int(head[1]), help_))
        elif line := re.search(r"^\s*help: (.*)$", part, re.M):
            found += [(kind, m) for kind, form in WRITTEN if (m := form.match(line[1]))][:1]
    if found and found[0][0] == "remove":  # a set that nobody waits for: rather the wait
        found.sort(key=lambda step: isinstance(step[0], str) or not step[1][10])
    return found


def applied(lines, step):
    at, m = step
    lines = list(lines)
    if isinstance(at, str):
        return written(lines, at, m)
    if m[1]:
        return inserted(lines, {int(m[2]) - 1: [f"pto.{m[1]}"]}, {})
    if m[9]:
        return inserted(lines, {at - 1: [m[9]]}, {})
    block = text.Text([t for _, t in lines])
    if m[10]:
        return inserted(lines, {int(m[11]) - 1: [m[10]]}, {})
    after, before = block.end_of(int(m[4]) - 1), int(m[6]) - 1
    if not m["loop"]:
        return inserted(lines, {before: [m[5]]}, {after: [m[3]]})
    loop = int(m["loop"]) - 1
    around = {loop: [m[3]], before: [m[5]]}
    return inserted(lines, around, {after: [m[3]], block.end_of(loop): [m[5]]})


def written(lines, kind, m):
    """Lines are those of the program that the finding is about."""
    if kind == "put":
        return put(lines, int(m[3]) - 1, m[2])
    if kind == "round":
        return rounded(lines, int(m[3]) - 1, m[1], m[2])
    if kind == "operand":
        return exchanged(lines, int(m[3]) - 1, m[4] and int(m[4]) - 1, m[2], m[1])
    block = text.Text([t for _, t in lines])
    if kind == "statement":
        at = int(m[3]) - 1
        return lines[:at] + [(lines[at][0], m[2] if m[1] == "write" else "")] + lines[block.last_of(at) + 1:]
    if kind == "cache":
        at = int(m[3]) - 1
        return inserted(lines, {at: [m[1]]}, {}) if m[2] == "before" else inserted(lines, {}, {block.end_of(at): [m[1]]})
    if kind == "tried":
        return tried(lines, block, m[0])
    at = int(m[2]) - 1
    if kind == "move":
        moved = dict.fromkeys([int(m[3]) - 1], [m[1]])
        return inserted([line if i != at else (line[0], PTO.sub("", line[1])) for i, line in enumerate(lines)], moved, {})
    if kind in ("remove", "write"):
        wanted = {int(n) - 1: new if what == "write" else "" for what, new, n in EDIT.findall(m.string)}
        return [(line[0], PTO.sub(wanted[i], line[1])) if i in wanted else line for i, line in enumerate(lines)]
    if kind == "both before":
        return inserted(lines, {at: [m[1]], int(m[4]) - 1: [m[3]]}, {})
    if kind == "after block":
        return inserted(lines, {}, {block.end_of(at): [m[1]]})
    return inserted(lines, {at: [m[1]]}, {}) if kind == "before" else inserted(lines, {}, {at: [m[1]]})


def tried(lines, block, advice):
    """Several edits at once."""
    changed, before, after = list(lines), {}, {}
    for what, statement, at, source, side, structure, place in re.findall(ONE, advice):
        if at or source:
            line = int(at or source) - 1
            changed[line] = (changed[line][0], PTO.sub(statement if what == "write" else "", changed[line][1]))
        if place:
            line = int(place) - 1
            (before if side == "before" else after).setdefault(block.end_of(line) if structure else line, []).append(statement)
    return inserted(changed, before, after)


def put(lines, at, address):
    """The tile or pointer that a line makes, at another address."""
    number, line = lines[at]
    name = f"%sf_put{address}"
    moved = re.sub(r"(addr\s*=\s*|castptr )%\w+", rf"\g<1>{name}", line, count=1)
    return lines[:at] + [(0, f"{name} = arith.constant {address} : i64"), (number, moved)] + lines[at + 1:]


def exchanged(lines, at, column, wrong, right):
    """An operand of a line, in one place of it or wherever it is named: another value, or a number."""
    number, line = lines[at]
    made = []
    if not right.startswith("%"):
        right, made = f"%sf_number{at}_{column}", [(0, f"%sf_number{at}_{column} = arith.constant {right} : {kind_of(lines, wrong)}")]
    rest = line[column or 0:]
    if not re.search(rf"{wrong}\b", rest) if column is None else not re.match(rf"{wrong}\b", rest):
        raise LookupError(f"no {wrong} at {column} of {line}")
    new = line[:column or 0] + re.sub(rf"{wrong}\b", right, rest, count=0 if column is None else 1)
    begin = text.Text([t for _, t in lines]).first_of(at)
    return lines[:begin] + made + lines[begin:at] + [(number, new)] + lines[at + 1:]


def kind_of(lines, name):
    known = re.search(rf"{name} = .* : (?:\w+ to )?(index|i\d+)\b", "\n".join(t for _, t in lines)) or re.search(rf"{name}: (index|i\d+)", "\n".join(t for _, t in lines))
    return known[1] if known else "index"


def rounded(lines, at, name, step):
    """A number that a line uses, a multiple of `step` not above it."""
    number, line = lines[at]
    kind, new = kind_of(lines, name), f"%sf_round{at}"
    made = [f"{new}_s = arith.constant {step} : {kind}", f"{new}_r = arith.remui {name}, {new}_s : {kind}", f"{new} = arith.subi {name}, {new}_r : {kind}"]
    return lines[:at] + [(0, t) for t in made] + [(number, re.sub(rf"{name}\b", new, line))] + lines[at + 1:]


def inserted(lines, before, after):
    out = []
    for i, line in enumerate(lines):
        out += [(0, t) for t in before.get(i, [])] + [line] + [(0, t) for t in after.get(i, [])]
    return out


def without(argv, options):
    out, skip = [], False
    for each in argv:
        if skip or each in options:
            skip = not skip and each in options
            continue
        out.append(each)
    return out
