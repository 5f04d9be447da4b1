"""What the tools are known to miss, by class: the warning that is given instead of an error, and why."""

KNOWN = {
    "overlap": ("W0512", "the two tiles are used in full order, so no timing gives other bytes than another; a program may mean it"),
    "drop-load": ("UNINIT", "in micro programs reads of bytes that nobody wrote are a warning, as padding is read on purpose"),
}


def reason(result):
    """Of a miss; none when there is no reason, or the warning did not come."""
    warning, why = KNOWN.get(result.mutant.name, ("", ""))
    return why if warning in result.warned else ""
