#!/usr/bin/python3
"""Checks that README.md, the pages of docs/ and the comments of the source say what is there.

usage: tools/scripts/lint/docs.py [--bin DIR]

- A block that shows a program's command or message is run (tools/scripts/doc_pages.py) or says why not: `<!-- not run: REASON -->`.
- Every option that a page names exists in --help or the manual page of a program, or in a script; every option in --help is named by a page.
- Every file of the project that a page or a comment names exists; every link leads somewhere.
- Every change of the sources that a page shows (a diff block) applies to them.
- Prose has at most 100 columns.
- The tables of exit codes have the codes of tools/cli/exit_codes.hpp.
Closes with "N passed, M failed", one count for each page and each program, and one for the comments.
"""
import argparse
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import doc_pages  # noqa: E402  pylint: disable=wrong-import-position

ROOT = doc_pages.ROOT
PROGRAMS = ['pto-as', 'pto-dis', 'pto-sim', 'pto-lsp', 'pto-sim profile', 'pto-sim prove', 'pto-sim diff', 'pto-sim sweep']
SCRIPTS = ['src/fuzz/pto-fuzz-run.cpp', 'tools/golden', 'tools/scripts/conformance/corpus.py', 'tools/scripts/fault_injection/seed-faults',
           'tools/test', 'tools/fuzz', 'tools/scripts/mutate', 'tools/scripts/lint/docs.py', 'tools/bench/accuracy/accuracy',
           'tools/scripts/conformance/conformance.py', 'tools/package', 'tools/scripts/check-kernels', 'tools/bench/accuracy/calibrate',
           'tools/bench/kernels/kernels.py', 'tools/bench/plan-compare', 'asm-tests/python/test_pto.py', 'tools/python/pto/pytest_plugin.py']
FOREIGN = {'--generate', '--pto-aarch', '--build', '--install', '--prefix', '--depth', '--preset', '--suite', '--corpus', '--corpus2', '--sim', '--list-failures',
           '--target=cpu', '--tool', '--strict', '--test-dir'}
OPTION = re.compile(r'(?<![\w-])(--[a-z][a-z0-9-]*)')
SHOWS = re.compile(r'^\s*(\$ )?(pto-(as|dis|sim)\s)|(error|warning)\[[A-Z]', re.MULTILINE)
FILE = re.compile(r'`((?:src|include|tools|asm-tests|sim-configs|docs|cmake|\.ci)/[\w./-]+)`')
FOLDERS = 'src|include|tools|asm-tests|sim-configs|docs|cmake'
# In comments: a source file by any name, and every path from the root. Headers of pto-isa are named behind its name,
# and TARGET stands for a name. Files with a capital letter are those of public sources: ours have none.
NAMED = re.compile(rf'(?<![\w/.*-])((?:[\w-]+/)*[\w-]+\.[ch]pp|(?:{FOLDERS})/[\w./*-]*\w)')
ELSEWHERE = re.compile(r'pto-isa(?:[ ,]+[\w/-]+(?:\.hpp)?)+')
COMMENT = {'cpp': re.compile(r'(?:^|\s)//+<?(.*)'), 'py': re.compile(r'(?:^|\s)#(.*)')}
WIDTH = 100
LINK = re.compile(r'\]\(([^)#:\s]+)(?:#[\w-]*)?\)')


def options_of(text):
    return set(OPTION.findall(text))


def help_of(program, bin_dir):
    done = subprocess.run([bin_dir / program.split()[0], *program.split()[1:], '--help'], capture_output=True, text=True, check=True)
    return options_of(done.stdout)


def manual_options(bin_dir):
    """The options of the manual pages, which name those that --help does not show."""
    programs = {program.split()[0] for program in PROGRAMS}
    pages = [subprocess.run([bin_dir / program, '--man'], capture_output=True, text=True, check=True).stdout for program in programs]
    return options_of(re.sub(r'\\f[BIR]', ' ', '\n'.join(pages)).replace('\\-', '-'))


def options_of_scripts():
    return set().union(*(options_of((ROOT / script).read_text(encoding='utf-8')) for script in SCRIPTS if (ROOT / script).exists()))


def inline_code(text):
    """What stands between single backticks outside of fenced blocks, and commands inside them."""
    outside = re.sub(r'^\s*```.*?^\s*```', '', text, flags=re.DOTALL | re.MULTILINE)
    commands = [line for block in blocks_of(text) for line in block.lines if SHOWS.match(line) or './tools/' in line]
    return '\n'.join(re.findall(r'`([^`\n]+)`', outside) + commands)


def blocks_of(text):
    return [item for item in doc_pages.read_blocks(text) if isinstance(item, doc_pages.Block)]


def unrun_blocks(text):
    for block in blocks_of(text):
        if block.language != 'console' and block.mark is None and SHOWS.search('\n'.join(block.lines)):
            yield f'line {block.first}: shows a command or a message, but is not run: make it a console block, or say why not'


def unknown_options(text, known):
    for option in sorted(options_of(inline_code(text)) - known - FOREIGN):
        yield f'names the option {option}, which no program has'


def broken_links(page, text):
    for target in LINK.findall(text):
        if not (page.parent / target).exists():
            yield f'links to {target}, which is not there'


def missing_files(page, text):
    for name in FILE.findall(text):
        if not any(ROOT.glob(name.rstrip('/').rstrip('.'))) and not any(ROOT.glob(name + '.*')):
            yield f'names {name}, which is not there'
    yield from broken_links(page, text)


def comments_of(path):
    """Comments, each with its first line; lines that follow each other are one."""
    pattern, text, first = COMMENT['cpp' if path.suffix in ('.cpp', '.hpp') else 'py'], [], 1
    for number, line in enumerate([*path.read_text(encoding='utf-8').splitlines(), ''], 1):
        found = pattern.search(line)
        if found and not text:
            first = number
        if found:
            text.append(found[1].strip())
        elif text:
            yield first, ' '.join(text)
            text = []


def sources():
    for pattern in ('src/**/*.[ch]pp', 'include/**/*.hpp', 'tools/**/*', 'sim-configs/*.toml', 'cmake/*.cmake', 'CMakeLists.txt'):
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file() and path.suffix in ('.cpp', '.hpp', '.py', '.toml', '.cmake', '.txt', '') and 'node_modules' not in path.parts:
                yield path


def is_there(name):
    """A path from the root, or the end of one (`sim/loader/loader.cpp`); without its ending (`tools/golden`, `src/isa/row`), too."""
    if re.match(rf'({FOLDERS})/', name):
        return any(ROOT.glob(name)) or any(ROOT.glob(name + '.*'))
    return any(found for folder in ('src', 'include', 'tools', 'cmake') for found in ROOT.glob(f'{folder}/**/{name}'))


def comment_faults():
    for path in sources():
        for line, text in comments_of(path):
            for name in NAMED.findall(ELSEWHERE.sub('', text)):
                public = name.rsplit('/', 1)[-1][0].isupper()
                if not public and not name.endswith('TARGET') and not is_there(name):
                    yield f'{path.relative_to(ROOT)}:{line}: names {name}, which is not there'


def exit_codes():
    return set(re.findall(r'constexpr int k\w+ =\s+(\d+)', (ROOT / 'tools/cli/exit_codes.hpp').read_text(encoding='utf-8')))


def wrong_exit_codes(text):
    for table in re.findall(r'^\| *(?:exit )?code *\| *meaning *\|\n\|[-| ]+\|\n((?:\|.*\n)+)', text, re.MULTILINE):
        shown = set(re.findall(r'^\| *(\d+) *\|', table, re.MULTILINE))
        if shown != exit_codes():
            yield f'its table of exit codes has {sorted(shown, key=int)}, the tools have {sorted(exit_codes(), key=int)}'


def stale_changes(text):
    """The changes of the sources that a page shows still apply to them."""
    for block in blocks_of(text):
        if block.language == 'diff':
            done = subprocess.run(['git', 'apply', '--check', '-'], cwd=ROOT, input='\n'.join(block.lines) + '\n', capture_output=True, text=True, check=False)
            if done.returncode:
                yield f'line {block.first}: its change does not apply: {done.stderr.strip()}'


def wide_lines(text):
    """Rows of tables, blocks of code and lines that are one link cannot be wrapped."""
    prose = re.sub(r'^( *)```.*?^ *```', lambda block: '\n' * block[0].count('\n'), text, flags=re.DOTALL | re.MULTILINE)
    for number, line in enumerate(prose.split('\n'), 1):
        if len(line) > WIDTH and not line.startswith('|') and ' ' in line.strip():
            yield f'line {number}: has {len(line)} columns, more than {WIDTH}'


def page_faults(page, known):
    text = page.read_text(encoding='utf-8')
    return [*unrun_blocks(text), *wide_lines(text), *unknown_options(text, known), *missing_files(page, text), *stale_changes(text), *wrong_exit_codes(text)]


def report(name, faults):
    for fault in faults:
        print(f'{name}: {fault}')
    return bool(faults)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--bin', type=pathlib.Path, default=ROOT / 'build/release/bin', help='folder with pto-as, pto-dis and pto-sim')
    bin_dir = parser.parse_args().bin.resolve()
    options = {program: help_of(program, bin_dir) for program in PROGRAMS}
    known = manual_options(bin_dir) | options_of_scripts()
    pages = doc_pages.pages()
    named = options_of('\n'.join(page.read_text(encoding='utf-8') for page in pages))
    outcomes = [report(page.relative_to(ROOT), page_faults(page, known)) for page in pages]
    outcomes += [report(page.relative_to(ROOT), list(broken_links(page, page.read_text(encoding='utf-8')))) for page in doc_pages.generated_pages()]
    outcomes += [report(program, [f'no page names its option {option}' for option in sorted(options[program] - named)])
                 for program in PROGRAMS]
    outcomes.append(report('comments', [*comment_faults()]))
    print(f'{outcomes.count(False)} passed, {outcomes.count(True)} failed')
    return 1 if any(outcomes) else 0


if __name__ == '__main__':
    sys.exit(main())
