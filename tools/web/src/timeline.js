// Pipes over time, on a canvas: d3 scales, zooms and draws the axis. Rows stand in the order of the data flow.
import {select} from 'd3-selection';
import {scaleLinear} from 'd3-scale';
import {axisTop} from 'd3-axis';
import {zoom, zoomIdentity} from 'd3-zoom';
import {h, grouped, percent, short, colour, pipeColour, fit, on, tell, inside} from './util.js';

const HEAD = 20, AXIS = 24, LEAST_CYCLES = 8;

// The first whose end is behind `time`, in a list without overlaps that matter.
function firstAt(list, time) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].end < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function choices(model) {
  const kept = [...new Set(model.lanes.map(lane => lane.core))];
  const blocks = new Map();
  for (const core of kept) {
    const {block} = model.run.cores[core];
    blocks.set(block, [...(blocks.get(block) ?? []), core]);
  }
  const list = [...blocks].map(([block, cores]) => ({name: `block ${block}`, cores}));
  if (list.length > 1) list.push({name: `all of ${kept.length} cores`, cores: kept});
  return list;
}

// `options`, where two stand on one page: `name`, `total` cycles of the longer run, `moved` is told what is shown.
export function timeline(model, {name = '', total: longest = 0, moved = () => {}} = {}) {
  const total = Math.max(1, model.kernelCycles, longest), id = each => (name ? `${each}-${name.toLowerCase()}` : each);
  const cores = choices(model);
  let shown = cores.length > 1 && model.lanes.length <= 24 ? cores[cores.length - 1] : cores[0];
  let width = 0, height = 0, labels = 62, rows = [], hits = [], query = '', hit = -1, selected = null, flagsDrawn = 0;
  const x = scaleLinear();
  let view = x;

  const canvas = h('canvas', {tabindex: 0, role: 'img', 'aria-label': 'Timeline of the pipes. Keys: w and s zoom, a and d move, 0 shows all, n and p go to hits, comma and full stop to neighbours.'});
  const axisBox = select(document.createElementNS('http://www.w3.org/2000/svg', 'svg')).attr('height', AXIS).attr('class', 'axis');
  const axisGroup = axisBox.append('g').attr('transform', `translate(0,${AXIS - 1})`);
  const tip = h('div', {class: 'tip', hidden: true});
  const detail = h('div', {class: 'detail', 'aria-live': 'polite'});
  const count = h('span', {class: 'dim', id: id('hits'), 'aria-live': 'polite'});
  const scroll = h('div', {class: 'scroll'}, canvas);
  const frame = h('div', {class: 'frame', id: id('timeline-frame')}, axisBox.node(), scroll);
  document.body.append(tip);

  function layout() {
    width = Math.max(280, frame.clientWidth || 900);
    labels = width < 500 ? 44 : 62;
    const lanes = model.lanes.filter(lane => shown.cores.includes(lane.core));
    const rowHeight = lanes.length > 150 ? 7 : lanes.length > 40 ? 14 : 20;
    rows = [];
    let y = 4;
    if (model.path.length) {
      rows.push({y, height: rowHeight, label: 'path', path: true, work: model.path, waits: []});
      y += rowHeight + 6;
    }
    let core = -1;
    for (const lane of lanes) {
      if (lane.core !== core) {
        core = lane.core;
        if (model.cores.length > 1) {
          rows.push({y, height: HEAD - 3, title: model.cores[core], core});
          y += rowHeight < 10 ? 12 : HEAD;
        }
      }
      const tall = lane.inside ? rowHeight * 0.7 : rowHeight;
      rows.push({y, height: tall - 3, label: lane.inside || lane.pipe, ...lane});
      y += tall;
    }
    height = y + 6;
    x.domain([0, total]).range([labels, width - 6]);
    zooming.extent([[labels, 0], [width, height]]).translateExtent([[labels, 0], [width - 6, height]]).scaleExtent([1, Math.max(1, total / LEAST_CYCLES)]);
    axisBox.attr('width', width);
  }

  const rowOf = (core, lane) => rows.find(row => row.core === core && row.lane === lane);

  // Bars that are closer than a pixel become one.
  function drawBars(context, row, from, to) {
    const dimmed = hits.length > 0;
    for (let i = firstAt(row.waits, from); i < row.waits.length && row.waits[i].begin <= to; ++i) {
      const wait = row.waits[i], left = Math.max(labels, view(wait.begin)), right = Math.min(width, view(wait.end));
      if (right - left < 0.4) continue;
      context.fillStyle = colour(`wait-${wait.reason}`) || colour('wait');
      const thin = row.height > 8 ? 0.3 : 0.2;
      context.fillRect(left, row.y + row.height * thin, Math.max(0.6, right - left), row.height * (1 - 2 * thin));
      if (right - left > 60 && row.height > 12 && wait.reason !== 'not_issued') label(context, wait.reason, left, right, row, colour('dim'));
    }
    // What is narrower than a pixel adds to the share of its column.
    let column = -1, share = 0;
    const flush = () => {
      if (column >= labels && share > 0) {
        const tall = Math.max(1, row.height * Math.min(1, share));
        context.globalAlpha = dimmed ? 0.25 : 1;
        context.fillStyle = pipeColour(columnPipe);
        context.fillRect(column, row.y + row.height - tall, 1, tall);
        context.globalAlpha = 1;
      }
      share = 0;
    };
    let columnPipe = row.pipe, last = -1;
    for (let i = firstAt(row.work, from); i < row.work.length && row.work[i].begin <= to; ++i) {
      const work = row.work[i], begin = view(work.begin), end = view(work.end);
      if (end - begin < 1.2 && !work.hit) {
        if (Math.floor(begin) !== column) {
          flush();
          column = Math.floor(begin);
          columnPipe = work.pipe;
        }
        share += end - begin;
        continue;
      }
      const left = Math.max(labels, begin), right = Math.max(left + 0.8, Math.min(width, end));
      if (work.hit && right - last < 0.7) continue;
      last = right;
      context.globalAlpha = dimmed && !work.hit ? 0.25 : 1;
      context.fillStyle = work.hit ? colour('hit') : pipeColour(work.pipe);
      context.fillRect(left, row.y, Math.max(0.8, right - left - (right - left > 3 ? 0.6 : 0)), row.height);
      if (right - left > 34 && row.height > 12) label(context, short(work.op.mnemonic), left, right, row, '#fff');
      context.globalAlpha = 1;
    }
    flush();
  }

  function label(context, text, left, right, row, style) {
    context.save();
    context.beginPath();
    context.rect(left, row.y, right - left - 2, row.height);
    context.clip();
    context.fillStyle = style;
    context.fillText(text, left + 4, row.y + row.height / 2 + 0.5);
    context.restore();
  }

  function drawFlags(context, from, to) {
    const most = 500;
    const visible = model.flags.filter(flag => flag.set <= to && flag.taken >= from && shown.cores.includes(flag.core));
    const wanted = visible.length <= most ? visible : visible.filter(flag => flag === selected || flag.waitOp === selected?.op || flag.setOp === selected?.op).slice(0, most);
    for (const flag of wanted) {
      const source = rowOf(flag.core, flag.from), target = rowOf(flag.toCore, flag.to);
      if (!source || !target || source.height < 8) continue;
      const x0 = view(flag.set), x1 = view(flag.taken), down = target.y > source.y;
      if (x1 < labels || x0 > width) continue;
      const y0 = source.y + (down ? source.height : 0), y1 = target.y + (down ? 0 : target.height);
      context.strokeStyle = context.fillStyle = flag.waited ? colour('text') : colour('dim');
      context.globalAlpha = flag.waited ? 0.75 : 0.35;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(x0, y0);
      context.bezierCurveTo(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1);
      context.stroke();
      const tipBack = down ? -5 : 5;
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x1 - 3, y1 + tipBack);
      context.lineTo(x1 + 3, y1 + tipBack);
      context.fill();
      context.globalAlpha = 1;
    }
    return wanted.length;
  }

  function draw() {
    const context = fit(canvas, width, height);
    context.font = '11px ui-monospace, "DejaVu Sans Mono", monospace';
    context.textBaseline = 'middle';
    const [from, to] = view.domain();
    context.save();
    context.beginPath();
    context.rect(labels, 0, width - labels, height);
    context.clip();
    context.strokeStyle = colour('line');
    context.lineWidth = 0.5;
    for (const tick of view.ticks(Math.max(3, width / 110))) {
      context.beginPath();
      context.moveTo(view(tick), 0);
      context.lineTo(view(tick), height);
      context.stroke();
    }
    for (const row of rows) if (!row.title) drawBars(context, row, from, to);
    flagsDrawn = drawFlags(context, from, to);
    if (model.kept.until < total && view(model.kept.until) < width) {
      context.fillStyle = colour('panel');
      context.fillRect(Math.max(labels, view(model.kept.until)), 0, width, height);
    }
    if (selected?.begin !== undefined) {
      const row = selected.kind === 'path' ? rows.find(each => each.path) : rowOf(selected.core, selected.lane);
      if (row) {
        context.strokeStyle = colour('text');
        context.lineWidth = 2;
        context.strokeRect(view(selected.begin) - 1, row.y - 1, Math.max(3, view(selected.end) - view(selected.begin)) + 2, row.height + 2);
      }
    }
    context.restore();
    for (const row of rows) {
      context.fillStyle = row.title ? colour('text') : colour('dim');
      context.font = row.title ? '600 12px system-ui, "DejaVu Sans", sans-serif' : '11px system-ui, "DejaVu Sans", sans-serif';
      if (row.title) context.fillText(row.title, 4, row.y + row.height / 2);
      else if (row.height > 8) context.fillText(row.label, 6, row.y + row.height / 2);
    }
    axisGroup.call(axisTop(view).ticks(Math.max(3, width / 110)).tickFormat(time => grouped(time)).tickSizeOuter(0)).call(inside, view, width);
  }

  const zooming = zoom().on('zoom', event => {
    view = event.transform.rescaleX(x);
    draw();
    if (!name) tell('domain', view.domain());
    moved(view.domain());
  }).filter(event => !event.button && (event.type !== 'wheel' || !event.shiftKey));
  const box = select(canvas);

  function show(from, to) {
    if (!width) return;  // not laid out yet
    const span = Math.max(to - from, LEAST_CYCLES);
    const factor = Math.max(1, total / span);
    const middle = (from + to) / 2;
    box.call(zooming.transform, zoomIdentity.translate((labels + width - 6) / 2, 0).scale(factor).translate(-x(middle), 0));
  }
  function move(share) {
    const [from, to] = view.domain(), by = (to - from) * share;
    const start = Math.min(Math.max(0, from + by), total - (to - from));
    show(start, start + to - from);
  }
  const scaleBy = factor => box.call(zooming.scaleBy, factor);

  // ---- search
  function search(text) {
    query = text.trim().toLowerCase();
    for (const one of hits) one.hit = false;
    hits = [];
    hit = -1;
    if (query) {
      const line = /^(?:line\s*|:)?(\d+)$/.exec(query)?.[1];
      const matches = line ? one => one.op.line === Number(line)
        : one => one.op.mnemonic.toLowerCase().includes(query) || one.pipe.toLowerCase() === query || (model.source[one.op.line - 1] ?? '').toLowerCase().includes(query);
      const sameOp = new Map();
      for (const lane of model.lanes) {
        for (const one of lane.work) {
          let yes = sameOp.get(one.op);
          if (yes === undefined || one.op.pc < 0) sameOp.set(one.op, yes = matches(one));
          if (yes) hits.push(one);
        }
      }
      hits = hits.filter(one => shown.cores.includes(one.core)).sort((a, b) => a.begin - b.begin);
      for (const one of hits) one.hit = true;
    }
    count.textContent = query ? `${grouped(hits.length)} hit${hits.length === 1 ? '' : 's'}` : '';
    draw();
  }
  function step(by) {
    if (!hits.length) return;
    hit = (hit + by + hits.length) % hits.length;
    count.textContent = `${hit + 1} of ${grouped(hits.length)} hits`;
    pick(hits[hit], true);
  }

  // ---- what is under the pointer, and what is chosen
  function at(px, py) {
    const row = rows.find(each => !each.title && py >= each.y - 1 && py < each.y + each.height + 2);
    if (!row || px < labels) return null;
    const slack = view.invert(px + 2) - view.invert(px), time = view.invert(px);
    const inside = list => {
      for (let i = Math.max(0, firstAt(list, time - slack) - 1); i < list.length && list[i].begin <= time + slack; ++i) if (list[i].end >= time - slack) return list[i];
      return null;
    };
    return inside(row.work) ?? inside(row.waits);
  }
  function describe(one) {
    const where = one.op.line ? `, line ${one.op.line}` : '';
    const time = `${grouped(one.begin)} to ${grouped(one.end)}, ${grouped(one.end - one.begin)} cycles (${percent(one.end - one.begin, total)})`;
    if (one.kind === 'wait') return [h('b', {}, `${one.pipe} waits: ${one.reason}`), h('div', {}, `before ${one.op.mnemonic || 'its next instruction'}${where}`), h('div', {class: 'dim'}, time)];
    if (one.kind === 'path') return [h('b', {}, `critical path: ${one.pipe} ${one.op.mnemonic}${where}`), h('div', {class: 'dim'}, `${time}; could begin after: ${one.after}`)];
    if (one.inside) {
      return [h('b', {}, `${one.op.mnemonic}${where}`), h('div', {class: 'dim'}, `in a vector function${model.cores.length > 1 ? ` of ${model.cores[one.core]}` : ''}, ${one.inside}: ${grouped(one.begin)}`),
        h('div', {class: 'dim'}, `result there at ${grouped(one.visible)}`)];
    }
    const queued = one.begin - one.issue;
    return [h('b', {}, `${one.op.mnemonic}${where}`), h('div', {class: 'dim'}, `${one.pipe}${model.cores.length > 1 ? ` of ${model.cores[one.core]}` : ''}: ${time}`),
      h('div', {class: 'dim'}, `${queued ? `${grouped(queued)} cycles in the queue; ` : ''}result visible at ${grouped(one.visible)}`)];
  }
  function pick(one, zoomIn = false) {
    selected = one;
    if (zoomIn) {
      const span = Math.max((one.end - one.begin) * 6, Math.min(view.domain()[1] - view.domain()[0], (one.end - one.begin) * 40), 60);
      const middle = (one.begin + one.end) / 2, from = Math.min(Math.max(0, middle - span / 2), Math.max(0, total - span));
      show(from, from + span);
    } else {
      draw();
    }
    const text = model.source[one.op.line - 1];
    detail.replaceChildren(...describe(one), text ? h('div', {class: 'code'}, h('code', {}, text.trim().slice(0, 300))) : '');
    if (one.op.line && !name) tell('at-line', one.op.line);
  }
  function neighbour(by) {
    if (!selected) return;
    const row = selected.kind === 'path' ? rows.find(each => each.path) : rowOf(selected.core, selected.lane);
    const list = selected.kind === 'wait' ? row?.waits : row?.work;
    const next = list?.[list.indexOf(selected) + by];
    if (!next) return;
    const [from, to] = view.domain();
    pick(next, next.begin < from || next.end > to);
  }

  canvas.addEventListener('pointermove', event => {
    const one = event.pointerType === 'touch' ? null : at(event.offsetX, event.offsetY);
    tip.hidden = !one;
    if (!one) return;
    tip.replaceChildren(...describe(one));
    tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${event.clientY + 18 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : event.clientY + 18}px`;
  });
  canvas.addEventListener('pointerleave', () => (tip.hidden = true));
  canvas.addEventListener('click', event => {
    const one = at(event.offsetX, event.offsetY);
    if (one) pick(one);
  });
  const keys = {
    w: () => scaleBy(1.6), '+': () => scaleBy(1.6), '=': () => scaleBy(1.6), ArrowUp: () => scaleBy(1.6), s: () => scaleBy(1 / 1.6), '-': () => scaleBy(1 / 1.6),
    ArrowDown: () => scaleBy(1 / 1.6), a: () => move(-0.25), ArrowLeft: () => move(-0.25), d: () => move(0.25), ArrowRight: () => move(0.25),
    0: () => show(0, total), Home: () => show(0, total), n: () => step(1), p: () => step(-1), ',': () => neighbour(-1), '.': () => neighbour(1),
  };
  canvas.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  const input = h('input', {
    type: 'search', id: id('search'), placeholder: 'tload, line 41, %name, MTE2 ..', 'aria-label': 'Search instructions', oninput: event => search(event.target.value),
    onkeydown: event => {
      if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
      else if (event.key === 'Escape') { event.target.value = ''; search(''); canvas.focus(); }
    },
  });
  const button = (text, title, call) => h('button', {type: 'button', title, 'aria-label': title, onclick: call}, text);
  const tools = h('div', {class: 'tools'}, input, button('\u2191', 'Hit before', () => step(-1)), button('\u2193', 'Next hit', () => step(1)), count, h('span', {class: 'grow'}),
    cores.length > 1 ? h('select', {
      'aria-label': 'Cores', onchange: event => { shown = cores[event.target.selectedIndex]; search(input.value); redraw(); },
    }, cores.map(each => h('option', {selected: each === shown}, each.name))) : null,
    button('+', 'Zoom in', () => scaleBy(1.6)), button('\u2212', 'Zoom out', () => scaleBy(1 / 1.6)), button('all', 'Show everything', () => show(0, total)));
  const used = new Set(model.lanes.flatMap(lane => lane.waits.map(wait => wait.reason)));
  const legend = h('div', {class: 'legend'}, [...new Set(model.lanes.map(lane => lane.pipe))].map(pipe => h('span', {}, h('i', {style: `background:var(--pipe-${pipe})`}), pipe)),
    [...used].map(reason => h('span', {}, h('i', {style: `background:var(--wait-${reason})`}), `waits: ${reason}`)), model.flags.length ? h('span', {}, '\u2198 flags; dark when somebody waited') : null);
  const partly = [];
  if (model.kept.cores < model.run.cores.length) partly.push(`Shown are the first ${model.kept.cores} of ${model.run.cores.length} cores.`);
  if (model.kept.until < model.kernelCycles) partly.push(`Events are shown up to cycle ${grouped(model.kept.until)}.`);
  if (model.run.launch_cycles) partly.push(`Time counts from the end of the launch (${grouped(model.run.launch_cycles)} cycles).`);

  function redraw() {
    const [from, to] = view.domain();
    layout();
    if (from <= 0 && to >= total || to <= 1) box.call(zooming.transform, zoomIdentity);
    else show(from, to);
  }
  on('redraw', redraw);
  if (!name) on('line', line => {
    input.value = `line ${line}`;
    search(input.value);
    if (hits.length) step(1);
    frame.scrollIntoView({block: 'center'});
  });
  box.call(zooming).on('dblclick.zoom', null);

  // For tests.
  const tests = {domain: () => view.domain(), hits: () => hits.length, selected: () => selected && {line: selected.op.line, kind: selected.kind, begin: selected.begin},
    flags: () => flagsDrawn, rows: () => rows.map(row => row.title ?? row.label), place: (core, lane, time) => ({x: view(time), y: (row => row.y + row.height / 2)(rowOf(core, lane))})};
  (window.ptoTimelines ??= []).push(tests);
  window.ptoTimeline = window.ptoTimelines[0];
  return {show, id: id('timeline'), title: 'Timeline', body: h('div', {}, tools, frame, legend, h('p', {class: 'dim hint'}, ...partly.map(text => `${text} `),
    'Wheel, pinch or ', h('kbd', {}, 'w'), ' ', h('kbd', {}, 's'), ' zoom, drag or ', h('kbd', {}, 'a'), ' ', h('kbd', {}, 'd'), ' move, ', h('kbd', {}, '/'), ' searches, ',
    h('kbd', {}, 'n'), ' ', h('kbd', {}, 'p'), ' go to hits, ', h('kbd', {}, ','), ' ', h('kbd', {}, '.'), ' to neighbours.'), detail)};
}
