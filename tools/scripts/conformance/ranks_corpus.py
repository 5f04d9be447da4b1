#!/usr/bin/env python3
"""usage: tools/scripts/conformance/ranks_corpus.py [--bin DIR] [--ranks N] [--list] CHECKOUT

Runs every kernel of a public checkout that has operations between devices on N ranks, with arguments made up from its parameters: buffers of
zeros, the communication context for pointers to i64, the rank for numbers of 32 bits
(1 where the name speaks of a count), 0 for others. A kernel that waits for signals of
another kernel gets them: words of 2^20 in place of zeros. Programs and flags are those of tools/scripts/conformance/corpus.py; those that are to be refused do
not count. Prints what kernels and files came to: they run, they run with findings (of made-up values, most of them), or they are refused, with
the rule. A refusal without a rule, and a crash, make this exit with 1."""
import argparse, collections, pathlib, re, subprocess, sys, tempfile

import corpus

BETWEEN = re.compile(r"pto\.comm\.|async_session|_async\b|CommRemoteOffset")
FUNCTION = re.compile(r"func\.func\s+(?:public\s+)?@([\w$.]+)\(([^)]*)\)")
ELEMENT = re.compile(r"!pto\.ptr<\s*(\w+)|<(?:\w+, )?(?:[\d?]+x)+([a-z]\w*)|dtype=(\w+)")
ELEMENTS, WORDS_OF_CONTEXT, SIGNALS = 1 << 20, 132, 1 << 20
SCALARS = ("index", "i64", "i32", "i16", "i8", "i1", "f32", "f16")


def split(inside):
    """Parameters: commas that no bracket holds."""
    parts, depth = [""], 0
    for c in inside:
        depth += (c in "<([{") - (c in ">)]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip()]


def argument(parameter, words):
    name, kind = re.match(r"%([\w$.]+)\s*:\s*(.*?)\s*(?:\{.*)?$", parameter, re.S).groups()
    head = f'[[arg]]\nname = "{name}"\n'
    if element := ELEMENT.search(kind):
        dtype = element[element.lastindex]
        context = dtype == "i64"
        fill = '"context"' if context else words if dtype == "i32" else 0
        return head + f'dtype = "{dtype}"\nshape = [{WORDS_OF_CONTEXT if context else ELEMENTS}]\nfill = {fill}\n'
    if kind in SCALARS:
        value = 1 if re.search("num|size|count|len", name) else '"{rank}"' if kind == "i32" and "block" not in name else 0
        return head + f'dtype = "{"i64" if kind == "index" else kind}"\nvalue = {value}\n'
    return head


def run(binary, program, flags, kernel, parameters, ranks, words, folder):
    case = folder / "case.toml"
    args = "".join(argument(p, words) for p in parameters)
    case.write_text(f'program = "{program}"\nentry = "{kernel}"\nranks = {ranks}\n{args}')
    done = subprocess.run([binary, case, *flags, "--report", "none", "--color", "never"], capture_output=True, text=True, timeout=120)
    errors = re.findall(r"error(?:\[([\w-]+)\])?: (.*)", done.stderr)
    rules = sorted({rule for rule, _ in errors if rule})
    if done.returncode == 0:
        return "runs"
    if rules and not any(re.match(r"[EW]\d", rule) for rule in rules):
        return "runs, findings " + ", ".join(rules)
    if "where only a kernel that calls it" in done.stderr:
        return "no kernel: takes a tile or a pointer into the chip"
    return f"refused {', '.join(rules)}" if rules else f"exit {done.returncode}: {errors[0][1] if errors else done.stderr[:200]}"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("checkout", type=pathlib.Path)
    options = parser.parse_args()
    binary = (pathlib.Path(options.bin) / "pto-sim").resolve()
    kernels, files, negative, unclear = collections.Counter(), collections.Counter(), 0, False
    for path in sorted(options.checkout.rglob("*.pto")):
        text = path.read_text(errors="replace")
        if not BETWEEN.search(text):
            continue
        relative, came_all = path.relative_to(options.checkout), []
        for name, part in corpus.parts(text):
            positive = [flags for refusal, flags, _ in corpus.expectations(relative, text, name, part) if not refusal]
            if not positive or not BETWEEN.search(part):
                continue
            with tempfile.TemporaryDirectory() as folder:
                program = pathlib.Path(folder) / "part.pto"
                program.write_text(part)
                for kernel, inside in FUNCTION.findall(part):
                    arguments = binary, program, positive[0], kernel, split(inside), options.ranks
                    came = run(*arguments, 0, pathlib.Path(folder))
                    if "DEADLOCK" in came:
                        came = run(*arguments, SIGNALS, pathlib.Path(folder))
                    came_all.append(came)
                    if options.list:
                        print(f"{relative}{name and '#'}{name} @{kernel}: {came}")
        if not came_all:
            negative += 1
            continue
        kernels.update(came_all)
        files[next((c for c in sorted(came_all) if c.startswith(("exit", "refused", "no kernel"))), "runs")] += 1
        unclear = unclear or any(c.startswith("exit") for c in came_all)
    print(f"{sum(files.values())} files and {sum(kernels.values())} kernels to run, {negative} files to be refused")
    for title, counts in (("files", files), ("kernels", kernels)):
        for came, count in counts.most_common():
            print(f"{count:5} {title} {came}")
    sys.exit(unclear)


if __name__ == "__main__":
    main()
