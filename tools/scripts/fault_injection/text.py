"""The text of a kernel as the classes of faults see it, and edits of it. Lines keep the number they had in the clean kernel."""
import dataclasses, re

FLAG = re.compile(r'pto\.(set|wait)_flag\s*\[\s*[<"#a-z.]*(PIPE_\w+)>?"?\s*,\s*[<"#a-z.]*(PIPE_\w+)>?"?\s*,\s*[<"#a-z.]*(EVENT_ID(\d+))>?"?\s*\]')
BUFFER = re.compile(r'pto\.(get|rls)_buf\s+"(PIPE_\w+)",\s*(\d+)')
BARRIER = re.compile(r"pto\.barrier\s+[<#a-z.]*(PIPE_\w+)")
SIGNAL = re.compile(r"pto\.(?:sync\.)?(set|wait)(?:_intra_block|_cross_block)?\s+<(PIPE_\w+)>,\s*(\d+)")
COMPUTED_FLAG = re.compile(r'pto\.(set|wait)_flag_dyn\s*\[\s*[<"#a-z.]*PIPE_\w+>?"?\s*,\s*[<"#a-z.]*PIPE_\w+>?"?\s*,\s*(%\w+)\s*\]')
SYNC = re.compile(r"pto\.(set_flag|wait_flag|get_buf|rls_buf|barrier|sync\.|mem_bar|(set|wait)_(intra|cross)_block)")
WORK = re.compile(r"pto\.(t(?!ensor)\w+|mte_\w+|copy_\w+|mad\w*|vecscope|load_scalar|store_scalar|load|store)[ .]")
FOR = re.compile(r"scf\.for (%\w+) = (%\w+) to (%\w+) step (%\w+)(?: : (\w+))?")
PIPES = ["PIPE_MTE2", "PIPE_MTE3", "PIPE_V"]


@dataclasses.dataclass
class Mutant:
    name: str
    kernel: object
    place: int     # index of the line that was edited
    what: str
    lines: list    # of (line number in the clean kernel or 0, text)

    def text(self):
        return "\n".join(text for _, text in self.lines) + "\n"


class Text:
    """A clean kernel with what the classes look for."""

    def __init__(self, lines):
        self.lines = lines
        code = [re.sub(r"//.*", "", l) for l in lines]
        self.code = code
        self.flags = [(i, m[1], m[2], m[3], int(m[5])) for i, l in enumerate(code) if (m := FLAG.search(l))]
        self.buffers = [(i, m[1], m[2], int(m[3])) for i, l in enumerate(code) if (m := BUFFER.search(l))]
        self.barriers = [(i, m[1]) for i, l in enumerate(code) if (m := BARRIER.search(l))]
        self.signals = [(i, m[1], m[2], int(m[3])) for i, l in enumerate(code) if (m := SIGNAL.search(l))]
        self.computed_flags = [(i, m) for i, l in enumerate(code) if (m := COMPUTED_FLAG.search(l))]
        self.mem_bars = [i for i, l in enumerate(code) if "pto.mem_bar" in l]
        self.loops, self.ends = self._blocks()
        self.constants = {m[1]: int(m[2]) for l in code if (m := re.search(r"(%\w+) = arith\.constant (-?\d+) : (?:index|i64|i32)", l))}
        self.kinds = self._kinds()

    def _blocks(self):
        """(first line, last line, match) of scf.for; of every line that opens a block where that ends, with its other branches; by braces."""
        loops, ends, stack = [], {}, []
        for i, line in enumerate(self.code):
            line = re.sub(r"pto\.\w+ \{[^{}]*\}|\{[^{}]*\}", "", line)
            closed = None
            for c in line:
                if c == "{":
                    stack.append((i if closed is None else closed, FOR.search(self.code[i])))
                elif c == "}" and stack:
                    closed, match = stack.pop()
                    ends[closed] = i
                    if match:
                        loops.append((closed, i, match))
        return loops, ends

    def _kinds(self):
        """Types of the integers; "" where functions disagree."""
        kinds = {}
        for line in self.code:
            made = re.match(r"\s*(%\w+) = arith\.(?!cmp)\w+ .*\b(index|i\d+)\s*$", line)
            loop = FOR.search(line)
            found = re.findall(r"(%\w+): (index|i\d+)\b", line) + ([made.groups()] if made else []) + ([(loop[1], loop[5] or "index")] if loop else [])
            for name, kind in found:
                kinds[name] = kind if kinds.get(name, kind) == kind else ""
        return kinds

    def last_of(self, index):
        """The last line of the statement that begins on a line."""
        while index + 1 < len(self.code) and re.match(r"\s*(:|nburst|loop|pad|[a-z_0-9]+\(|outs|nz2|nd2|dn2)", self.code[index + 1]):
            index += 1
        return index

    def first_of(self, index):
        """The first line of the statement that a line belongs to."""
        while index > 0 and self.last_of(index - 1) >= index:
            index -= 1
        return index

    def end_of(self, index):
        """The line where the block ends that a line opens, or the line itself."""
        return self.ends.get(index, index)

    def reached(self, entry):
        """Whether a line is in a function that runs when `entry` does; all are when it names none of several."""
        begins = [(i, m[1]) for i, l in enumerate(self.code) if (m := re.search(r"func\.func (?:public |private )?@([\w.$]+)", l))]
        bodies = {name: range(i, end) for (i, name), end in zip(begins, [i for i, _ in begins[1:]] + [len(self.code)])}
        stem = re.sub(r"_(aic|aiv)$", "", entry)
        todo = [name for name in bodies if entry and re.sub(r"_(mix_)?(aic|aiv)$", "", name) == stem]
        known = set()
        while todo:
            name = todo.pop()
            known.add(name)
            called = re.findall(r"call @([\w.$]+)", "\n".join(self.code[bodies[name].start : bodies[name].stop]))
            todo += [c for c in called if c in bodies and c not in known]
        return lambda place: not known or any(place in bodies[name] for name in known)

    def loop_of(self, index):
        around = [l for l in self.loops if l[0] < index < l[1]]
        return min(around, key=lambda l: l[1] - l[0]) if around else None

    def pairs(self):
        """A set and the wait that follows it in the text."""
        for i, kind, *key in self.flags:
            if kind == "set":
                wait = next((j for j, k, *other in self.flags if j > i and k == "wait" and other == key), None)
                if wait is not None:
                    yield i, wait, key


def edit(text, dropped=(), replaced=None, before=None, after=None):
    """Lines of the mutant: without some, with others, with new ones around some."""
    out = []
    for i, line in enumerate(text.lines):
        out += [(0, l) for l in (before or {}).get(i, [])]
        if i not in dropped:
            out.append((i + 1, (replaced or {}).get(i, line)))
        out += [(0, l) for l in (after or {}).get(i, [])]
    return out


def moved(text, index, to):
    """The line `index` behind the statement of the line `to` (or before it, where that comes first)."""
    lines = [(i + 1, l) for i, l in enumerate(text.lines)]
    line = lines.pop(index)
    lines.insert(text.last_of(to) if to > index else text.first_of(to), line)
    return lines


def dropped(text, index):
    """Without the statement that begins on a line."""
    return edit(text, set(range(index, text.last_of(index) + 1)))


def changed(text, index, span, by=0, times=1, minus=False):
    """Another number in the place of an integer that a statement uses; None where that cannot be told."""
    begin, end = span
    name = text.code[index][begin:end]
    kind, known = text.kinds.get(name), text.constants.get(name)
    if not kind:
        return None
    if known is not None:
        new = int(known * times) + by
        if new == known or new < 0 <= known:
            return None
        made = [f"%sf_v = arith.constant {by - known if minus else new} : {kind}"]
    elif minus:
        made = [f"%sf_by = arith.constant {by} : {kind}", f"%sf_v = arith.subi %sf_by, {name} : {kind}"]
    elif times != 1:
        made = [f"%sf_by = arith.constant {int(max(times, 1 / times))} : {kind}", f"%sf_v = arith.{'muli' if times > 1 else 'divui'} {name}, %sf_by : {kind}"]
    else:
        made = [f"%sf_by = arith.constant {abs(by)} : {kind}", f"%sf_v = arith.{'addi' if by > 0 else 'subi'} {name}, %sf_by : {kind}"]
    line = text.lines[index]
    return edit(text, before={text.first_of(index): made}, replaced={index: line[:begin] + "%sf_v" + line[end:]})


def with_id(line, new):
    return re.sub(r"EVENT_ID\d+", f"EVENT_ID{new}", line)


