"""What the tools are known to miss, by class, each with its reason: seed-faults fails on everything else."""

KNOWN = {}


def reason(result):
    return KNOWN.get(result.mutant.name, "")
