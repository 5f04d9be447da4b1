"""Pages whose examples are run: README.md and those of docs/ as golden tests (tools/golden).

In a page,
    <!-- file: NAME -->          the next fenced block is written to NAME in a scratch folder,
    <!-- copy: PATH as NAME -->  a file of the project is copied there,
    <!-- values: NAME f32[16x64]:1.5 -->  a .npy file of equal elements is made there,
and a block
    ```console
    $ command
    what it prints
    ```
is run there by bash, with all blocks of a page in one folder. Standard output and standard error must be as shown, line
by line; a line `..` stands for any number of lines, and a last line `[exit N]` is due when the command does not end with 0.
"""
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r'\s*(```+)(.*)')
MARK = re.compile(r'\s*<!-- (file|copy|values|not run): (.*?) -->')
ANY = '..'
GENERATED = ROOT / 'docs/reference/isa'


def pages():
    """Those that are written by hand."""
    return [ROOT / 'README.md', *(path for path in sorted((ROOT / 'docs').rglob('*.md')) if GENERATED not in path.parents)]


def generated_pages():
    return sorted(GENERATED.glob('*.md'))


class Block:
    """A fenced block: its language, its lines, the number of its first line, and the mark in front of it."""

    def __init__(self, language, mark, first):
        self.language, self.mark, self.first, self.lines = language, mark, first, []


def read_blocks(text):
    """The blocks of a page and its other marks, in order: Block or (mark, argument)."""
    found, block, mark, fence = [], None, None, ''
    for number, line in enumerate(text.split('\n'), 1):
        if block is not None:
            if line.strip() == fence:
                block = None
            else:
                block.lines.append(line)
        elif match := FENCE.match(line):
            fence, language = match[1], match[2].strip()
            block = Block(language, mark, number + 1)
            found.append(block)
            mark = None
        elif match := MARK.match(line):
            if match[1] in ('copy', 'values'):
                found.append((match[1], match[2]))
            else:
                mark = (match[1], match[2])
        elif line.strip():
            mark = None
    return found


class Command:
    """A command of a console block and the lines that it prints."""

    def __init__(self, text, line):
        self.text, self.line, self.expected = text, line, []


def commands_of(block):
    commands = []
    for offset, line in enumerate(block.lines):
        if line.startswith('$ '):
            commands.append(Command(line[2:], block.first + offset))
        elif commands and commands[-1].text.endswith('\\') and not commands[-1].expected:
            commands[-1].text += '\n' + line
        elif commands:
            commands[-1].expected.append(line.rstrip())
    while commands and commands[-1].expected and not commands[-1].expected[-1]:
        commands[-1].expected.pop()
    return commands


def agrees(expected, actual):
    """Whether the lines are the expected ones, `..` standing for any lines."""
    if not expected:
        return not actual
    if expected[0] == ANY:
        return any(agrees(expected[1:], actual[skip:]) for skip in range(len(actual) + 1))
    return bool(actual) and expected[0] == actual[0] and agrees(expected[1:], actual[1:])


def make_values(path, words):
    import numpy
    match = re.fullmatch(r'([a-z0-9]+)\[([0-9x]+)\]:(\S+)', words)
    numpy.save(path, numpy.full([int(size) for size in match[2].split('x')], float(match[3]), match[1].replace('f', 'float')
                                .replace('i', 'int')))


def set_up(mark, argument, scratch):
    if mark == 'copy':
        source, name = argument.split(' as ')
        shutil.copy(ROOT / source, scratch / name)
    else:
        name, words = argument.split(' ', 1)
        make_values(scratch / name, words)


class Page:
    """A page as a golden test: run() gives its differences."""

    def __init__(self, path):
        self.path = path
        self.name = path.relative_to(ROOT).as_posix()
        self.items = read_blocks(path.read_text(encoding='utf-8'))
        self.commands = [command for item in self.items if isinstance(item, Block) and item.language == 'console'
                         for command in commands_of(item)]

    def run(self, scratch, environment, limit):
        """Runs all commands in order; (command, the lines it printed) of each."""
        outcome, left = [], iter(self.commands)
        for item in self.items:
            if not isinstance(item, Block):
                set_up(*item, scratch)
            elif item.mark and item.mark[0] == 'file':
                (scratch / item.mark[1]).write_text('\n'.join(item.lines) + '\n', encoding='utf-8')
            elif item.language == 'console':
                outcome += [(command, output_of(command.text, scratch, environment, limit))
                            for command in (next(left) for _ in commands_of(item))]
        return outcome

    def rebase(self, outcome):
        """Writes what the commands printed into the page; expectations that agree stay as they are."""
        lines = self.path.read_text(encoding='utf-8').split('\n')
        for command, actual in reversed(outcome):
            if not agrees(command.expected, actual):
                begin = command.line + command.text.count('\n')
                lines[begin:begin + len(command.expected)] = actual
        self.path.write_text('\n'.join(lines), encoding='utf-8')


def output_of(command, scratch, environment, limit):
    done = subprocess.run(['bash', '-c', command], cwd=scratch, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=limit, check=False)
    lines = [line.rstrip() for line in done.stdout.decode('utf-8', 'backslashreplace').splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return lines + ([f'[exit {done.returncode}]'] if done.returncode else [])
