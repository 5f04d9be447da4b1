#!/usr/bin/env python3
"""usage: tools/scripts/lint/classes.py [--list [PREFIX]]   A class has at most 20 fields and 40 member functions.

A class beyond the limits is two classes, unless classes.toml has it with its limits and a reason. Fields are non-static data
members; member functions are counted once each, without constructors, destructors and what is defaulted or deleted. Base
classes and nested classes count for themselves. --list prints the counts of all classes of files whose path begins with
PREFIX, the largest first. Closes with "N passed, M failed".
"""
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXCEPTIONS = ROOT / 'tools/scripts/lint/classes.toml'
FIELDS, FUNCTIONS = 20, 40
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
SEPARATOR = re.compile(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])")
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n\\]|\\\n|\\.)*', re.M)
HEAD = re.compile(r'\b(?:class|struct|union)\s+(?:alignas\([^)]*\)\s*)?(?:\[\[[^\]]*\]\]\s*)?(\w+)(?:\s*<[^;{}]*>)?'
                  r'(?:\s+final)?\s*(?::[^;{}()]*(?:\([^;{}]*\))?[^;{}()]*)?\{')
NO_MEMBER = re.compile(r'(?:using|typedef|friend|static_assert|enum|class|struct|union|static|template\s*<[^;]*>\s*(?:class|struct))\b')
STATIC = re.compile(r'static\b')


def plain(text):
    """The text without comments, strings and directives."""
    text = SEPARATOR.sub('', text)
    text = NOISE.sub(lambda match: '""' if match[0][0] in '"R' else "'0'" if match[0][0] == "'" else ' ', text)
    return DIRECTIVE.sub('', text)


def closing(text, opening):
    """The position behind the bracket that closes the one at `opening`."""
    depth = 0
    for at in range(opening, len(text)):
        if text[at] in '{([':
            depth += 1
        elif text[at] in '})]':
            depth -= 1
            if depth == 0:
                return at + 1
    return len(text)


def statements(body):
    """The members of a class, each without what stands in its braces."""
    text, at = '', 0
    while at < len(body):
        char = body[at]
        if char in '{([':
            end = closing(body, at)
            text += char + ('' if char == '{' else body[at + 1:end - 1]) + '})]'['{(['.index(char)]
            at = end
            # A function body ends the member; an initialiser is followed by ';' or ','.
            if char == '{' and not re.match(r'\s*[;,=)]', body[at:]):
                yield text.strip()
                text = ''
            continue
        if char == ';':
            yield text.strip()
            text = ''
        else:
            text += char
        at += 1


def outside(text, brackets=True):
    """The text without what stands in template brackets, and without parentheses."""
    text = re.sub(r'operator\s*(?:<=>|<<|>>|<=|>=|<|>|->|\(\))', 'operator_', text)
    text = re.sub(r'<<|>=|<=|->', ' ', text)
    before = None
    while before != text:
        before = text
        text = re.sub(r'<[^<>;]*>', ' ', text)
        if brackets:
            text = re.sub(r'\[[^\[\]]*\]', ' ', text)
    return text


def counts(name, body):
    """Fields and member functions of a class."""
    fields = functions = 0
    for member in statements(body):
        member = re.sub(r'^(?:(?:public|private|protected)\s*:(?!:)\s*)+', '', member).strip()
        member = re.sub(r'^(?:\[\[.*?\]\]\s*)+', '', member)
        if not member:
            continue
        is_function = '(' in outside(re.sub(r'=.*', '', member.split('{')[0], flags=re.S))
        if is_function:
            own = re.search(rf'(?:^|[^\w:])~?{name}\s*\(', outside(member))
            if not own and not re.search(r'=\s*(?:default|delete)\s*$', member) and not re.match(r'(?:friend|static_assert|using)\b', member):
                functions += 1
        elif not NO_MEMBER.match(member) and re.search(r'\w[\s*&]+\w', outside(member)):
            declared = re.sub(r'\{\}|=[^,]*', '', outside(re.sub(r'\([^()]*\)', '', member)))
            fields += 1 + declared.count(',')
    return fields, functions


def classes(path):
    text = plain(path.read_text(encoding='utf-8'))
    for head in HEAD.finditer(text):
        if re.search(r'\benum\s+$', text[:head.start()]):
            continue
        opening = head.end() - 1
        yield head[1], counts(head[1], text[opening + 1:closing(text, opening) - 1])


def main():
    files = [path for folder in ('include', 'src', 'tools') for path in sorted((ROOT / folder).rglob('*'))
             if path.suffix in ('.hpp', '.cpp', '.inc') and not path.stem.endswith('_test')]
    assert len(files) > 300, 'the sources are not where this check looks'
    found = {}
    for path in files:
        for name, (fields, functions) in classes(path):
            key = f'{path.relative_to(ROOT)}:{name}'
            found[key] = tuple(map(max, found.get(key, (0, 0)), (fields, functions)))
    if '--list' in sys.argv:
        prefix = sys.argv[sys.argv.index('--list') + 1] if sys.argv[-1] != '--list' else ''
        for key, (fields, functions) in sorted(found.items(), key=lambda item: (-max(item[1][0] / FIELDS, item[1][1] / FUNCTIONS), item[0])):
            if key.startswith(prefix):
                print(f'{fields:4} {functions:4}  {key}')
        return 0
    allowed = tomllib.loads(EXCEPTIONS.read_text(encoding='utf-8')).get('class', [])
    limits = {each['name']: each for each in allowed}
    wrong = []
    for key, (fields, functions) in found.items():
        limit = limits.get(key, {})
        most = limit.get('fields', FIELDS), limit.get('functions', FUNCTIONS)
        if fields > most[0] or functions > most[1]:
            wrong.append(f'{key}: {fields} fields and {functions} member functions; at most {most[0]} and {most[1]}')
    for key, limit in limits.items():
        if not limit.get('reason'):
            wrong.append(f'{EXCEPTIONS.name}: {key} has no reason')
        if key not in found or found[key][0] <= FIELDS and found[key][1] <= FUNCTIONS:
            wrong.append(f'{EXCEPTIONS.name}: {key} needs no exception')
    print('\n'.join(wrong), end='\n' if wrong else '')
    print(f'{len(found) - len(wrong)} passed, {len(wrong)} failed')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
