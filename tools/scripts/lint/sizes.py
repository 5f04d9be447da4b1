#!/usr/bin/env python3
"""usage: tools/scripts/lint/sizes.py   A source file of more than 500 lines says why it is not two.

The reason stands in its first ten lines, in one that begins "// Over 500 lines: ". A file that has become shorter loses it.
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
LIMIT, HEAD, REASON = 500, 10, '// Over 500 lines: '


def main():
    files = [path for folder in ('src', 'include', 'tools') for path in sorted((ROOT / folder).rglob('*'))
             if path.suffix in ('.cpp', '.hpp')]
    assert len(files) > 300, 'the sources are not where this check looks'
    wrong = []
    for path in files:
        lines = path.read_text(encoding='utf-8').splitlines()
        reason = any(line.startswith(REASON) and len(line) > len(REASON) for line in lines[:HEAD])
        if reason != (len(lines) > LIMIT):
            missing = f'has no line "{REASON}.." in its head' if not reason else 'says why it is longer than it is'
            wrong.append(f'{path.relative_to(ROOT)}: {len(lines)} lines, {missing}')
    print('\n'.join(wrong), end='\n' if wrong else '')
    print(f'{len(files) - len(wrong)} passed, {len(wrong)} failed')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
