"""Whether a run had accesses that nothing orders, from the events that `pto-sim --events` writes: vector clocks over pipes of our own.

judge() gives facts; a mutant is harmful when it has one that the clean kernel has not. Lines in facts are those of the clean kernel.
"""
import bisect, collections, json, re

from fault_injection import reckon

# Bytes on the chip, from the public headers.
SIZES = {"a2a3": {"ub": 196608, "l1": 524288, "l0a": 65536, "l0b": 65536, "l0c": 131072, "bt": 1024, "fb": 2048},
         "a5": {"ub": 262144, "l1": 524288, "l0a": 65536, "l0b": 65536, "l0c": 262144, "bt": 4096, "fb": 4096}}
# What the scalar unit does to GM through its data cache, and how much of it that takes at once.
CACHED = re.compile(r"(?:pto|memref)\.(?:load|store)(?:_scalar)?\b")
LINE = 64
# What an instruction takes from a register that an earlier kernel has left: instruction, register, what says that it does.
LEFT_OVER = [("copy_gm_to_ubuf", "set_loop1_stride_outtoub", "set_loop_size_outtoub"), ("copy_gm_to_ubuf", "set_loop2_stride_outtoub", "set_loop_size_outtoub"),
             ("copy_ubuf_to_gm", "set_loop1_stride_ubtoout", "set_loop_size_ubtoout"), ("copy_ubuf_to_gm", "set_loop2_stride_ubtoout", "set_loop_size_ubtoout"),
             ("copy_gm_to_cbuf", "set_loop1_stride_outtol1", "set_loop_size_outtol1"), ("copy_gm_to_cbuf", "set_loop2_stride_outtol1", "set_loop_size_outtol1"),
             ("copy_gm_to_cbuf_multi", "set_mte2_nz_para", ""), ("copy_gm_to_ubuf", "set_mov_pad_val", "true")]
TRANSFERS = ("MTE1", "MTE2", "MTE3")
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


class Cache:
    """The lines of one scalar unit's data cache: when they came, and which bytes were stored there."""

    def __init__(self):
        self.lines, self.dirty = {}, {}

    def fill(self, begin, end, now):
        for line in range(begin // LINE, (end - 1) // LINE + 1):
            self.lines.setdefault(line, now)

    def clean(self, lines):
        stored = [at for at in self.dirty if at // LINE in lines]
        for at in stored:
            del self.dirty[at]
        for line in lines:
            self.lines.pop(line, None)
        return stored


class Judge:
    def __init__(self, lines, target):
        self.lines, self.overlaps = lines, target == "a2a3"  # lines: (line of the clean kernel, text)
        self.sizes = SIZES.get(target, {})
        self.seen = collections.defaultdict(dict)    # thread -> thread -> last epoch that happened before
        self.epoch = collections.defaultdict(lambda: 1)
        self.tokens, self.pending = {}, {}
        self.memories = collections.defaultdict(Memory)
        self.arguments, self.facts, self.left = [], set(), collections.Counter()
        self.sets, self.waits = collections.Counter(), collections.Counter()
        self.scopes, self.blocks, self.dependent = {}, {}, {}
        self.entry = collections.Counter()           # thread -> instructions so far
        self.sources = {}                            # thread -> its last instruction that read, and what it read last
        self.issued = set()                          # tokens of those that have not begun
        self.caches, self.in_memory, self.count = collections.defaultdict(Cache), {}, 0

    def line(self, e):
        return self.lines[e["line"] - 1][0] if 0 < e["line"] <= len(self.lines) else 0

    def text(self, e):
        return self.lines[e["line"] - 1][1] if 0 < e["line"] <= len(self.lines) else ""

    def run(self, events):
        for text in events:
            e = json.loads(text)
            getattr(self, "on_" + e["event"])(e)
        for key, sets in self.sets.items():
            if sets > self.waits[key]:
                self.facts.add(("flag left", *key[1:]))
        for token, e in self.pending.items():
            self.left[self.line(e), e["to_core"]] += 1
        self.facts |= {("signal left", *where, count) for where, count in self.left.items()}
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
        if e["flag"] >= 0:  # that a flag is set twice is no harm: it keeps its sets, or its pipe waits (docs/decisions.md)
            self.sets[e["from_core"], e["from"], e["to"], e["flag"]] += 1
        own = self.epoch[thread]
        self.epoch[thread] = own + 1
        clock = dict(self.seen[thread])
        clock[thread] = own
        if e["issue"]:
            self.issued.add(e["token"])
        elif e["from"] == "S":  # what it has stored is there by then
            stores = (e["from_core"], "stores")
            clock[stores] = self.epoch[stores]
            self.epoch[stores] += 1
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
        if e["token"] in self.issued:
            self.issued.remove(e["token"])
            self.entry[thread] += 1
        if e["flag"] >= 0:
            self.waits[e["from_core"], e["from"], e["to"], e["flag"]] += 1
        elif e["from"] == "S" and e["to"] == "V":
            self.epoch[thread] += 1  # another instruction

    def ordered(self, before, thread):
        if thread[1] in ("S", "stores") and before[0][0] == thread[0] and before[0][1] in ("S", "stores"):
            return True
        if thread[1] == "stores":
            thread = (thread[0], "S")
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

    def on_beyond(self, e):
        if not all(self.inside(e, begin, end) for begin, end in ranges(e)):
            self.facts.add(("beyond its buffer", self.line(e)))

    def inside(self, e, begin, end):
        if e["space"] == "gm":
            return any(a <= begin and end <= b for a, b in self.arguments)
        return 0 <= begin and end <= self.sizes.get(e["space"], end)

    def access(self, e, write, update):
        thread, line = (e["core"], e["pipe"]), self.line(e)
        entry = (thread, self.entry[thread])
        gm = e["space"] == "gm"
        if gm:
            self.through_caches(e, write, update, line)
        if write and e["pipe"] == "S":
            thread = (e["core"], "stores")
        memory = self.memories["gm" if gm else (e["home"], e["space"])]
        now = (thread, self.epoch[thread], line, update, entry)
        source = self.sources.get(entry[0]) if write and e["pipe"] in TRANSFERS else None
        if not write:
            self.sources[entry[0]] = (entry, e)
        source = source[1] if source and source[0] == entry and source[1]["rows"] == e["rows"] else None
        if source and e["rows"] > 1 and abs(e["pitch"]) < e["row_bytes"] and e["pitch"] != source["pitch"] and not update:
            self.facts.add(("written twice by one transfer", line))
        if e["space"] == "ub" and e["pipe"] in ("MTE2", "MTE3") and (e["addr"] % 32 or e["rows"] > 1 and e["pitch"] % 32):
            self.facts.add(("misaligned", line))
        for begin, end in ranges(e):
            if not self.inside(e, begin, end):
                self.facts.add(("beyond its buffer", line))
            for i in memory.parts(begin, end):
                last, reads = memory.cells[i]
                shift = e["addr"] - source["addr"] if source and source["pitch"] == e["pitch"] else None
                if write and not update and last and last[4] == entry and e["pipe"] in TRANSFERS and (shift is None or last[5] != shift):
                    self.facts.add(("written twice by one transfer", line))
                for before in ([last] if last and not (write and e["space"] == "none") else []) + (list(reads.values()) if write else []):
                    if not (gm and update and before[3]) and not self.ordered(before, thread):
                        self.conflict(before, now, e)
                if not write and last is None and not gm:
                    self.facts.add(("never written", line))
                if write:
                    memory.cells[i] = ((*now, shift), {})
                else:
                    reads[(thread, now[1] if self.overlaps and thread[1] == "V" else 0)] = now
        if e["core"] in self.scopes and e["pipe"] == "V":
            self.scope_access(e, write, line)

    def through_caches(self, e, write, update, line):
        """Loads of lines from before a write that they have not heard of, and whatever looks in memory for what is still in a cache."""
        self.count += 1
        core, cached = e["core"], e["pipe"] == "S" and CACHED.search(self.text(e))
        for begin, end in ranges(e):
            for other, cache in self.caches.items():
                if not (cached and other == core) and not (write and not update) and any(begin <= at < end for at in cache.dirty):
                    self.facts.add(("still in a cache", line))
            if cached:
                mine = self.caches[core]
                if not write and any(self.in_memory.get(at, 0) > mine.lines.get(at // LINE, self.count) for at in range(begin, end)):
                    self.facts.add(("stale", line))
                mine.fill(begin, end, self.count)
                if write:
                    mine.dirty.update(dict.fromkeys(range(begin, end), line))
            elif write:
                held = {line for cache in self.caches.values() for line in cache.lines if line * LINE < end and begin < (line + 1) * LINE}
                for line_held in held:
                    self.in_memory.update(dict.fromkeys(range(max(begin, line_held * LINE), min(end, (line_held + 1) * LINE)), self.count))

    def on_clean(self, e):
        self.count += 1
        cache = self.caches[e["core"]]
        lines = set(cache.lines) if e["all"] else {e["addr"] // LINE}
        self.in_memory.update(dict.fromkeys(cache.clean(lines), self.count))

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


def left_over(lines):
    """Registers that an instruction takes something from and that the text never writes."""
    text = [t.split("//")[0] for _, t in lines]
    written = {m[1] for t in text if (m := re.search(r"pto\.(set_\w+)", t))}
    ones = {m[1] for t in text if (m := re.match(r"\s*(%\w+) = arith\.constant (?:1 :|true)", t))}
    yes = {m[1] for t in text if (m := re.match(r"\s*(%\w+) = arith\.constant true", t))}
    facts = set()
    for instruction, register, says in LEFT_OVER:
        for line, t in lines:
            if not re.search(rf"pto\.{instruction}", t) or register in written:
                continue
            sizes = [re.findall(r"%\w+", s.split(" : ")[0]) for s in text if says.startswith("set_") and f"pto.{says} " in s]
            place = 0 if "loop2" in register else 1
            if says == "" or says == "true" and any(y in t for y in yes) or any(len(s) == 2 and s[place] not in ones for s in sizes):
                facts.add(("a register that an earlier kernel has left", line, register))
    return facts


def text_facts(lines, target, entry, given):
    """What stands in the text: gets of a buffer id without a release leave it taken for the next kernel. A transfer that is not carried out has
    no event: bursts to the tables of bias and scales take 32 bytes each at least."""
    code = [text.split("//")[0] for _, text in lines]
    count, numbers, facts = collections.Counter(), reckon.Numbers(code, entry, given), left_over(lines)
    for line, text in lines:
        if m := re.search(r"pto\.mte_l1_(bt|fb)\b.*nburst\((%\w+)", text):
            if (numbers.get(m[2]) or 0) * 32 > SIZES.get(target, {}).get(m[1], 1 << 62):
                facts.add(("beyond its buffer", line))
        if m := re.search(r'pto\.(get|rls)_buf(?:_dyn)?\s+"(PIPE_\w+)",\s*(\d+|%\w+)', text.split("//")[0]):
            count[m[2], m[3]] += 1 if m[1] == "get" else -1
    return facts | {("buffer kept", *key, n) for key, n in count.items() if n} | too_much_valid(lines, code, numbers)


def too_much_valid(lines, code, numbers):
    """Tiles of which more is valid than they have, where the text says so: no instruction can touch that, so no event shows it. Expansions of rows
    neither of whose sources has the valid region of the destination, which the public headers assert."""
    types, valid, facts = {}, {}, set()
    for (line, _), text, after in zip(lines, code, [*code[1:], ""]):
        text += after if re.match(r"\s*:", after) else ""
        if m := re.match(r"\s*(!\w+) = (!pto\.tile_buf<.*)", text):
            types[m[1]] = m[2]
        if m := re.search(r"pto\.trowexpand[a-z]+ ins\((%\w+), (%\w+)\b.*outs\((%\w+)", text):
            first, second, to = (valid.get(name) for name in m.groups())
            if first and second and to and (to not in (first, second) or 0 in (*first, *second)):
                facts.add(("nothing to expand", line))
        if m := re.search(r"pto\.set_validshape (%\w+), (%\w+), (%\w+)", text):
            valid.pop(m[1], None)
            given = m.groups()[1:]
        else:
            given = [m[1] if (m := re.search(rf"valid_{way} = (%\w+)", text)) else "" for way in ("row", "col")]
        if (m := re.match(r"\s*(%\w+) = pto\.alloc_tile", text)) and all(numbers.get(name) is not None for name in given):
            valid[m[1]] = tuple(numbers.get(name) for name in given)
        kind = re.search(r": *(!(?:pto\.tile_buf<.*|\w+))", text) if any(given) else None
        kind = types.get(kind[1].strip(), kind[1]) if kind else ""
        size = re.search(r"\b(\d+)x(\d+)x\w", kind) or re.search(r"rows=(\d+), cols=(\d+)", kind)
        if size and any((numbers.get(name) or 0) > int(limit) for name, limit in zip(given, size.groups())):
            facts.add(("more valid than the tile has", line))
    return facts


def judge(events, lines, target, entry="", given=()):
    """`entry`: the kernel that runs, "" for the only one; `given`: its arguments, None for buffers."""
    return Judge(lines, target).run(events) | text_facts(lines, target, entry, given)
