#!/usr/bin/python3
"""Checks that every rule of docs/reference/numerics.md has a test, and that no behaviour is stated twice.

usage: tools/scripts/lint/rules.py [--root DIR] [--list]

A rule is one bullet, table row or paragraph of the page below the first heading of the second level; it ends with its id, [N-family-aspect] or [M-family-aspect]. A test names the rules it shows: a Catch2 tag in
TEST_CASE(.., "[N-max-nan]"), or a comment `covers: N-max-nan M-vci-value` in a golden test. Families and aspects are closed
lists (tools/scripts/lint/rules.toml), so that one behaviour has one name; the family's instructions keep the name honest: a rule that
names instructions names one of its family. Closes with "N passed, M failed", one test per rule.
"""
import argparse
import fnmatch
import pathlib
import re
import sys
import tomllib

PAGE = 'docs/reference/numerics.md'
ID = r'[NM]-[a-z0-9]+-[a-z0-9]+(?:-[a-z0-9]+)*'
TEST_CASE = re.compile(r'TEST_CASE\((?:[^"]*"(?:[^"\\]|\\.)*"),\s*((?:"[^"]*"\s*)+)')
COVERS = re.compile(rf'^\s*(?://|#) covers: ((?:{ID}[ ,]*)+)$', re.MULTILINE)


class Rule:
    def __init__(self, ident, page, line, text):
        self.ident, self.page, self.line, self.text = ident, page, line, text
        _, self.family, self.aspect = ident.split('-', 2)

    @property
    def behaviour(self):
        return f'{self.family}-{self.aspect}'

    @property
    def place(self):
        return f'{self.page}:{self.line}'


def blocks(text):
    """Bullets, table rows and paragraphs below the first "## ", each with its first line."""
    current, start, started, fenced = [], 0, False, False
    lines = text.split('\n')
    for number, line in enumerate([*lines, ''], 1):
        fenced ^= line.startswith('```')
        head = line.startswith('#')
        starts = line.startswith(('- ', '|', '```')) or not line.strip() or head
        if starts and current:
            yield start, ' '.join(part.strip() for part in current)
            current = []
        if head:
            started = started or line.startswith('## ')
        elif started and line.strip() and not fenced and not line.startswith('```'):
            if not current:
                start = number
            current.append(line)


def is_prose(block, following):
    """A table's head and rule lines, and sentences that introduce what follows."""
    return block.endswith(':') or re.fullmatch(r'\|[-|: ]+', block) or bool(re.fullmatch(r'\|[-|: ]+', following))


def rules_of(root, page, problems):
    found = []
    listed = list(blocks((root / page).read_text()))
    for (line, block), following in zip(listed, [text for _, text in listed[1:]] + ['']):
        ids = re.findall(rf'\[({ID})\]', block)
        if not ids:
            if not is_prose(block, following):
                problems.append(f'{page}:{line}: no id: {block[:70]}')
        elif len(ids) > 1:
            problems.append(f'{page}:{line}: several ids in one rule: {" ".join(ids)}')
        elif not re.search(rf'\[{ids[0]}\]( \|)?$', block):
            problems.append(f'{page}:{line}: text behind the id {ids[0]}')
        found += [Rule(ident, page, line, block) for ident in ids]
    return found


def check_names(rules, config, problems):
    for rule in rules:
        if rule.family not in config['family']:
            problems.append(f'{rule.place}: {rule.ident}: no such family: {rule.family}')
            continue
        if rule.aspect not in config['aspect']['names']:
            problems.append(f'{rule.place}: {rule.ident}: no such aspect: {rule.aspect}')
        named = [name for name in re.findall(r'`([a-z][a-z0-9_.]*)\*?`', rule.text) if families_of(name, config)]
        own = config['family'][rule.family]
        if own and named and not any(matches(name, own) for name in named):
            problems.append(f'{rule.place}: {rule.ident} names {" ".join(named)}, none of which is of that family')


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def families_of(name, config):
    return [family for family, patterns in config['family'].items() if matches(name, patterns)]


def covered(root, problems):
    """Id -> tests that name it."""
    tests = {}
    for path in sorted([*(root / 'src').rglob('*_test.cpp'), *(root / 'asm-tests').rglob('*')]):
        if path.suffix not in ('.cpp', '.pto', '.toml', '.sh'):
            continue
        text, name = path.read_text(errors='replace'), path.relative_to(root).as_posix()
        if path.suffix == '.cpp':
            ids = [ident for tags in TEST_CASE.findall(text) for ident in re.findall(rf'\[({ID})\]', tags)]
        else:
            ids = [ident for line in COVERS.findall(text) for ident in re.findall(ID, line)]
            if ids and not re.search(r'^\s*(//|#) RUN: ', text, re.MULTILINE):
                problems.append(f'{name}: names rules but runs nothing')
        for ident in ids:
            tests.setdefault(ident, []).append(name)
    return tests


def check_once(rules, open_pairs, problems):
    """Two rules about one behaviour; those in the open list are allowed while they are there."""
    by_behaviour = {}
    for rule in rules:
        by_behaviour.setdefault(rule.behaviour, []).append(rule)
    for behaviour, same in by_behaviour.items():
        if len(same) > 1 and behaviour not in open_pairs:
            problems.append(f'{same[0].place} and {same[1].place}: two rules for one behaviour: {behaviour}')
    for behaviour in open_pairs:
        if len(by_behaviour.get(behaviour, [])) < 2:
            problems.append(f'tools/scripts/lint/rules.toml: open.twice lists {behaviour}, which is stated once: remove it')


def check_tested(rules, tests, open_ids, problems):
    known = {rule.ident for rule in rules}
    for rule in rules:
        if rule.ident not in tests and rule.ident not in open_ids:
            problems.append(f'{rule.place}: no test names {rule.ident}')
    for ident, names in tests.items():
        if ident not in known:
            problems.append(f'{names[0]}: no rule {ident}')
    for ident in open_ids:
        if ident in tests or ident not in known:
            problems.append(f'tools/scripts/lint/rules.toml: open.untested lists {ident}, which is tested or gone: remove it')


def check_mentions(root, rules, problems):
    """Other pages name rules that exist."""
    known = {rule.ident for rule in rules}
    for path in sorted((root / 'docs').rglob('*.md')):
        page = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text().split('\n'), 1):
            problems += [f'{page}:{number}: no rule {ident}' for ident in re.findall(rf'\[({ID})\]', line) if ident not in known]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--root', type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[3])
    parser.add_argument('--list', action='store_true', help='every rule with its tests')
    options = parser.parse_args()
    config = tomllib.loads((options.root / 'tools/scripts/lint/rules.toml').read_text())
    problems = []
    rules = rules_of(options.root, PAGE, problems)
    tests = covered(options.root, problems)
    pending = config.get('open', {})
    check_names(rules, config, problems)
    check_once(rules, pending.get('twice', []), problems)
    check_mentions(options.root, rules, problems)
    check_tested(rules, tests, pending.get('untested', []), problems)
    if options.list:
        for rule in rules:
            print(f'{rule.ident}: {" ".join(sorted(set(tests.get(rule.ident, ["-"]))))}')
    for problem in problems:
        print(problem)
    if pending.get('untested') or pending.get('twice'):
        print(f'open: {len(pending.get("untested", []))} rules without a test, {len(pending.get("twice", []))} stated twice')
    print(f'{max(0, len(rules) - len(problems))} passed, {len(problems)} failed')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
