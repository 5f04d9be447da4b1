#!/usr/bin/python3
"""pto-lsp end to end: speaks to the program as an editor does.

usage: asm-tests/lsp/test_lsp.py [--bin DIR] [NAME..]
Closes with "N passed, M failed".
"""
import argparse
import inspect
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback

import client
from client import span

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KERNEL = '''module attributes {pto.target_arch = "a5"} {
  func.func @add(%a: !pto.ptr<f32>, %n: index) attributes {pto.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %v = pto.make_tensor_view %a, shape = [%c16, %c32], strides = [%c32, %c1] : !pto.tensor_view<?x?xf32>
    %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c32] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x32xf32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
    %u = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
    pto.tload ins(%p : !pto.partition_tensor_view<16x32xf32>) outs(%t : !pto.tile_buf<vec, 16x32xf32>)
    scf.for %i = %c0 to %n step %c1 {
      pto.tadd ins(%t, %t : !pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 16x32xf32>) outs(%u : !pto.tile_buf<vec, 16x32xf32>)
    }
    pto.tstore ins(%u : !pto.tile_buf<vec, 16x32xf32>) outs(%p : !pto.partition_tensor_view<16x32xf32>)
    return
  }
}
'''
LINES = KERNEL.split('\n')


def place(word, nth=0, text=KERNEL):
    """Line and character of the n-th place of a word."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(word, at + 1)
    line = text.count('\n', 0, at)
    return line, at - (text.rfind('\n', 0, at) + 1)


class Tests:
    def __init__(self, folder):
        self.lsp, self.assembler = folder / 'pto-lsp', folder / 'pto-as'

    def start(self, **more):
        return client.Client(self.lsp, **more)

    # ---- faults of the text

    def test_a_right_text_has_no_faults(self):
        lsp = self.start()
        assert lsp.open(KERNEL) == []
        assert lsp.end() == 0 and lsp.errors == ''

    def test_faults_come_and_go_as_one_types(self):
        lsp = self.start()
        lsp.open(KERNEL)
        line, at = place('tadd')
        lsp.edit([(span(line, at + 1, line, at + 4), 'ad')])
        fault, = lsp.faults()
        assert fault['code'] == 'E0111' and fault['severity'] == 1 and fault['source'] == 'pto', fault
        assert fault['range'] == span(line, at - 4, line, at + 3), fault
        lsp.edit([(span(line, at + 1, line, at + 3), 'add')], 3)
        assert lsp.faults() == []
        lsp.end()

    def test_faults_are_those_of_the_assembler(self):
        """Every program of the golden tests: what pto-as says, at the same places."""
        lsp = self.start()
        files = sorted((ROOT / 'asm-tests/mistakes').glob('*.pto')) + sorted((ROOT / 'asm-tests/verify').glob('E*.pto'))
        looked = 0
        for file in files:
            text = file.read_bytes().decode('utf-8', 'replace')
            run = next(line for line in text.split('\n') if 'RUN:' in line)
            if 'pto-as %s' not in run and not run.split('RUN: ')[1].startswith('pto-as'):
                continue
            done = subprocess.run([self.assembler, file, '-o', '/dev/null', '--diagnostics', 'json', '--max-errors', '0'], capture_output=True, check=False)
            if not done.stderr.startswith(b'['):
                continue
            said = json.loads(done.stderr.decode('utf-8', 'replace'))
            uri = f'file://{file}'
            found = lsp.open(text, uri)
            lsp.tell('textDocument/didClose', {'textDocument': {'uri': uri}})
            lsp.faults()
            looked += 1
            assert [d['id'] or None for d in said] == [d.get('code') for d in found], (file, said, found)
            lines = text.split('\n')
            for ours, theirs in zip(found, said):
                where = theirs.get('location')
                if not where or where['line'] == 0:
                    continue
                start = ours['range']['start']
                line = lines[start['line']] if start['line'] < len(lines) else ''
                column = len(line.encode('utf-16-le')[:2 * start['character']].decode('utf-16-le').encode()) + 1
                assert [start['line'] + 1, column] == [where['line'], where['column']], (file, ours, theirs)
        assert looked > 100, looked
        lsp.end()

    def test_notes_and_help(self):
        lsp = self.start()
        text = KERNEL.replace('%u = pto.alloc', '%t = pto.alloc')
        faults = lsp.open(text)
        twice = next(fault for fault in faults if fault['code'] == 'E0113')
        assert 'help:' in twice['message'] and twice['relatedInformation'][0]['location']['range']['start'] == dict(zip(('line', 'character'), place('%t'))), twice
        lsp.end()

    def test_settings(self):
        lsp = self.start(options={'target': 'a2a3', 'warnings': ['error']})
        text = KERNEL.replace(' attributes {pto.target_arch = "a5"}', '').replace('pto.tadd', 'pto.vadd')
        assert lsp.open(text)
        lsp.tell('workspace/didChangeConfiguration', {'settings': {'pto': {'target': 'no_such_chip'}}})
        fault, = lsp.faults()
        assert 'no_such_chip' in fault['message'], fault
        lsp.end()

    def test_settings_of_the_page_and_of_the_extension(self):
        page = (ROOT / 'docs/user/editors.md').read_text(encoding='utf-8')
        named = set(re.findall(r'^\| `(\w+)` \|', page.split('## Settings')[1], re.M))
        package = json.loads((ROOT / 'tools/vscode/package.json').read_text(encoding='utf-8'))
        assert named == {name.removeprefix('pto.') for name in package['contributes']['configuration']['properties']} - {'server', 'simulator'}, named
        sent = (ROOT / 'tools/vscode/src/extension.ts').read_text(encoding='utf-8')
        assert all(f'{name}: given' in sent for name in named)

    # ---- hover

    def test_hover_of_an_instruction(self):
        lsp = self.start()
        lsp.open(KERNEL)
        page = lsp.at('textDocument/hover', *place('tadd'))['contents']['value']
        assert page.startswith('### pto.tadd') and '| operand |' in page, page
        assert lsp.at('textDocument/hover', 1, 0) is None
        lsp.end()

    def test_hover_of_a_value(self):
        lsp = self.start()
        lsp.open(KERNEL)
        line, at = place('%u', 1)
        hover = lsp.at('textDocument/hover', line, at + 1)
        words = hover['contents']['value']
        assert hover['range'] == span(line, at, line, at + 2)
        # 16 rows of 32 elements of 4 bytes; the second tile lies behind the first.
        assert '2,048 bytes at ub 0x800 to 0x1000, chosen by the planner' in words, words
        assert '!pto.tile_buf<' in words and 'defined on line 10' in words, words
        lsp.end()

    # ---- completion

    def complete(self, lsp, line, text, nth=None):
        """What is offered behind `text`, written in place of a line: labels and what is put in."""
        lsp.edit([(span(line, 0, line, 999), text)])
        items = lsp.at('textDocument/completion', line, len(text) if nth is None else nth)
        return {item['label']: item for item in items}

    def test_completion_of_instructions(self):
        lsp = self.start()
        lsp.open(KERNEL)
        line = place('pto.tadd')[0]
        items = self.complete(lsp, line, '    pto.ta')
        assert 'pto.tadd' in items and 'scf.for' in items and len(items) > 500, len(items)
        assert items['pto.tadd']['textEdit']['range'] == span(line, 4, line, 10)
        assert '### pto.tadd' in lsp.ask('completionItem/resolve', items['pto.tadd'])['documentation']['value']
        assert 'pto.vadd' in self.complete(lsp, line, '    %x, %y = ')
        lsp.edit([(span(0, 0, 0, 99), 'module attributes {pto.target_arch = "a2a3"} {')])
        assert 'pto.vadd' not in self.complete(lsp, line, '    %x = pto.v'), 'only a5 has it'
        assert self.complete(lsp, line, '    // pto.ta') == {}
        lsp.end()

    def test_completion_of_names_and_types(self):
        lsp = self.start()
        lsp.open(KERNEL)
        line = place('pto.tadd')[0]
        items = self.complete(lsp, line, '      pto.tadd ins(%')
        assert {'%t', '%u', '%i', '%c16', '%a'} <= set(items) and '%nothing' not in items, set(items)
        assert items['%t']['detail'].startswith('!pto.tile_buf<') and items['%t']['textEdit']['range'] == span(line, 19, line, 20)
        assert '!pto.tile_buf' in self.complete(lsp, line, '      pto.tadd ins(%t : !pto.ti')
        assert '@add' in self.complete(lsp, line, '      func.call @')
        lsp.end()

    def test_completion_of_attributes_and_their_values(self):
        lsp = self.start()
        lsp.open(KERNEL)
        line = place('pto.tadd')[0]
        items = self.complete(lsp, line, '      pto.tcvt ins(%t {')
        assert 'rmode' in items and 'sat_mode' in items, items
        items = self.complete(lsp, line, '      pto.tcvt ins(%t {rmode = ')
        assert '#pto<round_mode CAST_RINT>' in items and 'rmode' not in items, items
        assert 'CAST_RINT' in self.complete(lsp, line, '      pto.tcvt ins(%t {rmode = #pto<round_mode CA')
        assert {'PIPE_MTE2', 'EVENT_ID0'} <= set(self.complete(lsp, line, '      pto.set_flag[<PIPE'))
        lsp.end()

    # ---- names

    def test_definition_and_references(self):
        lsp = self.start()
        lsp.open(KERNEL)
        line, at = place('%t', 2)
        assert [found['range'] for found in lsp.at('textDocument/definition', line, at + 1)] == [span(*place('%t'), place('%t')[0], place('%t')[1] + 2)]
        everywhere = [(place('%t', n)[0], place('%t', n)[1]) for n in range(4)]
        found = lsp.at('textDocument/references', line, at, context={'includeDeclaration': True})
        assert [(f['range']['start']['line'], f['range']['start']['character']) for f in found] == everywhere, found
        assert len(lsp.at('textDocument/references', line, at, context={'includeDeclaration': False})) == 3
        kinds = [mark['kind'] for mark in lsp.at('textDocument/documentHighlight', line, at)]
        assert kinds == [3, 2, 2, 2], kinds
        assert lsp.at('textDocument/definition', 0, 0) == []
        lsp.end()

    def test_names_mean_what_their_region_says(self):
        lsp = self.start()
        text = KERNEL.replace('scf.for %i = %c0 to %n step %c1 {\n', 'scf.for %i = %c0 to %n step %c1 {\n    }\n    scf.for %i = %c0 to %n step %c1 {\n      %k = arith.addi %i, %i : index\n')
        lsp.open(text)
        line, at = place('%i, %i', 0, text)
        found = lsp.at('textDocument/references', line, at, context={'includeDeclaration': True})
        assert [f['range']['start']['line'] for f in found] == [line - 1, line, line], found
        lsp.end()

    def test_functions_aliases_and_labels(self):
        lsp = self.start()
        text = '!t = !pto.tile_buf<vec, 16x32xf32>\nfunc.func @f(%a: index) {\n  %x = pto.alloc_tile : !t\n  return\n}\nfunc.func @k(%n: index) attributes {pto.kernel} {\n  func.call @f(%n) : (index) -> ()\n  return\n}\n'
        lsp.open(text)
        assert lsp.at('textDocument/definition', *place('@f', 1, text))[0]['range']['start'] == {'line': 1, 'character': 10}
        assert lsp.at('textDocument/definition', 2, 25)[0]['range'] == span(0, 0, 0, 2)
        edits = lsp.at('textDocument/rename', 6, 13, newName='g')['changes']['file:///k.pto']
        assert [(e['range']['start']['line'], e['range']['start']['character'], e['newText']) for e in edits] == [(1, 11, 'g'), (6, 13, 'g')], edits
        lsp.end()

    def test_rename(self):
        lsp = self.start()
        lsp.open(KERNEL)
        line, at = place('%u', 1)
        assert lsp.at('textDocument/prepareRename', line, at + 1) == {'range': span(line, at + 1, line, at + 2), 'placeholder': 'u'}
        edits = lsp.at('textDocument/rename', line, at, newName='%sum')['changes']['file:///k.pto']
        assert len(edits) == 3 and {edit['newText'] for edit in edits} == {'sum'}
        lsp.edit([(edit['range'], edit['newText']) for edit in reversed(edits)])
        assert lsp.faults() == []
        for name, why in (('t', 'taken'), ('a b', 'no name'), ('', 'no name'), ('%', 'no name')):
            error = lsp.request('textDocument/rename', {'textDocument': {'uri': 'file:///k.pto'}, 'position': {'line': line, 'character': at}, 'newName': name})['error']
            assert error['code'] == -32803 and why in error['message'], (name, error)
        assert lsp.at('textDocument/prepareRename', 0, 0) is None
        lsp.end()

    # ---- outline, hints, fixes, form

    def test_outline(self):
        lsp = self.start()
        lsp.open(KERNEL)
        module, = lsp.ask('textDocument/documentSymbol', {'textDocument': {'uri': 'file:///k.pto'}})
        function, = module['children']
        assert function['name'] == '@add' and function['range']['start']['line'] == 1
        assert [child['name'] for child in function['children']] == ['%t', '%u', 'scf.for'], function['children']
        loop = function['children'][2]
        assert (loop['range']['start']['line'], loop['range']['end']['line']) == (place('scf.for')[0], place('scf.for')[0] + 2), loop
        assert function['range']['end']['line'] >= place('    return')[0] + 1
        lsp.edit([(span(place('tadd')[0], 0, place('tadd')[0], 99), '      pto.tad')])
        names = json.dumps(lsp.ask('textDocument/documentSymbol', {'textDocument': {'uri': 'file:///k.pto'}}))
        assert '@add' in names and '%u' in names, 'also of a text with errors'
        lsp.end()

    def test_hints(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'k.pto'
            path.write_text(KERNEL, encoding='utf-8')
            run = subprocess.run([self.assembler.parent / 'pto-sim', path, '--mode', 'time', '--arg', 'a=f32[512]', '--arg', 'n=i64:3', '--stats', path.with_suffix('.stats.json')], capture_output=True, check=False)
            assert run.returncode == 0, run.stderr
            uri = f'file://{path}'
            lsp = self.start()
            lsp.open(KERNEL, uri)
            ask = {'textDocument': {'uri': uri}, 'range': span(0, 0, 99, 0)}
            hints = lsp.ask('textDocument/inlayHint', ask)
            by_line = {hint['position']['line']: hint for hint in hints}
            assert by_line[place('%t')[0]]['label'] == 'ub 0x0' and by_line[place('%u')[0]]['label'] == 'ub 0x800', by_line
            stats = {one['line'] - 1: one for one in json.loads(path.with_suffix('.stats.json').read_text())['lines']}
            line = place('pto.tadd')[0]
            assert stats[line]['count'] == 3 and by_line[line]['label'] == f"{stats[line]['cycles']:,} cycles" and by_line[line]['tooltip'].startswith('executed 3 times')
            # Hints move with their lines; what is written anew has none.
            lsp.edit([(span(line, 0, line, 0), '      // one more\n')], 2, uri)
            moved = {hint['position']['line'] for hint in lsp.ask('textDocument/inlayHint', ask) if 'cycles' in hint['label']}
            assert line + 3 in moved and line not in moved, moved
            assert lsp.ask('textDocument/inlayHint', {**ask, 'range': span(0, 0, 2, 0)}) == []
            lsp.end()

    def fixes(self, text, changed):
        lsp = self.start()
        fault = lsp.open(text)[0]
        actions = lsp.ask('textDocument/codeAction', {'textDocument': {'uri': 'file:///k.pto'}, 'range': fault['range'], 'context': {'diagnostics': [fault]}})
        assert actions and actions[0]['kind'] == 'quickfix' and actions[0]['isPreferred'], (fault, actions)
        edits = actions[0]['edit']['changes']['file:///k.pto']
        lsp.edit([(edit['range'], edit['newText']) for edit in reversed(edits)])
        after = lsp.faults()
        assert all(other['code'] != fault['code'] for other in after), (fault, after)
        lsp.end()
        assert any(changed in edit['newText'] for edit in edits), edits

    def test_fixes(self):
        self.fixes(KERNEL.replace('tadd', 'tad'), 'tadd')
        self.fixes(KERNEL.replace('ins(%u', 'ins(%uu'), '%u')
        self.fixes(KERNEL.replace('    return\n', ''), 'return')

    def test_formatting(self):
        lsp = self.start()
        wild = '\n'.join('\t ' * (i % 3) + line.strip() + '  ' * (i % 2) for i, line in enumerate(KERNEL.split('\n')[:-1])) + '\n'
        wild = wild.replace('scf.for', '// a comment stays\n scf.for')
        lsp.open(wild)
        edits = lsp.ask('textDocument/formatting', {'textDocument': {'uri': 'file:///k.pto'}, 'options': {'tabSize': 2, 'insertSpaces': True}})
        lsp.edit([(edit['range'], edit['newText']) for edit in reversed(edits)])
        assert lsp.faults() == []
        again = lsp.ask('textDocument/formatting', {'textDocument': {'uri': 'file:///k.pto'}, 'options': {}})
        assert again == [], again
        lines = wild.split('\n')
        for edit in reversed(edits):
            number, start, end = edit['range']['start']['line'], edit['range']['start']['character'], edit['range']['end']['character']
            lines[number] = lines[number][:start] + edit['newText'] + lines[number][end:]
        assert '\n'.join(lines).replace('    // a comment stays\n', '') == KERNEL
        lsp.end()

    # ---- what no editor should say

    def test_requests_nobody_knows(self):
        lsp = self.start()
        assert lsp.request('textDocument/moniker')['error']['code'] == -32601
        assert lsp.request('textDocument/hover')['error']['code'] == -32602
        assert lsp.request('textDocument/hover', {'textDocument': {'uri': 'file:///other'}, 'position': {'line': 0, 'character': 0}})['error']['code'] == -32602
        lsp.open(KERNEL)
        assert lsp.request('textDocument/hover', {'textDocument': {'uri': 'file:///k.pto'}, 'position': {'line': -1, 'character': 'x'}})['error']['code'] == -32602
        lsp.tell('$/setTrace', {'value': 'off'})
        lsp.tell('workspace/nothing')
        assert lsp.end() == 0

    def test_order_of_life(self):
        lsp = self.start(initialize=False)
        assert lsp.request('textDocument/hover')['error']['code'] == -32002
        lsp.ask('initialize')
        assert 'error' in lsp.request('initialize')
        lsp.ask('shutdown')
        assert lsp.request('textDocument/hover')['error']['code'] == -32600
        lsp.tell('exit')
        assert lsp.wait() == 0
        lsp = self.start()
        lsp.tell('exit')
        assert lsp.wait() == 1
        lsp = self.start()
        assert lsp.wait() == 1, 'the stream ended without exit'

    def test_broken_messages(self):
        lsp = self.start()
        for message in (b'{', b'[]', b'null', b'{"id": {}}', b'{"id": 1.5, "method": "shutdown"}', b'\xff\xfe', b'[' * 100000, b'{"a":' * 50000):
            lsp.send(message)
            answer = lsp.receive()
            assert answer['id'] is None and answer['error']['code'] in (-32700, -32600), answer
        lsp.send({'jsonrpc': '2.0', 'method': 'textDocument/didOpen', 'params': [1, 2]})
        assert 'names no text' in lsp.told('window/logMessage')['message']
        assert lsp.open(KERNEL) == []
        assert lsp.end() == 0

    def test_broken_headers(self):
        for header in (b'Content-Length: 99999999999999999999\r\n\r\n', b'Content-Length: 9999999999\r\n\r\n', b'Content-Length: -1\r\n\r\n', b'Content-Length: x\r\n\r\n',
                       b'\r\n', b'no header\r\n\r\n', b'Content-Type: x\r\n\r\n', b'x' * 20000):
            lsp = self.start()
            lsp.send_bytes(header)
            answer = lsp.receive()
            assert answer['id'] is None and answer['error']['code'] == -32700, (header, answer)
            assert lsp.wait() == 2 and 'pto-lsp: error: ' in lsp.errors, (header, lsp.errors)

    def test_edits_outside_of_the_text(self):
        for range_ in (span(99, 0, 99, 1), span(3, 0, 2, 0), span(0, 5, 0, 1)):
            lsp = self.start()
            lsp.open(KERNEL)
            lsp.edit([(range_, 'x')])
            assert 'outside of the text' in lsp.told('window/logMessage')['message']
            assert lsp.faults() == []
            assert lsp.open('broken') != []
            assert lsp.end() == 0

    # ---- positions

    def test_utf16_and_line_ends(self):
        lsp = self.start()
        for end in ('\n', '\r\n'):
            text = KERNEL.replace('    pto.tadd', '    /// π 😀\n    pto.tadd').replace('\n', end)
            lsp.open(text, 'file:///u.pto')
            line = place('😀', 0, text.replace('\r', ''))[0]
            # The smiley takes two units: what stands behind it is overwritten.
            lsp.edit([(span(line, 12, line, 12), ' x'), (span(line + 1, 6, line + 1, 10), 'pto.tad ')], 2, 'file:///u.pto')
            faults = lsp.faults()
            assert faults and faults[0]['range']['start']['line'] == line + 1, faults
            lsp.tell('textDocument/didClose', {'textDocument': {'uri': 'file:///u.pto'}})
            lsp.faults()
        lsp.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', type=pathlib.Path, default=ROOT / 'build/release/bin')
    parser.add_argument('names', nargs='*')
    args = parser.parse_args()
    tests = Tests(args.bin.resolve())
    passed = failed = 0
    for name, test in inspect.getmembers(tests, inspect.ismethod):
        if not name.startswith('test_') or (args.names and not any(part in name for part in args.names)):
            continue
        try:
            test()
            passed += 1
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f'FAILED {name}')
            traceback.print_exc(file=sys.stdout)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
