// The text with what every line cost and what was found there.
import {h, grouped, percent, tell, on} from './util.js';
import {finding} from './summary.js';

const CONTEXT = 3, MANY = 1500;

export function source(model) {
  const cost = new Map(model.lines.map(([line, count, cycles, waits]) => [line, {line, count, cycles, waits}]));
  const found = new Map();
  for (const one of model.run.findings) if (one.line) found.set(one.line, [...(found.get(one.line) ?? []), one]);
  if (!model.source.length) {
    if (!cost.size) return null;
    model.source = [];
    for (const line of cost.keys()) model.source[line - 1] = '';
  }
  const most = Math.max(1, ...[...cost.values()].map(one => one.cycles));
  const all = [...cost.values()].reduce((sum, one) => sum + one.cycles, 0);
  const waitsOf = one => Object.values(one.waits).reduce((sum, cycles) => sum + cycles, 0);
  const rows = new Map();

  const row = number => {
    const one = cost.get(number), text = model.source[number - 1] ?? '';
    const heat = one ? one.cycles / most : 0;
    const cells = h('tr', {
      class: one ? 'hot' : null, 'data-line': number, title: one ? `${percent(one.cycles, all)} of the busy cycles; ${reasons(one)}` : null,
      onclick: one ? () => tell('line', number) : undefined,
    },
    h('td', {class: 'n', style: heat ? `background:rgba(var(--heat),${(0.06 + 0.5 * heat).toFixed(3)})` : null}, one?.cycles ? grouped(one.cycles) : ''),
    h('td', {class: 'n few'}, one?.count ? grouped(one.count) : ''), h('td', {class: 'n'}, one && waitsOf(one) ? grouped(waitsOf(one)) : ''),
    h('td', {class: 'n'}, String(number)), h('td', {}, text));
    rows.set(number, cells);
    const notes = (found.get(number) ?? []).map(each => h('tr', {}, h('td', {colspan: 4}), h('td', {}, finding(each))));
    return [cells, ...notes];
  };
  const reasons = one => Object.keys(one.waits).length ? `waits: ${Object.entries(one.waits).map(([reason, cycles]) => `${reason} ${grouped(cycles)}`).join(', ')}` : 'no waits';

  const body = h('tbody');
  const shownAt = new Set();
  const many = model.source.length > MANY;
  if (many) for (const line of [...cost.keys(), ...found.keys()]) for (let at = line - CONTEXT; at <= line + CONTEXT; ++at) shownAt.add(at);
  const gap = (first, last) => {
    const cells = h('tr', {class: 'gap', onclick: () => cells.replaceWith(...range(first, last))}, h('td', {colspan: 5}, `${last - first + 1} lines`));
    return cells;
  };
  const range = (first, last) => Array.from({length: last - first + 1}, (_, i) => row(first + i)).flat();
  for (let at = 1; at <= model.source.length;) {
    if (!many || shownAt.has(at)) {
      body.append(...row(at++));
      continue;
    }
    const first = at;
    while (at <= model.source.length && !shownAt.has(at)) ++at;
    body.append(gap(first, at - 1));
  }

  on('at-line', line => {
    body.querySelector('tr.at')?.classList.remove('at');
    const cells = rows.get(line);
    cells?.classList.add('at');
    if (cells) box.scrollTop = cells.offsetTop - box.clientHeight / 2;
  });
  const box = h('div', {class: 'source frame', tabindex: 0, 'aria-label': 'Source with cycles'},
    h('table', {}, h('thead', {}, h('tr', {}, ['cycles', 'times', 'waits', 'line', 'text'].map(name => h('th', {class: name === 'times' ? 'few' : null}, name)))), body));
  // Where the work is comes first.
  let placed = false;
  on('redraw', () => {
    const first = body.querySelector('tr.hot');
    if (!placed && first && first.offsetTop > box.clientHeight * 0.7) box.scrollTop = first.offsetTop - 60;
    placed = true;
  });
  return {id: 'source', title: 'Source', body: h('div', {}, h('p', {class: 'dim hint'},
    'Cycles are those in which a pipe was busy, waits those before it could begin, summed over all cores. A line with numbers leads to its instructions in the timeline.'), box)};
}
