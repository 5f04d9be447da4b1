"""Whether a run had accesses that nothing orders, from the events that `pto-sim --events` writes: vector clocks over pipes of our own.

judge() gives facts; a mutant is harmful when it has one that the clean kernel has not. Lines in facts are those of the clean kernel.
"""
import bisect, collections, json, re

# Bytes on the chip, from the public headers.
SIZES = {"a2a3": {"ub": 196608, "l1": 524288, "l0a": 65536, "l0b": 65536, "l0c": 131072, "bt": 1024, "fb": 2048},
         "a5": {"ub": 262144, "l1": 524288, "l0a": 65536, "l0b": 65536, "l0c": 262144, "bt": 4096, "fb": 4096}}
LEAVES = re.compile(r"sync\.set|set_intra|set_cross|tpush")


class Memory:
    """Parts of a memory, each with the last write and the reads since."""

    def __init__(self):
        self.starts, self.cells = [0], [(None, {})]

    def _split(self, at):
        i = bisect.bisect_left(self.starts, at)
        if i == len(self.starts) or self.starts[i] != at:
            write, reads = self.cells[i - 1]
            self.starts.insert(i, at)
            self.cells.insert(i, (write, dict(reads)))
        return i

    def parts(self, begin, end):
        first = self._split(begin)
        return range(first, self._split(end))


def ranges(e):
    if e["rows"] == 0 or e["row_bytes"] == 0:
        return []
    if e["rows"] == 1 or e["pitch"] in (0, e["row_bytes"]):
        return [(e["addr"], e["addr"] + e["row_bytes"] * (1 if e["pitch"] == 0 else e["rows"]))]
    return [(e["addr"] + r * e["pitch"], e["addr"] + r * e["pitch"] + e["row_bytes"]) for r in range(e["rows"])]


class Judge:
    def __init__(self, lines, target):
        self.lines, self.overlaps = lines, target == "a2a3"  # lines: (line of the clean kernel, text)
        self.sizes = SIZES.get(target, {})
        self.seen = collections.defaultdict(dict)    # thread -> thread -> last epoch that happened before
        self.epoch = collections.defaultdict(lambda: 1)
        self.tokens, self.pending = {}, {}
        self.memories = collections.defaultdict(Memory)
        self.arguments, self.facts, self.left = [], set(), collections.Counter()
        self.sets, self.waits = collections.defaultdict(list), collections.defaultdict(list)
        self.scopes, self.blocks, self.dependent = {}, {}, {}

    def line(self, e):
        return self.lines[e["line"] - 1][0] if 0 < e["line"] <= len(self.lines) else 0

    def text(self, e):
        return self.lines[e["line"] - 1][1] if 0 < e["line"] <= len(self.lines) else ""

    def run(self, events):
        for text in events:
            e = json.loads(text)
            getattr(self, "on_" + e["event"])(e)
        for key, sets in self.sets.items():
            if len(sets) > len(self.waits[key]):
                self.facts.add(("flag left", *key[1:]))
        for token, e in self.pending.items():
            self.left[self.line(e)] += 1
        self.facts |= {("signal left", line, count) for line, count in self.left.items()}
        return self.facts

    def on_core(self, e):
        self.blocks[e["core"]] = e["block"]

    def on_argument(self, e):
        self.arguments.append((e["addr"], e["addr"] + e["bytes"]))

    def on_finish(self, e):
        pass

    # ---- order

    def on_release(self, e):
        thread = (e["from_core"], e["from"])
        if e["flag"] >= 0:
            key, waits = (e["from_core"], e["from"], e["to"], e["flag"]), self.waits
            before = len(self.sets[key])
            if before > len(waits[key]):
                self.facts.add(("set twice", self.line(e)))
            elif before:
                waiter, epoch = waits[key][before - 1]
                if waiter != thread and self.seen[thread].get(waiter, 0) < epoch:
                    self.facts.add(("set before the wait is known", self.line(e)))
            self.sets[key].append(e["line"])
        own = self.epoch[thread]
        self.epoch[thread] = own + 1
        clock = dict(self.seen[thread])
        clock[thread] = own
        if e["token"] in self.tokens:  # a meeting
            clock = merged(self.tokens[e["token"]], clock)
        self.tokens[e["token"]] = clock
        if LEAVES.search(self.text(e)) and e["from"] != "S":
            self.pending[e["token"]] = e

    def on_acquire(self, e):
        thread = (e["to_core"], e["to"])
        clock = self.tokens.get(e["token"])
        self.pending.pop(e["token"], None)
        if clock is not None:
            self.seen[thread] = merged(self.seen[thread], clock)
        if e["flag"] >= 0:
            self.waits[(e["from_core"], e["from"], e["to"], e["flag"])].append((thread, self.epoch[thread]))
        elif e["from"] == "S" and e["to"] == "V":
            self.epoch[thread] += 1  # another instruction

    def ordered(self, before, thread):
        if before[0] == thread and not (self.overlaps and thread[1] == "V" and before[1] != self.epoch[thread]):
            return True
        return self.seen[thread].get(before[0], 0) >= before[1]

    # ---- accesses

    def on_read(self, e):
        self.access(e, False, False)

    def on_write(self, e):
        self.access(e, True, False)

    def on_update(self, e):
        self.access(e, True, True)

    def access(self, e, write, update):
        thread, line = (e["core"], e["pipe"]), self.line(e)
        gm = e["space"] == "gm"
        memory = self.memories["gm" if gm else (e["home"], e["space"])]
        now = (thread, self.epoch[thread], line, update)
        if e["space"] == "ub" and e["pipe"] in ("MTE2", "MTE3") and e["addr"] % 32:
            self.facts.add(("misaligned", line))
        for begin, end in ranges(e):
            inside = any(a <= begin and end <= b for a, b in self.arguments) if gm else end <= self.sizes.get(e["space"], end)
            if not inside:
                self.facts.add(("beyond its buffer", line))
            for i in memory.parts(begin, end):
                last, reads = memory.cells[i]
                for before in ([last] if last and not (write and e["space"] == "none") else []) + (list(reads.values()) if write else []):
                    if not (gm and update and before[3]) and not self.ordered(before, thread):
                        self.conflict(before, now, e)
                if not write and last is None and not gm:
                    self.facts.add(("never written", line))
                if write:
                    memory.cells[i] = (now, {})
                else:
                    reads[(thread, now[1] if self.overlaps and thread[1] == "V" else 0)] = now
        if e["core"] in self.scopes and e["pipe"] == "V":
            self.scope_access(e, write, line)

    def conflict(self, before, now, e):
        cores = before[0][0], now[0][0]
        if cores[0] != cores[1] and before[2] == now[2] and self.blocks.get(cores[0]) == self.blocks.get(cores[1]):
            return  # both vector cores write the same
        self.facts.add(("unordered", e["space"], *sorted((before[2], now[2]))))

    # ---- vector functions: registers and mem_bar order accesses

    def on_scope(self, e):
        self.scopes[e["core"]] = []

    def on_scope_end(self, e):
        self.scopes.pop(e["core"], None)

    def on_mem_bar(self, e):
        kind = re.search(r"[A-Z]+_[A-Z]+", self.text(e))
        if e["core"] in self.scopes and kind:
            self.scopes[e["core"]].append(kind[0])

    def scope_access(self, e, write, line):
        scope = self.scopes[e["core"]]
        if len(scope) > 1000:
            return
        mine, before, bars = ranges(e), set(), []
        for i in range(len(scope) - 1, -1, -1):
            if isinstance(scope[i], str):
                bars.append(scope[i])
                continue
            their, their_write, their_line, their_text, their_before = scope[i]
            if "pto.vmi." in their_text and "pto.vmi." in self.text(e):
                continue  # logical vectors are in the order of the program
            if "_scalar" in their_text and "_scalar" in self.text(e):
                continue  # the scalar unit is in order
            direct = any(covers(bar, their_write, write) for bar in bars) or (
                write and not their_write and self.follows(self.text(e), their_text))
            if direct or i in before:
                before |= {i} | their_before
            elif (write or their_write) and any(a < d and c < b for a, b in mine for c, d in their):
                self.facts.add(("no mem_bar", their_line, line))
        scope.append((mine, write, line, self.text(e), before))

    def follows(self, store, load):
        if (store, load) not in self.dependent:
            self.dependent[store, load] = self.depends(store, load)
        return self.dependent[store, load]

    def depends(self, store, load):
        """The stored register comes from what the load gave."""
        wanted, made = re.search(r"pto\.(?:[vp]|store_scalar)\w* (%\w+)", store), re.match(r"\s*(%\w+)", load)
        if not wanted or not made:
            return False
        todo, known = [wanted[1]], set()
        while todo:
            name = todo.pop()
            if name == made[1]:
                return True
            if name not in known:
                known.add(name)
                for i, (_, text) in enumerate(self.lines):
                    if (m := re.match(r"\s*(%\w+(?:, %\w+)*)(?::\d+)? = (.*?)(?: :|$)", text)) and name in m[1].split(", "):
                        todo += self.carried(i) if m[2].startswith("scf.") else re.findall(r"%\w+", m[2])
                    elif re.search(rf"{name} = %\w+", text):  # a value that a loop carries
                        todo += self.carried(i)
        return False

    def carried(self, at):
        """The values that go into a loop or a branch which begins on a line or the one before, and those that its blocks give."""
        names, depth, opened = [], 0, False
        for _, text in self.lines[at:]:
            if not opened or "scf.yield" in text:
                names += re.findall(r"%\w+", text)
            depth += text.count("{") - text.count("}")
            opened |= "{" in text
            if opened and depth <= 0:
                break
        return names


def covers(bar, first_write, second_write):
    if bar.startswith("VV_"):
        return True
    return bar == f"{'VST' if first_write else 'VLD'}_{'VST' if second_write else 'VLD'}"


def merged(one, other):
    out = dict(one)
    for thread, epoch in other.items():
        if out.get(thread, 0) < epoch:
            out[thread] = epoch
    return out


def text_facts(lines, target):
    """What stands in the text: gets of a buffer id without a release leave it taken for the next kernel. A transfer that is not carried out has
    no event: bursts to the tables of bias and scales take 32 bytes each at least."""
    count, numbers, facts = collections.Counter(), {}, set()
    for line, text in lines:
        if m := re.match(r"\s*(%\w+) = arith\.constant (\d+) :", text):
            numbers[m[1]] = int(m[2])
        if m := re.search(r"pto\.mte_l1_(bt|fb)\b.*nburst\((%\w+)", text):
            if numbers.get(m[2], 0) * 32 > SIZES.get(target, {}).get(m[1], 1 << 62):
                facts.add(("beyond its buffer", line))
        if m := re.search(r'pto\.(get|rls)_buf\s+"(PIPE_\w+)",\s*(\d+)', text.split("//")[0]):
            count[m[2], m[3]] += 1 if m[1] == "get" else -1
    return facts | {("buffer kept", *key, n) for key, n in count.items() if n}


def judge(events, lines, target):
    return Judge(lines, target).run(events) | text_facts(lines, target)
