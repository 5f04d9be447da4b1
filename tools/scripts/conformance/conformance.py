#!/usr/bin/python3
"""Runs a conformance suite with pto-sim and counts: cases refused by name (exit 3) and disputed ones are listed, not failed.

usage: tools/scripts/conformance/conformance.py CASES PTO_SIM            the suite `tile`
       tools/scripts/conformance/conformance.py CASES PTO_SIM --suite NAME
                                                     another one; its programs are in PTO_CORPUS or PTO_CORPUS2
       tools/scripts/conformance/conformance.py CASES PTO_SIM --overruns [FILTER]
                                                     kernels of the corpora (PTO_CORPUS, PTO_CORPUS2) that overrun their
                                                     arguments: BOUNDS once per instruction, no other error, values right
       tools/scripts/conformance/conformance.py CASES PTO_SIM --findings [FOLDER..]
                                                     errors of all cases, those of the folders (models.py emit) too, in check mode
                                                     and with times, and what pto-as beside it says: each has its reason in
                                                     asm-tests/corpus/findings.toml, and warnings are counted by rule
"""
import collections
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib


# Expectations that another public source contradicts and that docs/decisions.md decides against.
DISPUTED = {'tile/trandom/u32_2x512': 'order of the words as in the CPU simulator, on a5',
            'tile/trandom/u32_4x256': 'order of the words as in the CPU simulator, on a5',
            'tile/tpartargmax/f32_16x64_src1_9x40': 'ties take the second source as in the CPU simulator, on a2a3',
            'tile/tpartargmax/f32_8x16_src1_3x16': 'ties take the second source as in the CPU simulator, on a2a3',
            'tile/tpartargmin/f16_16x128_src1_4x64': 'ties take the second source as in the CPU simulator, on a2a3',
            'tile/tpartargmin/f32_8x16_src1_3x16': 'ties take the second source as in the CPU simulator, on a2a3',
            'st/trem/a2a3_case_float_16x32_16x64_16x32_16x32': 'steps of the library; the board test allows 0.001 of the value',
            'st/trem/a2a3_case_float_16x64_16x128_16x128_16x63': 'steps of the library; the board test allows 0.001 of the value',
            'st/trem/a2a3_case_float_2x32_2x64_2x32_2x31': 'steps of the library; the board test allows 0.001 of the value',
            'st/trems/a2a3_case1': 'steps of the library; the board test allows 0.001 of the value',
            'st/trems/a2a3_case5': 'steps of the library; the board test allows 0.001 of the value',
            'tile/trem/f32_16x64': 'remainder as in the CPU simulator, on a2a3; the library rounds each step',
            'tile/trem/f32_16x64_dyn_v7x40': 'remainder as in the CPU simulator, on a2a3; the library rounds each step',
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


def judge_of(cases):
    spec = importlib.util.spec_from_file_location('judge', f'{cases}/run.py')
    judge = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(judge)
    return judge


def of_a_corpus(entry, missing=False):
    """Whether the case's program is in a corpus: one that is here, or one that is missing."""
    program = entry['case'].get('program', '')
    return any(f'${{{corpus}}}' in program and os.path.isdir(os.environ.get(corpus, '')) != missing for corpus in ('PTO_CORPUS', 'PTO_CORPUS2'))


def findings_of(judge, entry, sim):
    """(severity, rule) of what the static checks, check mode and a run with times say."""
    case = entry['case']
    target = [f"--target={case['target']}"] if case.get('target') in ('a2a3', 'a5') else []
    program = entry['home'] / os.path.expandvars(case['program'])
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / 'case.toml'
        judge.write_blind_copy(case, entry['home'], copy.parent)
        said = ''
        for command in ([pathlib.Path(sim).parent / 'pto-as', program, '-o', '/dev/null', *target], [sim, copy, '--mode', 'check'], [sim, copy]):
            said += subprocess.run([*command, '--max-errors', '0', '--color', 'never'], stdin=subprocess.DEVNULL, capture_output=True,
                                   text=True, timeout=600).stderr
    return set(re.findall(r'^\S.*?: (error|warning)\[([A-Z0-9-]+)\]', said, re.M))


def run_findings(cases, sim, folders):
    judge = judge_of(cases)
    listed = tomllib.loads((pathlib.Path(__file__).parents[3] / 'asm-tests/corpus/findings.toml').read_text())['cases']
    entries = [e for e in judge.find_cases([pathlib.Path(f) for f in (cases, *folders)]) if not of_a_corpus(e, missing=True)]
    bad, deserved, warnings = 0, 0, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for entry, found in zip(entries, pool.map(lambda e: findings_of(judge, e, sim), entries)):
            errors = {rule for severity, rule in found if severity == 'error'}
            known = set(listed.get(entry['name'], '').split(':')[0].split())
            warnings.update(rule for severity, rule in found if severity == 'warning')
            deserved += bool(errors) and errors == known
            if errors != known:
                bad += 1
                print(f"{entry['name']}: errors {sorted(errors)}, with a reason {sorted(known)}")
    print(f'{deserved} with errors that have a reason; warnings: ' + ', '.join(f'{rule} {n}' for rule, n in warnings.most_common()))
    print(f'{len(entries) - bad} passed, {bad} failed')
    return 0 if entries and not bad else 1


def run_overruns(cases, sim, name):
    judge, held, bad = judge_of(cases), 0, 0
    for entry in judge.find_cases([pathlib.Path(cases)]):
        if name not in entry['name'] or not of_a_corpus(entry):
            continue
        problem, overruns = overrun_problem(judge, entry, sim)
        if problem:
            print(f"{entry['name']}: {problem[:300]}")
        bad += problem is not None
        held += overruns and problem is None
    print(f'{held} passed, {bad} failed')
    return 0 if held and not bad else 1


def main():
    if len(sys.argv) < 3 or sys.argv[1] == '--help':
        sys.exit(__doc__)
    cases, sim, *rest = sys.argv[1:]
    if rest[:1] == ['--overruns']:
        return run_overruns(cases, sim, rest[1] if len(rest) > 1 else '')
    if rest[:1] == ['--findings']:
        return run_findings(cases, sim, rest[1:])
    return run_suite(cases, sim, rest[1] if rest[:1] == ['--suite'] else 'tile')


if __name__ == '__main__':
    sys.exit(main())
