#!/usr/bin/python3
"""conformance.py CASES PTO-SIM: runs the `tile` conformance suite and counts; cases refused by name (exit 3) are listed, not
failed."""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile


def main():
    cases, sim = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / 'report.json'
        run = subprocess.run([f'{cases}/run.py', '--sim', sim, '--suite', 'tile', '--json', str(report)],
                             capture_output=True, text=True)
        if not report.exists():
            print(run.stdout, run.stderr)
            return 1
        results = json.loads(report.read_text())['cases']
    refused = collections.Counter(r['family'] for r in results if r['outcome'] == 'refused')
    bad = [r for r in results if r['outcome'] not in ('pass', 'refused')]
    passed = sum(r['outcome'] == 'pass' for r in results)
    for r in bad:
        print(f"{r['outcome']:<9} {r['name']}: {' '.join(r['detail'].split())[:200]}")
    print('refused by name:', ', '.join(f'{family} {n}' for family, n in sorted(refused.items())) or 'none')
    print(f'{passed} passed, {len(bad)} failed')
    return 0 if passed and not bad else 1


if __name__ == '__main__':
    sys.exit(main())
