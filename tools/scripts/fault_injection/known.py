"""What the tools are known to miss, by class: the warning that is given instead of an error ("" for none), and why.

None of it is about order: a miss of which the judge says that accesses are unordered, or a flag set too early or left, has no reason.
"""

KNOWN = {
    "drop-load": ("", "the bytes of an earlier load at the same place are read: they are in order, and not what the kernel wants; a window that is left over warns (W0104)"),
    "uninitialised": ("", "a product is added to what an earlier one has left in the accumulator: it is written, in order, and not what the kernel wants"),
    "out-of-bounds": ("WINDOW", "a window leaves its view and stays inside the buffer, as those of public launches do"),
    "overlap": ("", "two tiles at one address that are used in full order are two names of one thing: the bytes are the same under every timing"),
}


def reason(result):
    warning, why = KNOWN.get(result.mutant.name, ("", ""))
    return why if result.in_order and (not warning or warning in result.warned) else ""
