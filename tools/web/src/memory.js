// On-chip memory over time: who occupies which bytes, and how many there are; transfers of GM below. The time is the timeline's.
// First shown is one core of each kind (cube, vector 0, vector 1), as kernels of both kinds use the memories of all of them.
import {select} from 'd3-selection';
import {scaleLinear} from 'd3-scale';
import {axisTop} from 'd3-axis';
import {max} from 'd3-array';
import {h, grouped, bytes, percent, colour, fit, on, tell, inside} from './util.js';

const AXIS = 24, NAMES = {ub: 'UB', l1: 'L1', l0a: 'L0A', l0b: 'L0B', l0c: 'L0C', bt: 'BT', fb: 'FB', l0a_mx: 'L0A scales', l0b_mx: 'L0B scales'};

// Bytes that are occupied, as steps [time, bytes]: lives may lie over each other.
export function occupied(lives) {
  const events = lives.flatMap(life => [{time: life.begin, life, more: true}, {time: life.end, life, more: false}]).sort((a, b) => a.time - b.time || a.more - b.more);
  const open = new Set(), steps = [];
  for (let i = 0; i < events.length;) {
    const {time} = events[i];
    for (; i < events.length && events[i].time === time; ++i) events[i].more ? open.add(events[i].life) : open.delete(events[i].life);
    let used = 0, reach = 0;
    for (const life of [...open].sort((a, b) => a.low - b.low)) {
      used += Math.max(0, life.low + life.bytes - Math.max(reach, life.low));
      reach = Math.max(reach, life.low + life.bytes);
    }
    steps.push([time, used]);
  }
  return steps;
}

// A colour per name that stays when time moves.
function tint(name) {
  let code = 0;
  for (const letter of name) code = (code * 31 + letter.codePointAt(0)) >>> 0;
  const dark = document.documentElement.dataset.theme === 'dark';
  return `hsl(${code % 360} ${dark ? 38 : 52}% ${dark ? 36 : 74}%)`;
}

export function memory(model) {
  const total = Math.max(1, model.kernelCycles);
  const groups = new Map();
  for (const life of model.lives) {
    const key = `${life.core}/${life.space}`;
    if (!groups.has(key)) groups.set(key, {core: life.core, space: life.space, lives: [], capacity: model.memory.capacity?.[life.space] || 0});
    groups.get(key).lives.push(life);
  }
  const all = [...groups.values()].sort((a, b) => a.core - b.core || Object.keys(NAMES).indexOf(a.space) - Object.keys(NAMES).indexOf(b.space));
  if (!all.length) {
    if (model.chip.read_bytes + model.chip.written_bytes === 0) return null;
    return {id: 'memory', title: 'Memory', body: h('p', {class: 'dim'}, 'A run without data (--mode time) tells no accesses, so who occupies memory is not known. --mode run and --mode check tell.')};
  }
  for (const group of all) {
    group.steps = occupied(group.lives);
    group.peak = max(group.steps, step => step[1]) ?? 0;
    group.top = Math.max(group.capacity, max(group.lives, life => life.low + life.bytes));
    group.reach = max(group.lives, life => life.low + life.bytes);
  }
  const cores = [...new Set(all.map(group => group.core))];
  const kindOf = each => model.cores[each].replace(/ \d+/, ''), kinds = [...new Map([...cores].reverse().map(each => [kindOf(each), each])).values()].sort((a, b) => a - b);
  // What can be shown: one core of each kind, where there are several, and each core.
  const choices = [...kinds.length > 1 ? [{text: 'each kind of core', cores: kinds}] : [], ...cores.map(each => ({text: model.cores[each], cores: [each]}))];
  let shown = choices[0].cores, domain = [0, total], width = 0, panels = [];
  const tip = document.querySelector('.tip') ?? h('div', {class: 'tip', hidden: true});
  document.body.append(tip);
  const box = h('div');

  function panel(group) {
    const canvas = h('canvas', {role: 'img', 'aria-label': `${NAMES[group.space]} of ${model.cores[group.core]} over time`});
    // What is never used need not be drawn to scale: the panel reaches a little above what is.
    const reach = Math.min(group.top, Math.max(group.reach * 1.15, group.top / 8));
    const height = 120;
    const y = scaleLinear().domain([0, reach]).range([height - 4, 6]);
    canvas.addEventListener('pointermove', event => {
      const x = scaleLinear().domain(domain).range([62, width - 6]);
      const time = x.invert(event.offsetX), address = y.invert(event.offsetY);
      const life = group.lives.findLast(each => each.begin <= time && each.end >= time && each.low <= address && each.low + each.bytes >= address);
      const step = group.steps.findLast(each => each[0] <= time);
      tip.hidden = event.offsetX < 62 || (!life && !step);
      if (tip.hidden) return;
      tip.replaceChildren(...life ? [h('b', {}, `${life.name}, line ${life.line}`), h('div', {}, `${bytes(life.bytes)} at 0x${life.low.toString(16)}, ${grouped(life.begin)} to ${grouped(life.end)}`)] : [],
        h('div', {class: 'dim'}, `${bytes(step?.[1] ?? 0)} of ${bytes(group.top)} in use, ${bytes(group.top - (step?.[1] ?? 0))} free`));
      tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
      tip.style.top = `${event.clientY + 18}px`;
    });
    canvas.addEventListener('pointerleave', () => (tip.hidden = true));
    canvas.addEventListener('click', event => {
      const x = scaleLinear().domain(domain).range([62, width - 6]);
      const life = group.lives.findLast(each => each.begin <= x.invert(event.offsetX) && each.end >= x.invert(event.offsetX) && y(each.low) >= event.offsetY && y(each.low + each.bytes) <= event.offsetY);
      if (life?.line) tell('line', life.line);
    });
    return {canvas, height, draw: () => {
      const context = fit(canvas, width, height), x = scaleLinear().domain(domain).range([62, width - 6]);
      context.font = '11px system-ui, "DejaVu Sans", sans-serif';
      context.textBaseline = 'middle';
      context.fillStyle = colour('dim');
      context.fillText(NAMES[group.space], 6, 14);
      context.fillText(bytes(group.peak), 6, 32);
      context.fillText(`of ${bytes(group.top)}`, 6, 47);
      if (shown.length > 1) context.fillText(model.cores[group.core], 6, 62);
      context.save();
      context.beginPath();
      context.rect(62, 0, width - 68, height);
      context.clip();
      context.fillStyle = colour('panel');
      context.fillRect(62, 0, width, height);
      if (reach === group.capacity || group.top === reach) {
        context.fillStyle = colour('line');
        context.fillRect(62, y(group.top), width, 1);
      }
      for (const life of group.lives) {
        if (life.end < domain[0] || life.begin > domain[1]) continue;
        const left = Math.max(62, x(life.begin)), right = Math.min(width, x(life.end)), top = y(life.low + life.bytes), tall = Math.max(1, y(life.low) - top);
        context.fillStyle = tint(life.name);
        context.fillRect(left, top, Math.max(0.8, right - left - (right - left > 3 ? 0.8 : 0)), tall - (tall > 3 ? 0.8 : 0));
        if (right - left > 40 && tall > 11) {
          context.save();
          context.beginPath();
          context.rect(left, top, right - left - 3, tall);
          context.clip();
          context.fillStyle = colour('text');
          context.fillText(`${life.name} ${bytes(life.bytes)}`, left + 4, top + tall / 2);
          context.restore();
        }
      }
      context.strokeStyle = colour('accent');
      context.globalAlpha = 0.8;
      context.beginPath();
      let last = 0;
      context.moveTo(62, y(0));
      for (const [time, used] of group.steps) {
        context.lineTo(x(time), y(last));
        context.lineTo(x(time), y(used));
        last = used;
      }
      context.stroke();
      context.restore();
    }};
  }

  // Bytes of GM per cycle.
  function transfers() {
    const series = [['reads', 'pipe-MTE2', model.chip.l2_read], ['writes', 'pipe-MTE3', model.chip.l2_write], ['hbm', 'pipe-FIX', model.chip.hbm]].map(([what, tone, peak]) => ({what, tone, peak, ...model.traffic[what]}))
      .filter(each => each.bytes.length);
    if (!series.length) return null;
    const canvas = h('canvas', {role: 'img', 'aria-label': 'Bytes of GM per cycle over time'}), height = 110;
    const most = max(series, each => max(each.bytes) / each.width);
    return {canvas, height, draw: () => {
      const context = fit(canvas, width, height), x = scaleLinear().domain(domain).range([62, width - 6]), y = scaleLinear().domain([0, most * 1.1]).range([height - 4, 6]);
      context.font = '11px system-ui, "DejaVu Sans", sans-serif';
      context.textBaseline = 'middle';
      context.fillStyle = colour('dim');
      context.fillText('GM', 6, 14);
      context.fillText(`${grouped(most)} B`, 6, 32);
      context.fillText('per cycle', 6, 47);
      context.save();
      context.beginPath();
      context.rect(62, 0, width - 68, height);
      context.clip();
      for (const {bytes: sums, width: each, tone} of series) {
        context.fillStyle = context.strokeStyle = colour(tone);
        context.beginPath();
        context.moveTo(x(0), y(0));
        sums.forEach((sum, i) => {
          context.lineTo(x(i * each), y(sum / each));
          context.lineTo(x((i + 1) * each), y(sum / each));
        });
        context.lineTo(x(sums.length * each), y(0));
        context.globalAlpha = 0.3;
        context.fill();
        context.globalAlpha = 1;
        context.stroke();
      }
      context.restore();
    }};
  }

  const axisBox = select(document.createElementNS('http://www.w3.org/2000/svg', 'svg')).attr('height', AXIS).attr('class', 'axis');
  const axisGroup = axisBox.append('g').attr('transform', `translate(0,${AXIS - 1})`);
  const gm = transfers();
  function layout() {
    const groups = all.filter(group => shown.includes(group.core));
    panels = groups.map(panel);
    if (gm) panels.push(gm);
    box.replaceChildren(h('div', {class: 'frame'}, axisBox.node(), panels.map(each => h('div', {class: 'panel'}, each.canvas))));
    table.replaceChildren(h('tr', {}, ['core', 'memory', 'most in use', 'of', 'free', 'buffers'].map((text, i) => h('th', {class: i > 1 ? null : 't'}, text))),
      ...groups.map(group => h('tr', {}, h('td', {class: 't'}, model.cores[group.core]), h('td', {class: 't'}, NAMES[group.space]), h('td', {}, bytes(group.peak)), h('td', {}, bytes(group.top)),
        h('td', {}, `${bytes(group.top - group.peak)}, ${percent(group.top - group.peak, group.top)}`), h('td', {}, grouped(new Set(group.lives.map(life => life.name)).size)))));
  }
  function draw() {
    width = Math.max(280, box.clientWidth - 2);
    axisBox.attr('width', width);
    const x = scaleLinear().domain(domain).range([62, width - 6]);
    axisGroup.call(axisTop(x).ticks(Math.max(3, width / 110)).tickFormat(grouped).tickSizeOuter(0)).call(inside, x, width);
    for (const each of panels) each.draw();
  }
  const table = h('table', {class: 'plain'});
  layout();
  on('redraw', draw);
  on('domain', value => { domain = value; draw(); });
  return {id: 'memory', title: 'Memory', body: h('div', {},
    h('div', {class: 'tools'}, choices.length > 1 ? h('select', {'aria-label': 'Core', onchange: event => { shown = choices[event.target.selectedIndex].cores; layout(); draw(); }},
      choices.map(each => h('option', {}, each.text))) : null),
    box,
    h('div', {class: 'legend'}, h('span', {}, 'Bars: who holds which bytes, lowest address at the bottom, from the first write to the last access. '), h('span', {}, h('i', {style: 'background:var(--accent);height:2px;vertical-align:4px'}), 'bytes in use'),
      gm ? [h('span', {}, h('i', {style: 'background:var(--pipe-MTE2)'}), 'GM reads of all cores'), h('span', {}, h('i', {style: 'background:var(--pipe-MTE3)'}), 'GM writes'),
        model.traffic.hbm.bytes.length ? h('span', {}, h('i', {style: 'background:var(--pipe-FIX)'}), 'of them from or to HBM') : null] : null),
    h('div', {class: 'wide'}, table),
    model.memory.complete ? null : h('p', {class: 'dim'}, 'There were more buffers than are kept.'))};
}
