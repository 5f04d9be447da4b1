#!/usr/bin/python3
"""Checks that a statement of the sources has one expression: `a = 1, b = 2;` is two statements.

usage: tools/scripts/lint/statements.py [--fix] [FILE...]

Without files it reads the C++ of src, include and tools. `for (..; ++i, ++j)`, declarations and arguments are no
chains. --fix splits the chains; run clang-format afterwards.
Closes with "N passed, M failed", one count for each file.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
SUFFIXES = {'.cpp', '.hpp', '.inc'}
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n\\]|\\.)*|R"(?P<end>\w*)\(.*?\)(?P=end)"|"(?:[^"\\\n]|\\.)*"|(?<!\w)\'(?:[^\'\\\n]|\\.)+\'',
                   re.DOTALL | re.MULTILINE)
ARGUMENTS = re.compile(r'(?:(?<=\w)|(?<=operator\(\)))<[^<>;(){}]*>')
CONTROL = re.compile(r'\s*(?:(?:if|for|while|switch)\s*(?:constexpr\s*)?\(\s*\)|else\b|do\b|case\b[^:]*:(?!:)|default\s*:)')
# The begin of an expression: an operator, or a name that is called, indexed, assigned or asked for a member.
EXPRESSION = re.compile(r'\s*(?:return\b|throw\b|\+\+|--|\*\w|\(\s*\)[.-]|[A-Za-z_][\w:]*\s*(?:\.|->|\[|\(|(?:[-+*/|&^%]|<<|>>)?=(?!=)|\+\+|--))')
BLOCK_AFTER = re.compile(r'(?:\)|\belse|\bdo|\btry|[;{}:]|\bconst|\bnoexcept|\boverride|\bmutable|->\s*[\w:<>*& ]+|^)\s*$')


class Frame:
    """A block or a pair of brackets: where its statement began, its text without the contents of brackets, its commas."""

    def __init__(self, opening, begin):
        self.opening, self.begin, self.text, self.commas = opening, begin, '', []

    def restart(self, begin):
        self.begin, self.text, self.commas = begin, '', []


def blank(text):
    """Comments and preprocessor lines as spaces, strings and template arguments as underscores: offsets stay."""
    code = TOKEN.sub(lambda m: re.sub(r'[^\n]', ' ' if m[0].lstrip()[:1] in '/#' else '_', m[0]), text)
    while code != (code := ARGUMENTS.sub(lambda m: re.sub(r'[<>,]', '_', m[0]), code)):
        pass
    return code


def expression_begin(statement):
    at = 0
    while match := CONTROL.match(statement, at):
        at = match.end()
    return at if EXPRESSION.match(statement, at) else None


def chains(text):
    """(begin, commas, end) of each chain; begin: of its first expression, after `if (..)` and the like."""
    code, stack = blank(text), [Frame('{', 0)]
    for at, char in enumerate(code):
        frame = stack[-1]
        if char in '([' or char == '{' and frame.opening == '{' and not BLOCK_AFTER.search(frame.text):
            frame.text += char
            stack.append(Frame('(' if char == '{' else char, at + 1))
        elif char == '{':
            stack.append(Frame('{', at + 1))
        elif char in ')]' and frame.opening != '{' or char == '}' and frame.opening != '{':
            if len(stack) > 1:
                stack.pop()
            stack[-1].text += ' ' * (at - len(stack[-1].text) - stack[-1].begin) + char
        elif char == '}':
            if len(stack) > 1:
                stack.pop()
            if stack[-1].opening == '{':
                stack[-1].restart(at + 1)
            else:
                stack[-1].text += ' ' * (at - len(stack[-1].text) - stack[-1].begin) + '}'
        elif char == ';' and frame.opening == '{':
            begin = expression_begin(frame.text) if frame.commas else None
            if begin is not None and (commas := [c for c in frame.commas if c > frame.begin + begin]):
                first = frame.begin + begin
                yield first + len(frame.text[begin:]) - len(frame.text[begin:].lstrip()), commas, at
            frame.restart(at + 1)
        else:
            if char == ',':
                frame.commas.append(at)
            frame.text += ' ' * (at - len(frame.text) - frame.begin) + char


def split(text):
    """The text with each chain as statements; in braces when it is the body of a condition or loop."""
    code = blank(text)
    for begin, commas, end in reversed(list(chains(text))):
        parts = [text[a:b].strip() for a, b in zip([begin, *(comma + 1 for comma in commas)], [*commas, end])]
        if returns := re.match(r'return\b\s*', parts[0]):
            parts = [parts[0][returns.end():], *parts[1:-1], f'return {parts[-1]}']
        body = ';\n'.join(parts) + ';'
        is_body = code[:begin].rstrip()[-1:] not in (';', '{', '}', ':', '')
        text = text[:begin] + ('{\n' + body + '\n}' if is_body else body) + text[end + 1:]
    return text


def sources():
    for folder in ('src', 'include', 'tools'):
        for path in sorted((ROOT / folder).rglob('*')):
            if path.suffix in SUFFIXES and 'node_modules' not in path.parts:
                yield path


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != '--fix']
    passed = failed = 0
    for path in map(pathlib.Path, arguments) if arguments else sources():
        text = path.read_text(encoding='utf-8')
        found = list(chains(text))
        if found and '--fix' in sys.argv:
            path.write_text(split(text), encoding='utf-8')
        for begin, _, end in found:
            line = text.count('\n', 0, begin) + 1
            print(f'{path}:{line}: several expressions in one statement: {" ".join(text[begin:end + 1].split())[:100]}')
        passed, failed = passed + (not found), failed + bool(found)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
