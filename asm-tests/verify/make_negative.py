#!/usr/bin/env python3
"""Mistakes in every tile operation, one at a time: which rule refuses them, and where.

usage: make_negative.py PTO_AS [OPERATION]

A valid statement per operation and target is changed in one way (element type, location, layout, valid region, shape, kind
of an operand, ...) and assembled. Per operation, form and target the changes are printed by the id of the first error they
cause; a change of an operand whose finding stands neither at the operand nor at its type is marked `@` with the place. What
every operation refuses in the same way (E0107 rank, E0301 kind, E0382 valid region beyond the tile) is only printed where it
differs. The test negative.sh pins the lines; coverage_tile.csv refers to them.
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import replace

from negative_operations import Tile, operations

OTHER_ELEM = {'f32': 'i16', 'f16': 'i32', 'i16': 'f32', 'i32': 'f16', 'i8': 'f32', 'ui8': 'f32', 'ui16': 'f32', 'ui32': 'f16', 'f8E4M3FN': 'i32', 'i64': 'f32', 'bf16': 'i32'}


def wide(tile, elem):
    """Another element type, in whole blocks and boxes of it."""
    least = 32 if tile.blayout == 'row_major' or tile.slayout != 'none_box' else 1
    return replace(tile, elem=elem, cols=max(tile.cols, least), valid=tile.region())


def changes(op):
    """(name of the change, changed operation), the valid statement first."""
    yield 'valid', op
    first = next((n for n, v in op.operands if isinstance(v, Tile)), '')
    for name, value in op.operands:
        if not isinstance(value, Tile):
            if value.startswith('='):
                yield f'kind:{name}', op.change(**{name: '!pto.ptr<f32>'})
            continue
        rows, cols = value.region()
        swapped = {'row_major': 'col_major', 'col_major': 'row_major'}
        fresh = {
            'kind': '!pto.ptr<f32>',
            'rank': replace(value, extra='2x'),
            'too_valid': replace(value, valid=(value.rows + 1, value.cols)),
            'fp8': wide(value, 'f8E4M3FN'),
            'elem': wide(value, OTHER_ELEM[value.elem]),
            'loc': replace(value, loc='mat' if value.loc in ('vec', 'scaling', 'bias') else 'vec'),
            'place': replace(value, loc='bias' if value.loc != 'bias' else 'scaling'),
            'blayout': replace(value, blayout=swapped[value.blayout]),
            'slayout': replace(value, slayout='row_major' if value.slayout == 'none_box' else swapped[value.slayout]),
            'rows': replace(value, valid=(rows - 1, cols)) if rows > 1 else replace(value, rows=value.rows + 1),
            'cols': replace(value, valid=(rows, cols - 1)) if cols > 1 else replace(value, cols=value.cols + 1, valid=(rows, cols + 1)),
            'no_rows': replace(value, valid=(0, cols)),
            'no_cols': replace(value, valid=(rows, 0)),
            'shape': replace(value, rows=value.rows * 2, valid=(rows, cols)),
        }
        for change, tile in fresh.items():
            if change in ('rank', 'too_valid') and name != first:   # judged where the tile is made, once per type
                continue
            yield f'{change}:{name}', op.change(**{name: tile})
        for other, tile in op.operands:
            if isinstance(tile, Tile) and other > name:
                yield f'same:{name},{other}', replace(op, operands=tuple((n, ('same', name) if n == other else v) for n, v in op.operands))
    for elem in ('i1', 'i8', 'i16', 'i32', 'i64', 'f16', 'bf16', 'f32', 'f64'):
        data = {n: wide(v, elem) for n, v in op.operands if isinstance(v, Tile) and n in ('src', 'src0', 'src1', 'src2', 'dst', 'tmp', 'srcs', 'dsts')}
        scalars = {n: elem for n, v in op.operands if n in ('scalar', 'S') and not str(v).startswith('=')}
        yield f'all:{elem}', op.change(**data, **scalars)
    for name, change in op.more.items():
        if isinstance(change, str) and change.startswith('RESULT'):
            yield name, replace(op, result=change.split()[1])
        else:
            yield name, replace(op, attrs=change) if isinstance(change, str) else op.change(**dict(change))
    if op.name == 'pto.tdivs' or op.name.endswith('expanddiv') or op.name == 'pto.tlog':
        mode = 'precision_mode = #pto<precision_mode HIGH_PRECISION>'
        whole = {n: replace(v, elem='i16') if isinstance(v, Tile) else 'i16' for n, v in op.operands}
        yield 'precision', replace(op.change(**whole), attrs=mode)


def function(op):
    lines, names, types, arguments = [], [], [], []
    for name, value in op.operands:
        same = isinstance(value, tuple)
        kind = op.get(value[1]) if same else value
        if same:
            names.append(f'%{value[1]}')
        else:
            names.append(f'%{name}')
            if isinstance(value, Tile):
                given = [f'{key} = %open ' for key, extent in zip(('valid_row', 'valid_col'), value.valid or ()) if extent == '?']
                if given and '%open: index' not in arguments:
                    arguments.append('%open: index')
                lines.append(f'%{name} = pto.alloc_tile {"".join(given)}: {value}')
            elif value.startswith('='):
                lines.append(f'%{name} = arith.constant {value[1:]}')
                kind = value.split(' : ')[1]
            else:
                arguments.append(f'%{name}: {value}')
        types.append(str(kind))
    segments = ''
    order = ROWS[op.name]
    if any(mark for _, mark in order):
        sizes = ', '.join('1' if name in dict(op.operands) else '0' for name, _ in order)
        segments = f' <{{operandSegmentSizes = array<i32: {sizes}>}}>'
    attrs = f' {{{op.attrs}}}' if op.attrs else ''
    head = '%r = ' if op.result else ''
    form = re.fullmatch(r'pto\.\S+ ins\(([%\w, ?]+?)( \{[^}]*\})? : type\(.*\) outs\(([%\w, ?]+?) : type\(.*?\)\??\)( \{[^}]*\})?', SYNTAX[op.name])
    if form:
        value, kind = dict(zip([n for n, _ in op.operands], names)), dict(zip([n for n, _ in op.operands], types))
        ins, outs = ([n.strip(' %?') for n in part.split(',') if n.strip(' %?') in value] for part in (form[1], form[3]))
        side = lambda part, inner: f'({", ".join(value[n] for n in part)}{inner} : {", ".join(kind[n] for n in part)})'
        lines.append(f'{op.name} ins{side(ins, attrs if form[2] else "")} outs{side(outs, "")}{attrs if form[4] else ""}')
    else:
        lines.append(f'{head}"{op.name}"({", ".join(names)}){segments}{attrs} : ({", ".join(types)}) -> {op.result or "()"}')
    body = ''.join(f'    {line}\n' for line in lines)
    return f'  func.func @NAME({", ".join(arguments)}) {{\n{body}    return\n  }}\n'


def in_row_order(op):
    """Operands in the order of the row, as the generic form has them."""
    order = [name for name, _ in ROWS[op.name]]
    return replace(op, operands=tuple(sorted(op.operands, key=lambda item: order.index(item[0]))))


def marked(data, begin, end):
    """The text that a finding marks; the whole type when it marks a key or another part of one."""
    start = data.rfind(b'!pto.', 0, begin)
    if start >= 0 and not re.search(rb'[>\n]', data[start:begin]):
        begin, end = start, data.index(b'>', begin) + 1
    return data[begin:end].decode()


def assemble(pto_as, file, target, functions):
    """First error of each function: index -> (id, span, message). A program that does not parse is not verified."""
    text = f'module attributes {{pto.target_arch = "{target}"}} {{\n'
    starts = []
    for index, body in functions.items():
        starts.append((len(text.encode()), index))
        text += body.replace('@NAME', f'@k{index}')
    text += '}\n'
    file.write_text(text)
    done = subprocess.run([pto_as, '--diagnostics=json', '--max-errors', '0', file, '-o', '/dev/null'], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f'{file}: exit {done.returncode}')
    found, data = {}, text.encode()
    for item in json.loads(done.stderr or '[]'):
        at = item['location']
        owner = [index for start, index in starts if start <= at['begin']]
        if item['severity'] == 'error' and owner:
            found.setdefault(owner[-1], (item['id'], marked(data, at['begin'], at['end']), item['message']))
    return found


def verdicts(pto_as, folder, number, target, functions):
    """Verdict of every function; those that do not parse are taken out first."""
    pending, known = dict(enumerate(functions)), {}
    while True:
        found = assemble(pto_as, pathlib.Path(folder) / f'{number}.pto', target, pending)
        broken = {index: verdict for index, verdict in found.items() if verdict[0].startswith(('E01', 'E0382', 'E0415'))}
        known.update(broken or found)
        if not broken:
            return [known.get(index, ('accepted', '', '')) for index in range(len(functions))]
        for index in broken:
            del pending[index]


ROWS, SYNTAX, TILE = {}, {}, set()


def load_rows(pto_as):
    listed = json.loads(subprocess.run([pto_as, '--list-instructions', '--format', 'json'], capture_output=True, check=True).stdout)
    for row in listed:
        SYNTAX.setdefault(row['name'], row['syntax'])
        if row['layer'] == 'tile' and row['readable'] and any('tile' in operand['kinds'] for operand in row['operands']):
            TILE.add(row['name'])
        ROWS.setdefault(row['name'], [(operand['name'], operand['arity'] != 'one') for operand in row['operands']])


def run(pto_as, only=''):
    """(operation, target, form, change, id, span, message, function) of every change."""
    load_rows(pto_as)
    jobs = []
    for target in ('a2a3', 'a5'):
        forms = {}
        for op in operations(target):
            forms[op.name] = forms.get(op.name, 0) + 1
            if only in ('', op.name):
                jobs.append((op.name, target, forms[op.name], [(name, function(changed)) for name, changed in changes(in_row_order(op))]))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda job: verdicts(pto_as, folder, job[0], job[1][1], [text for _, text in job[1][3]]), enumerate(jobs)))
    return [(*job[:3], change, *verdict, text) for job, list_ in zip(jobs, found) for (change, text), verdict in zip(job[3], list_)]


def place(change, span, text):
    """'' when the span is the changed operand or its type."""
    name = change.split(':')[-1].split(',')[-1]
    kind = re.search(rf'%{name} = pto.alloc_tile [^:]*: (.*)', text)
    fits = ':' not in change or change.startswith('all:') or span == f'%{name}' or change.startswith('same:') or (kind and span == kind[1])
    return '' if fits or not span else '@' + ('' if span.startswith(('%', 'pto.')) else 'type of ' + ','.join(re.findall(rf'%(\w+) = pto.alloc_tile [^:]*: {re.escape(span)}', text)[:1])) + (span if span.startswith(('%', 'pto.')) else '')


USUAL = {'rank': 'E0107', 'kind': 'E0301', 'too_valid': 'E0382'}


def main():
    lines, wrong = {}, set()   # forms that are mistakes as they stand: their changes say nothing more
    for name, target, form, change, rule, span, _, text in run(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ''):
        if change == 'valid' and rule != 'accepted':
            wrong.add((name, target, form))
        elif (name, target, form) in wrong:
            continue
        if USUAL.get(change.split(':')[0]) == rule or rule == 'accepted':
            continue
        label = name if form == 1 else f'{name}/{form}'
        lines.setdefault((label, target), {}).setdefault(rule, []).append(change + place(change, span, text))
    texts = {key: '; '.join(f'{rule} {" ".join(found)}' for rule, found in sorted(rules.items())) for key, rules in lines.items()}
    for (label, target), text in texts.items():
        if target == 'a5' and texts.get((label, 'a2a3')) == text:
            continue
        both = target == 'a2a3' and texts.get((label, 'a5')) == text
        print(f'{label} {"both" if both else target}: {text}')
    if len(sys.argv) == 2:
        made = {op.name for target in ('a2a3', 'a5') for op in operations(target)}
        print('not in negative_operations.py: ' + ' '.join(sorted(TILE - made)))


if __name__ == '__main__':
    main()
