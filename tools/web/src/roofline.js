// What the chip could do beside what was done: operations of matrices and of vectors, and bytes of GM, per cycle.
import {select} from 'd3-selection';
import {scaleLog} from 'd3-scale';
import {axisBottom, axisLeft} from 'd3-axis';
import {h, on, percent} from './util.js';

const HEIGHT = 300, LEFT = 58, BOTTOM = 40;

const tera = (value, unit) => `${(value / 1000).toFixed(value >= 100000 ? 0 : value >= 1000 ? 2 : value >= 1 ? 3 : 5)} T${unit}`;

// The kinds of work that a run did, each with its peak.
export function work_of(chip) {
  return [
    {what: 'products of matrices', short: 'matrices', ops: chip.cube_ops, peak: chip.cube_peak * chip.clusters, of: 'all cubes, 16 bits', units: 'cubes', unit: 'FLOP/s', tone: 'M'},
    {what: 'elements of vectors', short: 'vectors', ops: chip.vector_ops, peak: chip.vector_peak * chip.clusters * 2, of: 'all vector units, 16 bits', units: 'vector units', unit: 'op/s', tone: 'V'},
  ].filter(work => work.ops);
}

export function roofline(model) {
  const {chip, kernelCycles} = model, moved = chip.read_bytes + chip.written_bytes;
  if (!chip.clusters || !moved || !kernelCycles) return null;
  const perSecond = value => value * chip.clock_ghz;  // G per second
  const rows = [];
  const row = (what, value, peak, unit, of) => value && rows.push([what, `${perSecond(value).toFixed(1)} ${unit}`, peak ? `${perSecond(peak).toFixed(0)} ${unit}` : 'not known', peak ? percent(value, peak) : '', of]);
  row('GM reads', chip.read_bytes / kernelCycles, chip.l2_read, 'GB/s', 'L2');
  row('GM writes', chip.written_bytes / kernelCycles, chip.l2_write, 'GB/s', 'L2');
  if (chip.hbm) row('GM reads and writes', moved / kernelCycles, chip.hbm, 'GB/s', 'HBM, if nothing is in L2');
  const works = work_of(chip);
  for (const {what, ops, peak, unit, of} of works) row(what, ops / kernelCycles, peak, `G${unit}`, of);
  const table = h('div', {class: 'wide'}, h('table', {class: 'plain'}, h('tr', {}, ['', 'this run', 'peak', 'share', 'of'].map((text, i) => h('th', {class: i === 0 || i === 4 ? 't' : null}, text))),
    rows.map(cells => h('tr', {}, cells.map((text, i) => h('td', {class: i === 0 || i === 4 ? 't' : null}, text))))));
  const body = h('div', {}, table);
  const drawn = works.filter(work => work.peak).map(work => ({...work, intensity: work.ops / moved, rate: work.ops / kernelCycles}));
  if (drawn.length) {
    const roofs = [['L2', chip.l2_read], ['HBM', chip.hbm]].filter(([, bandwidth]) => bandwidth > 0);
    const highest = Math.max(...drawn.map(work => work.peak));
    const box = h('div', {class: 'frame'});
    const svg = select(box).append('svg').attr('height', HEIGHT).attr('class', 'axis').attr('role', 'img')
      .attr('aria-label', `Roofline: ${drawn.map(work => `${work.short} ${work.intensity.toFixed(1)} operations per byte, ${tera(perSecond(work.rate), work.unit)}`).join('; ')}`);
    const draw = () => {
      const width = Math.max(280, box.clientWidth - 2);
      const least = Math.min(1, ...drawn.map(work => work.intensity)) / 4;
      const most = Math.max(...drawn.flatMap(work => [work.intensity, ...roofs.map(([, bandwidth]) => work.peak / bandwidth)])) * 8;
      const x = scaleLog().domain([least, most]).range([LEFT, width - 14]);
      const low = Math.min(...drawn.map(work => work.rate), ...roofs.map(([, bandwidth]) => bandwidth * least)) / 3;
      const y = scaleLog().domain([perSecond(low), perSecond(highest) * 3]).range([HEIGHT - BOTTOM, 10]);
      svg.attr('width', width).selectAll('*').remove();
      const text = value => value >= 1000 ? `${value / 1000}k` : `${value}`;
      svg.append('g').attr('transform', `translate(0,${HEIGHT - BOTTOM})`).call(axisBottom(x).ticks(width < 500 ? 4 : 8, text));
      svg.append('g').attr('transform', `translate(${LEFT},0)`).call(axisLeft(y).ticks(5, text));
      svg.append('text').attr('x', width - 14).attr('y', HEIGHT - 8).attr('text-anchor', 'end').text('operations per byte of GM');
      svg.append('text').attr('x', LEFT + 6).attr('y', 20).text('G per second');
      const line = (x0, y0, x1, y1, style) => svg.append('line').attr('x1', x(x0)).attr('y1', y(perSecond(y0))).attr('x2', x(x1)).attr('y2', y(perSecond(y1))).attr('style', style);
      for (const {peak, units, unit, tone} of drawn) {
        line(roofs.length ? Math.min(...roofs.map(([, bandwidth]) => peak / bandwidth)) : least, peak, most, peak, `stroke:var(--pipe-${tone});stroke-width:2`);
        svg.append('text').attr('class', 'roof').attr('x', x(most)).attr('y', y(perSecond(peak)) - 6).attr('text-anchor', 'end').text(`${units} ${tera(perSecond(peak), unit)}`);
      }
      roofs.forEach(([name, bandwidth], i) => {
        const from = Math.max(least, low / bandwidth), to = highest / bandwidth;
        line(from, bandwidth * from, to, highest, `stroke:var(--pipe-${i ? 'FIX' : 'MTE2'});stroke-width:2`);
        const at = Math.sqrt(from * to);
        svg.append('text').attr('x', x(at) + (i ? 8 : -8)).attr('y', y(perSecond(bandwidth * at)) + (i ? 12 : -4)).attr('text-anchor', i ? 'start' : 'end').text(`${name} ${perSecond(bandwidth).toFixed(0)} GB/s`);
      });
      for (const {short, peak, intensity, rate, unit, tone} of drawn) {
        const roof = Math.min(peak, ...roofs.map(([, bandwidth]) => bandwidth * intensity));
        line(intensity, rate, intensity, roof, 'stroke:var(--dim);stroke-dasharray:3 3');
        svg.append('circle').attr('cx', x(intensity)).attr('cy', y(perSecond(rate))).attr('r', 6).attr('style', `fill:var(--pipe-${tone});stroke:var(--back)`);
        const right = x(intensity) > width / 2;
        svg.append('text').attr('class', 'run').attr('x', x(intensity) + (right ? -10 : 10)).attr('y', y(perSecond(rate)) + 4).attr('text-anchor', right ? 'end' : 'start').attr('style', 'fill:var(--text);font-weight:600')
          .text(`${short}${width < 500 ? '' : ` ${tera(perSecond(rate), unit)}`}, ${percent(rate, roof)} of the roof`);
      }
    };
    on('redraw', draw);
    body.append(box, h('p', {class: 'dim'}, 'The roofs are what products of matrices, and vectors, in 16 bits could reach with so many operations per byte. An operation of a vector is an element that is computed, ' +
      'converted or copied, whatever that takes. Rates are of the kernel, without its launch.'));
  }
  return {id: 'roofline', title: 'Roofline', body};
}
