"""The classes of faults: each edits the text of a kernel in one place."""
from fault_injection import amounts, memory, order, parity
from fault_injection.text import Mutant

# Class -> (its edits, what it does).
CLASSES = order.CLASSES | parity.CLASSES | memory.CLASSES | amounts.CLASSES
# Other numbers alone are no harm here: a program may well mean them. Its bytes are compared with its own on other machines.
AMOUNTS = set(amounts.CLASSES) | set(parity.VALUES)
# Harm whatever a run does: no target has such an id.
CERTAIN = {"id-beyond"}


def seed(name, kernel):
    """Every mutant of a class, in the functions that the kernel's launch runs."""
    runs = kernel.text.reached(kernel.entry)
    return [Mutant(name, kernel, place, f"line {place + 1} {what}", lines) for place, what, lines in CLASSES[name][0](kernel.text) if runs(place)]
