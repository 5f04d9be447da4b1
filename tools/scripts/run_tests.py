#!/usr/bin/python3
"""Runs the tests of a label with CTest and adds up what they count.

usage: tools/scripts/run_tests.py --label quick|gate|full [--record] BUILD..

The tests are those of cmake/tests.cmake in each build folder. One line for each: its name, its counts and its seconds; the output
of a test that failed or was skipped stands below. A test that prints no "N passed, M failed" counts as one. With the label `gate`, a
test with inputs of its own (INPUTS) is left out, by name, when they are what they were when it last passed with --record
(.ci/verified.json). Closes with "N passed, M failed"; exit code 1 when M is not 0.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERIFIED = ROOT / '.ci' / 'verified.json'
COUNTS = re.compile(r'^(\d+) passed, (\d+) failed', re.MULTILINE)
INPUT = 'input:'


def output_of(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout


def digest(paths):
    """A hash of the files below `paths` as they are now, tracked by git or new."""
    names = output_of('git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', *paths).split(b'\0')
    whole = hashlib.sha256()
    for name in sorted(set(filter(None, names))):
        path = ROOT / os.fsdecode(name)
        if path.is_file():
            whole.update(name + b'\0' + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def inputs_of(build, label):
    """The paths of INPUTS, for each test of the label that has any."""
    listed = json.loads(output_of('ctest', '--test-dir', build, '-L', f'^{label}$', '--show-only=json-v1'))
    found = {}
    for test in listed['tests']:
        labels = next((p['value'] for p in test['properties'] if p['name'] == 'LABELS'), [])
        if paths := [each.removeprefix(INPUT) for each in labels if each.startswith(INPUT)]:
            found[test['name']] = paths
    return found


def run(build, label, left_out):
    """The <testcase> elements of CTest's report; its progress goes to the terminal."""
    report = (ROOT / build / 'tests.xml').resolve()
    report.unlink(missing_ok=True)
    command = ['ctest', '--test-dir', build, '-L', f'^{label}$', '-j', str(os.cpu_count()), '--output-junit', str(report), '--no-tests=error',
               '--test-output-size-passed', '1000000', '--test-output-size-failed', '1000000']
    if left_out:
        command += ['-E', '^(' + '|'.join(map(re.escape, left_out)) + ')$']
    subprocess.run(command, cwd=ROOT, check=False)
    return list(xml.etree.ElementTree.parse(report).getroot().iter('testcase'))


def counts_of(case):
    """(passed, failed) of a test that ran; None of one that was skipped."""
    status, output = case.get('status'), case.findtext('system-out') or ''
    if status == 'notrun' and output.startswith('skipped: '):
        return None
    found = COUNTS.findall(output)
    passed, failed = map(int, found[-1]) if found else (1, 0) if status == 'run' else (0, 1)
    return passed, failed if status == 'run' else max(failed, 1)


def tell(case, counts):
    output = (case.findtext('system-out') or '').rstrip()
    words = 'skipped' if counts is None else f'{counts[0]} passed, {counts[1]} failed'
    print(f"{case.get('name'):32} {words:24} {float(case.get('time') or 0):5.0f} s")
    if counts is None or counts[1]:
        print('\n'.join('    ' + line for line in output.split('\n')))


def main():
    parser = argparse.ArgumentParser(description='Runs the tests of a label with CTest and adds up what they count.')
    parser.add_argument('--label', choices=['quick', 'gate', 'full'], required=True)
    parser.add_argument('--record', action='store_true', help='write the inputs of tests that passed to .ci/verified.json')
    parser.add_argument('builds', nargs='+', metavar='BUILD')
    options = parser.parse_args()
    verified = json.loads(VERIFIED.read_text()) if VERIFIED.exists() else {}
    passed = failed = 0
    for build in options.builds:
        inputs = {name: digest(paths) for name, paths in inputs_of(build, options.label).items()}
        left_out = [name for name, now in inputs.items() if options.label == 'gate' and verified.get(name) == now]
        for case in run(build, options.label, left_out):
            counts = counts_of(case)
            tell(case, counts)
            if counts is None:
                continue
            passed, failed = passed + counts[0], failed + counts[1]
            if options.record and case.get('name') in inputs and not counts[1]:
                verified[case.get('name')] = inputs[case.get('name')]
        for name in left_out:
            print(f'{name:32} left out: its own files are unchanged since it passed in a full run; --full runs it')
    if options.record:
        VERIFIED.write_text(json.dumps(verified, indent=1, sort_keys=True) + '\n')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


sys.exit(main())
