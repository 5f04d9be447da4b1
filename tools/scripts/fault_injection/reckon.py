"""Numbers that a text computes, where they are known: constants, arguments, counters in their first turn, and what comes of these."""
import re

DO = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "minsi": min,
    "maxsi": max,
    "divsi": lambda a, b: None if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "remsi": lambda a, b: None if b == 0 else abs(a) % abs(b) * (1 if a >= 0 else -1),
    "divui": lambda a, b: None if b <= 0 or a < 0 else a // b,
    "remui": lambda a, b: None if b <= 0 or a < 0 else a % b,
}


class Numbers:
    """Of lines without comments; `given`: what stands for the parameters of the entry (or only) function, None where that is no number."""

    def __init__(self, code, entry, given):
        self.made, self.known = {}, {}
        for text in code:
            if m := re.match(r"\s*(%\w+) = arith\.constant (-?\d+) :", text):
                self.define(m[1], int(m[2]))
            elif m := re.match(r"\s*(%\w+) = arith\.(\w+) (%\w+)(?:, (%\w+))? :", text):
                self.define(m[1], (m[2], m[3], m[4]))
            elif m := re.search(r"scf\.for (%\w+) = (%\w+) to", text):
                self.define(m[1], ("index_cast", m[2], None))
            elif (m := re.search(r"func\.func (?:\w+ )?@(\w+)\((.*?)\)", text)) and entry in ("", m[1]):
                for name, value in zip(re.findall(r"(%\w+):", m[2]), given):
                    self.define(name, value)

    def define(self, name, what):
        """A name that means two things in two functions is none that is known."""
        self.made[name] = what if self.made.get(name, what) == what else None

    def get(self, name):
        if name not in self.known:
            self.known[name] = None  # a number that comes of itself has none
            self.known[name] = self.of(self.made.get(name))
        return self.known[name]

    def of(self, made):
        if not isinstance(made, tuple):
            return made
        what, *names = made
        values = [self.get(name) for name in names if name]
        if None in values:
            return None
        if what in ("index_cast", "extsi", "trunci"):
            return values[0]
        return DO[what](*values) if what in DO and len(values) == 2 else None
