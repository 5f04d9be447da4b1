#!/usr/bin/python3
"""Runs a Catch2 program and counts test cases: `N passed, M failed`, with what failed above.

usage: tools/scripts/unit_tests.py PROGRAM [CATCH2-ARGUMENT..]

Exit code 0: all passed; 1: a test case failed, or the program ended without a result.
"""
import subprocess
import sys
import tempfile
import xml.etree.ElementTree


def show_failure(case):
    """Prints a failed <TestCase> element: its place, expanded expressions and messages."""
    print('FAILED', case.get('name'), case.get('filename'), case.get('line'))
    for expression in case.iter('Expression'):
        print('   ', expression.get('filename'), expression.get('line'), ' '.join((expression.findtext('Expanded') or '').split()))
    for kind in ('Exception', 'FatalErrorCondition', 'Failure'):
        for item in case.iter(kind):
            print('   ', kind, item.get('filename'), item.get('line'), ' '.join((item.text or '').split()))


def main():
    if len(sys.argv) < 2 or sys.argv[1] == '--help':
        sys.exit(__doc__)
    with tempfile.NamedTemporaryFile(suffix='.xml') as report:
        done = subprocess.run([*sys.argv[1:], '--reporter', 'xml', '--out', report.name], check=False)
        try:
            root = xml.etree.ElementTree.parse(report.name).getroot()
        except xml.etree.ElementTree.ParseError:
            print(f'{sys.argv[1]} ended with {done.returncode} and without a report')
            return 1
    for case in root.iter('TestCase'):
        if case.find('OverallResult').get('success') != 'true':
            show_failure(case)
    overall = root.findall('OverallResultsCases')[-1]
    print(f"{overall.get('successes')} passed, {overall.get('failures')} failed")
    return 1 if done.returncode else 0


sys.exit(main())
