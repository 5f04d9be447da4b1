#!/usr/bin/env python3
"""usage: tools/scripts/lint/layers.py   The libraries of src/ stand on floors; includes go down, never up.

Each folder of src/ is a library. Its CMakeLists.txt says what it stands on (pto_library, cmake/library.cmake): CMake links by that line,
and this check keeps the includes to it, as a header may be used without anything to link. Floors follow: a library stands one above the
highest it uses. docs/architecture.md shows them.

Tests (*_test.cpp, headers *_fixture.hpp and *_oracle.hpp) use the libraries of TESTS_DEPEND too, and src/testing. src/test, src/fuzz and
tools/ use everything.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
CALL = re.compile(r'^pto_library\(([^)]*)\)', re.M)
LISTS = ('DEPENDS', 'PUBLIC', 'TESTS_DEPEND', 'ALONE')
TEST = re.compile(r'_(test\.cpp|fixture\.hpp|oracle\.hpp)$')
ON_TOP = {'test', 'fuzz', 'tools'}
# Libraries of others that cost seconds to read: one header of ours reads them.
BEHIND = {'nlohmann/': 'src/support/json.hpp', 'toml++/': 'src/support/toml.hpp'}
FOREIGN = re.compile(r'^\s*#\s*include\s+<([^>]+)>', re.M)
MOST_FILES = 60  # of a folder, without those of its subfolders


class Library:
    def __init__(self, call):
        words = call.split()
        self.name = words[0]
        self.lists = {name: [] for name in LISTS}
        into = None
        for word in words[1:]:
            if word in LISTS:
                into = self.lists[word]
            else:
                into.append(word)
        self.below = set()  # all libraries it may use
        self.floor = None


def libraries(texts):
    """texts: of the CMakeLists.txt. Gives the libraries by name and what is wrong with them."""
    found = {library.name: library for library in (Library(call) for text in texts for call in CALL.findall(text))}
    wrong = []

    def settle(library, above):
        if library.name in above:
            wrong.append('libraries use each other: ' + ' -> '.join([*above[above.index(library.name):], library.name]))
            return
        if library.floor is not None:
            return
        floor = 0
        for name in library.lists['DEPENDS']:
            if name not in found:
                wrong.append(f'src/{library.name}/CMakeLists.txt: there is no library {name}')
                continue
            settle(found[name], [*above, library.name])
            library.below |= {name} | found[name].below
            floor = max(floor, (found[name].floor or 0) + 1)
        library.floor = floor

    for library in found.values():
        settle(library, [])
    for library in found.values():
        for name in library.lists['TESTS_DEPEND']:
            if name not in found or library.name in found[name].below:
                wrong.append(f'src/{library.name}/CMakeLists.txt: its tests cannot use {name}, which is no library or uses this one')
    return found, wrong


def allowed(library, known, test):
    names = {library.name} | library.below
    if test:
        for name in library.lists['TESTS_DEPEND']:
            names |= {name} | known[name].below
        names.add('testing')
    return names


def problems(files, known):
    """files: path -> text. Yields what is wrong, one line each."""
    owner = {header: library.name for library in known.values() for header in library.lists['PUBLIC']}

    def home(path):
        if f'tools/{path}' in files:
            return 'tools'
        parts = path.split('/')
        if parts[0] == 'include' or parts[0] == 'pto':
            return owner.get(parts[-1].removesuffix('.hpp').removesuffix('.inc'))
        parts = parts[1:] if parts[0] == 'src' else parts
        return parts[0] if parts[0] in known or parts[0] in ON_TOP else None

    for path, text in sorted(files.items()):
        here = home(path)
        if here is None:
            yield f'{path}: no CMakeLists.txt of src/ has a library for this file'
            continue
        for name in FOREIGN.findall(text):
            for library, header in BEHIND.items():
                if name.startswith(library) and path != header:
                    yield f'{path}: <{name}> is read by {header}: include that'
        for name in INCLUDE.findall(text):
            if '/' not in name:
                continue  # a neighbour
            there = home(name)
            if there is None:
                yield f'{path}: no CMakeLists.txt of src/ has a library for {name}'
            elif here not in ON_TOP and there not in allowed(known[here], known, TEST.search(path)):
                yield f'{path}: {here} includes {name}, but src/{here}/CMakeLists.txt does not depend on {there}'
            elif TEST.search(name) and not (TEST.search(path) or here in ON_TOP):
                yield f'{path}: {name} is for tests'


def folders(files):
    """Folders with too many files."""
    counts = {}
    for path in files:
        folder = path.rpartition('/')[0]
        counts[folder] = counts.get(folder, 0) + 1
    return [f'{folder}/: {count} files, more than {MOST_FILES}: divide it' for folder, count in sorted(counts.items())
            if count > MOST_FILES and folder.startswith('src')]


def shown(page):
    """The floors as docs/architecture.md draws them: lines of the block behind the mark, the top floor first."""
    block = re.search(r'<!-- floors -->\n```\n(.*?)```', page, re.S)
    if not block:
        return None
    return [sorted(re.split(r'\s\s+', line.strip())[0].split()) for line in block[1].splitlines() if line.strip()]


def main():
    files = {}
    for pattern in ('src/**/*.?pp', 'include/pto/*.hpp', 'tools/**/*.?pp'):
        for path in ROOT.glob(pattern):
            if 'node_modules' not in path.parts:
                files[path.relative_to(ROOT).as_posix()] = path.read_text()
    known, found = libraries([path.read_text() for path in sorted(ROOT.glob('src/*/CMakeLists.txt'))])
    assert len(known) > 20, 'the libraries are not written as this check reads them'
    found += problems(files, known)
    found += folders(files)
    headers = {path.stem for path in (ROOT / 'include/pto').glob('*.hpp')}
    named = [header for library in known.values() for header in library.lists['PUBLIC']]
    found += [f'pto/{name}.hpp, named in src/*/CMakeLists.txt, does not exist' for name in sorted(set(named) - headers)]
    found += [f'pto/{name}.hpp belongs to several libraries' for name in sorted({name for name in named if named.count(name) > 1})]
    floors = {}
    for library in known.values():
        floors.setdefault(library.floor, []).append(library.name)
    drawn = [sorted(floors[floor]) for floor in sorted(floors, reverse=True)]
    if shown((ROOT / 'docs/architecture.md').read_text()) != drawn:
        found.append('docs/architecture.md shows other floors than src/*/CMakeLists.txt:\n' + '\n'.join('  ' + ' '.join(line) for line in drawn))
    # The check itself: an arrow up, one beside, a test's header, a cycle, and what is right.
    sample, wrong = libraries(['pto_library(low PUBLIC a)', 'pto_library(left DEPENDS low TESTS_DEPEND right)', 'pto_library(right DEPENDS low)',
                               'pto_library(testing)'])
    texts = {'src/low/x.cpp': '#include "left/y.hpp"\n', 'src/left/x.cpp': '#include "right/y.hpp"\n#include "pto/a.hpp"\n',
             'src/left/x_test.cpp': '#include "right/y.hpp"\n#include "testing/z.hpp"\n', 'src/right/x.cpp': '#include "right/x_fixture.hpp"\n',
             'src/low/z.cpp': '#include <toml++/toml.h>\n'}
    if wrong or len(list(problems(texts, sample))) != 4 or not libraries(['pto_library(a DEPENDS b)', 'pto_library(b DEPENDS a)'])[1]:
        found.append('tools/scripts/lint/layers.py does not see arrows up')
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
