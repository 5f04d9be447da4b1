#!/usr/bin/python3
"""Runs a conformance suite with pto-sim and counts: cases refused by name (exit 3) and disputed ones are listed, not failed.

usage: tools/conformance.py CASES PTO_SIM            the suite `tile`
       tools/conformance.py CASES PTO_SIM --suite NAME
                                                     another one; its programs are in PTO_CORPUS or PTO_CORPUS2
       tools/conformance.py CASES PTO_SIM --overruns [FILTER]
                                                     kernels of the corpora (PTO_CORPUS, PTO_CORPUS2) that overrun their
                                                     arguments: BOUNDS once per instruction, no other error, values right
"""
import collections
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile


# Expectations that another public source contradicts and that docs/decisions.md decides against.
DISPUTED = {'tile/trandom/u32_2x512': 'order of the words as in the CPU simulator, on a5',
            'tile/trandom/u32_4x256': 'order of the words as in the CPU simulator, on a5',
            'tile/tmin/bf16_special': 'zeros as in the CPU simulator, on a5',
            'tile/tprelu/f16_special': 'zeros as in the CPU simulator, on a5'}


def run_suite(cases, sim, suite):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / 'report.json'
        run = subprocess.run([f'{cases}/run.py', '--sim', sim, '--suite', suite, '--json', str(report)],
                             capture_output=True, text=True)
        if not report.exists():
            print(run.stdout, run.stderr)
            return 1
        results = json.loads(report.read_text())['cases']
    refused = collections.Counter(r['family'] for r in results if r['outcome'] == 'refused')
    disputed = [r for r in results if r['name'] in DISPUTED and r['outcome'] == 'mismatch']
    bad = [r for r in results if r['outcome'] not in ('pass', 'refused') and r not in disputed]
    passed = sum(r['outcome'] == 'pass' for r in results)
    for r in bad:
        print(f"{r['outcome']:<9} {r['name']}: {' '.join(r['detail'].split())[:200]}")
    for r in disputed:
        print(f"disputed  {r['name']}: {DISPUTED[r['name']]}")
    print('refused by name:', ', '.join(f'{family} {n}' for family, n in sorted(refused.items())) or 'none')
    print(f'{passed} passed, {len(bad)} failed')
    return 0 if passed and not bad else 1


def overrun_problem(judge, entry, sim):
    """None when the case has no overrun or holds; otherwise what is wrong. Second value: whether it overruns."""
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        judge.write_blind_copy(entry['case'], entry['home'], work)
        run = subprocess.run([sim, str(work / 'case.toml'), '--diagnostics', 'text'], capture_output=True, text=True, timeout=120)
        found = re.findall(r':(\d+):\d+: error\[([A-Z0-9-]+)\]', run.stderr)
        if not any(rule == 'BOUNDS' for _, rule in found):
            return None, False
        if {rule for _, rule in found} != {'BOUNDS'} or len(set(found)) != len(found):
            return f'findings {found}', True
        wrong = [judge.judge(arg, entry['home'] / arg['expect'], work / f'out{i}.bin')
                 for i, arg in enumerate(entry['case'].get('arg', [])) if 'expect' in arg]
        return '; '.join(line for line in wrong if line) or None, True


def run_overruns(cases, sim, name):
    spec = importlib.util.spec_from_file_location('judge', f'{cases}/run.py')
    judge = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(judge)
    known = [corpus for corpus in ('PTO_CORPUS', 'PTO_CORPUS2') if os.environ.get(corpus)]
    held, bad = 0, 0
    for entry in judge.find_cases([pathlib.Path(cases)]):
        program = entry['case'].get('program', '')
        if name not in entry['name'] or not any(f'${{{corpus}}}' in program for corpus in known):
            continue
        problem, overruns = overrun_problem(judge, entry, sim)
        if problem:
            print(f"{entry['name']}: {problem[:300]}")
        bad += problem is not None
        held += overruns and problem is None
    print(f'{held} passed, {bad} failed')
    return 0 if held and not bad else 1


def main():
    cases, sim, *rest = sys.argv[1:]
    if rest[:1] == ['--overruns']:
        return run_overruns(cases, sim, rest[1] if len(rest) > 1 else '')
    return run_suite(cases, sim, rest[1] if rest[:1] == ['--suite'] else 'tile')


if __name__ == '__main__':
    sys.exit(main())
