// Two runs compared: what `pto-sim diff` says, with bars.
import {read} from './data.js';
import {timeline} from './timeline.js';
import {h, grouped, percent, short} from './util.js';

const signed = number => Math.round(number) === 0 ? '0' : `${number < 0 ? '\u2212' : '+'}${grouped(Math.abs(number))}`;
const lines = row => !row.line_a && !row.line_b ? '' : !row.line_a ? `only in B, line ${row.line_b}` : !row.line_b ? `only in A, line ${row.line_a}`
  : row.line_a === row.line_b ? `line ${row.line_a}` : `lines ${row.line_a} and ${row.line_b}`;

// Bars to the left are cycles that B saves, to the right those that it takes more.
function bars(rows, name, most = 24) {
  const shown = rows.slice(0, most), widest = Math.max(...shown.map(row => Math.abs(row.change)), 1);
  return [h('div', {class: 'changes'}, shown.flatMap(row => [
    h('span', {class: 'what'}, name(row)),
    h('span', {class: 'number'}, `${grouped(row.a)} \u2192 ${grouped(row.b)}`),
    h('span', {class: 'both'}, h('i', {style: `left:${row.change < 0 ? 50 + 50 * row.change / widest : 50}%;width:${50 * Math.abs(row.change) / widest}%;background:var(--${row.change < 0 ? 'good' : 'bad'})`})),
    h('span', {class: 'number'}, signed(row.change))])),
  rows.length > most ? h('p', {class: 'dim'}, `and ${grouped(rows.length - most)} smaller changes`) : null];
}

function sides({a, b}) {
  const row = (what, get) => h('tr', {}, h('th', {class: 't'}, what), h('td', {class: 't'}, get(a)), h('td', {class: 't'}, get(b)));
  return h('div', {class: 'wide'}, h('table', {class: 'plain'}, h('tr', {}, ['', 'A', 'B'].map(text => h('th', {class: 't'}, text))), row('program', side => side.program), row('target', side => side.target),
    row('outcome', side => side.outcome), row('cycles', side => grouped(side.total_cycles)), row('of them launch', side => grouped(side.launch_cycles))),
  ...[['A', a], ['B', b]].map(([letter, side]) => h('p', {}, h('b', {}, `${letter}: `), side.verdict)));
}

function sources({a, b, lines: costs, matched}) {
  const text = side => new Map(side.source.map(each => [each.line, each.text]));
  const left = text(a), right = text(b), partner = new Map(matched), taken = new Set(partner.values());
  const cost = new Map(costs.map(row => [`${row.line_a ?? 0}/${row.line_b ?? 0}`, row]));
  const pairs = [...left.keys()].map(line => [line, partner.get(line) ?? 0]).concat([...right.keys()].filter(line => !taken.has(line)).map(line => [0, line]));
  pairs.sort(([a0, b0], [a1, b1]) => (a0 || b0) - (a1 || b1));
  return h('div', {class: 'source frame', tabindex: 0}, h('table', {}, h('thead', {}, h('tr', {}, ['change', 'A', 'B', 'lines', 'text'].map(name => h('th', {}, name)))), h('tbody', {}, pairs.map(([from, to]) => {
    const row = cost.get(`${from}/${to}`), before = left.get(from), after = right.get(to);
    const texts = before === after || !after || !before ? [h('div', {}, before ?? after)] : [h('div', {class: 'gone'}, before), h('div', {class: 'new'}, after)];
    return h('tr', {class: !before ? 'only-b' : !after ? 'only-a' : null}, h('td', {class: 'n', style: row ? `color:var(--${row.change < 0 ? 'good' : 'bad'})` : null}, row ? signed(row.change) : ''),
      h('td', {class: 'n'}, row ? grouped(row.a) : ''), h('td', {class: 'n'}, row ? grouped(row.b) : ''), h('td', {class: 'n'}, from === to ? from : `${from || '\u2013'} ${to || '\u2013'}`), h('td', {}, texts));
  }))));
}

// Both on the scale of the longer run; moving one moves the other.
function timelines([a, b]) {
  const models = [read(a), read(b)], total = Math.max(...models.map(each => each.kernelCycles)), views = [];
  let following = false;
  const moved = other => ([from, to]) => {
    if (following || !views[other]) return;
    following = true;
    views[other].show(from, to);
    following = false;
  };
  views.push(timeline(models[0], {name: 'A', total, moved: moved(1)}), timeline(models[1], {name: 'B', total, moved: moved(0)}));
  return h('div', {}, views.map((view, i) => h('div', {id: view.id}, h('h3', {}, 'AB'[i]), view.body)));
}

export function differences(model) {
  const {a, difference, launch, kernel, path, busiest, explained} = model, each = row => row.each_a && row.each_b && Math.round(row.each_a) !== Math.round(row.each_b)
    ? `, each ${grouped(row.each_a)} \u2192 ${grouped(row.each_b)}` : '';
  const tile = (number, what) => h('div', {class: 'tile'}, h('b', {}, number), h('span', {}, what));
  const verdict = difference === 0 ? 'B takes as many cycles as A.' : `B takes ${grouped(Math.abs(difference))} cycles ${difference < 0 ? 'less' : 'more'} than A (${percent(Math.abs(difference), a.total_cycles)}).`;
  const places = path ?? busiest ?? [];
  return [
    {id: 'verdict', title: 'Two runs', body: h('div', {}, h('p', {class: 'verdict'}, verdict),
      h('div', {class: 'tiles'}, tile(signed(difference), 'cycles'), tile(signed(kernel), 'cycles of the kernel'), tile(signed(launch), 'cycles of the launch')), sides(model))},
    ...(model.runs ? [{id: 'timelines', title: 'Timelines', body: timelines(model.runs)}] : []),
    {id: 'path', title: path ? 'Along the critical paths' : 'The busiest pipe', body: h('div', {},
      h('p', {class: 'dim'}, path ? `A critical path adds up to its run, so these changes add up to the difference of the kernels. The first rows, which the text report lists, are ${percent(explained, 1)} of all changes.`
        : 'Without critical paths (statistics of runs with --advice) places of the text are not compared.'),
      bars(places, row => [h('i', {class: 'dot', style: `background:var(--pipe-${row.pipe})`}), `${row.pipe} ${short(row.what ?? '')}${row.pipe === 'S' ? '' : ` ${lines(row)}`}${each(row)}`]))},
    {id: 'pipes', title: 'Pipes', body: h('div', {}, h('p', {class: 'dim'}, 'Busy cycles, means over cores.'), bars(model.pipes, row => [h('i', {class: 'dot', style: `background:var(--pipe-${row.pipe})`}), row.pipe]))},
    {id: 'waits', title: 'Waits', body: h('div', {}, h('p', {class: 'dim'}, 'Sums over cores.'), bars(model.waits, row => `${row.pipe} ${row.what} ${lines(row)}`))},
    {id: 'lines', title: 'Lines', body: h('div', {}, h('p', {class: 'dim'}, 'Busy cycles of lines that do something, sums over cores.'), sources(model))},
  ];
}
