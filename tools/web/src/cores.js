// What every pipe of every core did with its time; blocks and waves.
import {select} from 'd3-selection';
import {scaleLinear} from 'd3-scale';
import {axisTop} from 'd3-axis';
import {h, grouped, percent, on, colour, fit} from './util.js';

const MOST_ROWS = 28;

// Busy and idle cycles of pipes of one name and kind of core, added up.
function sums(cores) {
  const all = new Map();
  for (const core of cores) {
    for (const pipe of core.pipes) {
      const key = `${core.kind}/${pipe.name}`;
      const sum = all.get(key) ?? {kind: core.kind, name: pipe.name.replace('PIPE_', ''), cores: 0, busy: 0, instructions: 0, stalls: {}};
      ++sum.cores;
      sum.busy += pipe.busy_cycles;
      sum.instructions += pipe.instructions;
      for (const [reason, cycles] of Object.entries(pipe.stall_cycles)) sum.stalls[reason] = (sum.stalls[reason] ?? 0) + cycles;
      all.set(key, sum);
    }
  }
  return [...all.values()];
}

function bars(list, label, cycles) {
  return h('div', {class: 'bars'}, list.flatMap(sum => {
    const of = sum.cores * cycles, parts = Object.entries(sum.stalls).filter(([reason]) => reason !== 'finished');
    const words = [`busy ${percent(sum.busy, of)}`, ...Object.entries(sum.stalls).map(([reason, each]) => `${reason} ${percent(each, of)}`)].join(', ');
    return [h('span', {}, label(sum)),
      h('span', {class: 'bar', title: words}, h('i', {style: `width:${100 * sum.busy / of}%;background:var(--pipe-${sum.name})`}),
        parts.map(([reason, each]) => h('i', {style: `width:${100 * each / of}%;background:var(--wait-${reason})`}))),
      h('span', {class: 'number'}, percent(sum.busy, of))];
  }));
}

function blocks(model) {
  const {begin, end} = model.blocks, {cores} = model.run, {chip} = model;
  if (cores.length < 2) return null;
  const per = cores.filter(core => core.block === cores[0].block).length, slots = chip.slots || chip.blocks;
  const total = Math.max(1, model.kernelCycles);
  const list = cores.map((core, i) => ({...core, begin: begin[i], end: end[i], wave: Math.floor(core.block / slots)})).filter(core => core.end > core.begin);
  const rowHeight = list.length > 120 ? 3 : list.length > 40 ? 6 : 14, height = list.length * rowHeight + 6;
  const canvas = h('canvas', {role: 'img', 'aria-label': 'Blocks over time'});
  const axisBox = select(document.createElementNS('http://www.w3.org/2000/svg', 'svg')).attr('height', 24).attr('class', 'axis');
  const axisGroup = axisBox.append('g').attr('transform', 'translate(0,23)');
  const box = h('div', {class: 'frame'}, axisBox.node(), h('div', {class: 'scroll'}, canvas));
  const tones = ['pipe-MTE2', 'pipe-M', 'pipe-MTE3', 'pipe-V', 'pipe-FIX', 'pipe-MTE1'];
  on('redraw', () => {
    const width = Math.max(280, box.clientWidth - 2), x = scaleLinear().domain([0, total]).range([70, width - 6]), context = fit(canvas, width, height);
    axisBox.attr('width', width);
    axisGroup.call(axisTop(x).ticks(Math.max(3, width / 110)).tickFormat(grouped).tickSizeOuter(0));
    context.font = '10px system-ui, "DejaVu Sans", sans-serif';
    context.textBaseline = 'middle';
    list.forEach((core, i) => {
      const y = 3 + i * rowHeight;
      context.fillStyle = colour(tones[core.wave % tones.length]);
      context.globalAlpha = core.kind === 'aiv' ? 0.65 : 1;
      context.fillRect(x(core.begin), y, Math.max(1, x(core.end) - x(core.begin)), Math.max(1, rowHeight - (rowHeight > 4 ? 2 : 0.5)));
      context.globalAlpha = 1;
      if (rowHeight < 12) return;
      context.fillStyle = colour('dim');
      context.fillText(model.cores[core.index] ?? '', 5, y + rowHeight / 2);
    });
  });
  const waves = chip.waves > 1 ? `${chip.blocks} blocks in ${chip.waves} waves of ${slots}; a colour is a wave.` : `${chip.blocks} block${chip.blocks === 1 ? '' : 's'} of ${per} core${per === 1 ? '' : 's'}, all at the same time.`;
  return [h('h3', {}, 'Blocks and waves'), h('p', {class: 'dim'}, `${waves} From the first instruction of a core to its last.`), box];
}

export function cores(model) {
  const {cores: all} = model.run, single = sums([]).length === 0 && all.reduce((count, core) => count + core.pipes.length, 0) <= MOST_ROWS;
  const list = single ? all.flatMap(core => sums([core]).map(sum => ({...sum, core: core.index}))) : sums(all);
  const label = sum => single ? `${all.length > 1 ? `${model.cores[sum.core]} ` : ''}${sum.name}` : `${sum.kind} ${sum.name}`;
  return {id: 'cores', title: 'Pipes and cores', body: h('div', {},
    single ? null : h('p', {class: 'dim'}, `Means over ${grouped(all.length)} cores.`), bars(list, label, Math.max(1, model.kernelCycles)),
    h('p', {class: 'dim'}, 'Coloured: busy; grey: waits, by reason as in the timeline; empty: its last instruction was over.'),
    ...(model.chip.lines ?? '').trim().split('\n').filter(Boolean).map(line => h('p', {class: 'dim'}, line)), blocks(model))};
}
