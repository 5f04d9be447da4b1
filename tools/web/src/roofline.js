// What the chip could do beside what was done: operations and bytes of GM per cycle.
import {select} from 'd3-selection';
import {scaleLog} from 'd3-scale';
import {axisBottom, axisLeft} from 'd3-axis';
import {h, on, percent} from './util.js';

const HEIGHT = 300, LEFT = 58, BOTTOM = 40;

export function roofline(model) {
  const {chip, kernelCycles} = model, moved = chip.read_bytes + chip.written_bytes;
  if (!chip.clusters || !moved || !kernelCycles) return null;
  const perSecond = value => value * chip.clock_ghz;  // G per second
  const tera = value => `${(value / 1000).toFixed(value >= 100000 ? 0 : value >= 1000 ? 2 : 3)} TFLOP/s`;
  const rows = [];
  const row = (what, value, peak, unit, of) => value && rows.push([what, `${perSecond(value).toFixed(1)} ${unit}`, peak ? `${perSecond(peak).toFixed(0)} ${unit}` : 'not known', peak ? percent(value, peak) : '', of]);
  row('GM reads', chip.read_bytes / kernelCycles, chip.l2_read, 'GB/s', 'L2');
  row('GM writes', chip.written_bytes / kernelCycles, chip.l2_write, 'GB/s', 'L2');
  if (chip.hbm) row('GM reads and writes', moved / kernelCycles, chip.hbm, 'GB/s', 'HBM, if nothing is in L2');
  const peak = chip.cube_peak * chip.clusters;
  if (chip.cube_ops) row('products of matrices', chip.cube_ops / kernelCycles, peak, 'GFLOP/s', 'all cubes, 16 bits');
  const table = h('div', {class: 'wide'}, h('table', {class: 'plain'}, h('tr', {}, ['', 'this run', 'peak', 'share', 'of'].map((text, i) => h('th', {class: i === 0 || i === 4 ? 't' : null}, text))),
    rows.map(cells => h('tr', {}, cells.map((text, i) => h('td', {class: i === 0 || i === 4 ? 't' : null}, text))))));
  const body = h('div', {}, table);
  if (chip.cube_ops && peak) {
    const roofs = [['L2', chip.l2_read], ['HBM', chip.hbm]].filter(([, bandwidth]) => bandwidth > 0);
    const intensity = chip.cube_ops / moved, rate = chip.cube_ops / kernelCycles;
    const box = h('div', {class: 'frame'});
    const svg = select(box).append('svg').attr('height', HEIGHT).attr('class', 'axis').attr('role', 'img').attr('aria-label', `Roofline: ${intensity.toFixed(1)} operations per byte, ${tera(perSecond(rate))}`);
    const draw = () => {
      const width = Math.max(280, box.clientWidth - 2);
      const least = Math.min(intensity, 1) / 4, most = Math.max(intensity, ...roofs.map(([, bandwidth]) => peak / bandwidth)) * 8;
      const x = scaleLog().domain([least, most]).range([LEFT, width - 14]);
      const low = Math.min(rate, ...roofs.map(([, bandwidth]) => bandwidth * least)) / 3;
      const y = scaleLog().domain([perSecond(low), perSecond(peak) * 3]).range([HEIGHT - BOTTOM, 10]);
      svg.attr('width', width).selectAll('*').remove();
      const text = value => value >= 1000 ? `${value / 1000}k` : `${value}`;
      svg.append('g').attr('transform', `translate(0,${HEIGHT - BOTTOM})`).call(axisBottom(x).ticks(width < 500 ? 4 : 8, text));
      svg.append('g').attr('transform', `translate(${LEFT},0)`).call(axisLeft(y).ticks(5, text));
      svg.append('text').attr('x', width - 14).attr('y', HEIGHT - 8).attr('text-anchor', 'end').text('operations per byte of GM');
      svg.append('text').attr('x', LEFT + 6).attr('y', 20).text('GFLOP/s');
      const line = (x0, y0, x1, y1, style) => svg.append('line').attr('x1', x(x0)).attr('y1', y(perSecond(y0))).attr('x2', x(x1)).attr('y2', y(perSecond(y1))).attr('style', style);
      const ridge = roofs.length ? Math.min(...roofs.map(([, bandwidth]) => peak / bandwidth)) : least;
      line(ridge, peak, most, peak, 'stroke:var(--pipe-M);stroke-width:2');
      svg.append('text').attr('x', x(most)).attr('y', y(perSecond(peak)) - 6).attr('text-anchor', 'end').text(`cubes ${tera(perSecond(peak))}`);
      roofs.forEach(([name, bandwidth], i) => {
        line(Math.max(least, low / bandwidth), bandwidth * Math.max(least, low / bandwidth), peak / bandwidth, peak, `stroke:var(--pipe-${i ? 'FIX' : 'MTE2'});stroke-width:2`);
        const at = Math.sqrt(Math.max(least, low / bandwidth) * (peak / bandwidth));
        svg.append('text').attr('x', x(at) + (i ? 8 : -8)).attr('y', y(perSecond(bandwidth * at)) + (i ? 12 : -4)).attr('text-anchor', i ? 'start' : 'end').text(`${name} ${perSecond(bandwidth).toFixed(0)} GB/s`);
      });
      const roof = Math.min(peak, ...roofs.map(([, bandwidth]) => bandwidth * intensity));
      line(intensity, rate, intensity, roof, 'stroke:var(--dim);stroke-dasharray:3 3');
      svg.append('circle').attr('cx', x(intensity)).attr('cy', y(perSecond(rate))).attr('r', 6).attr('style', 'fill:var(--hit);stroke:var(--back)');
      const right = x(intensity) > width - 250;
      svg.append('text').attr('x', x(intensity) + (right ? -10 : 10)).attr('y', y(perSecond(rate)) + 4).attr('text-anchor', right ? 'end' : 'start').attr('style', 'fill:var(--text);font-weight:600')
        .text(`${width < 500 ? '' : 'this run: '}${tera(perSecond(rate))}, ${percent(rate, roof)} of the roof`);
    };
    on('redraw', draw);
    body.append(box, h('p', {class: 'dim'}, 'The roof is what products of matrices in 16 bits could reach with so many operations per byte. Rates are of the kernel, without its launch.'));
  }
  return {id: 'roofline', title: 'Roofline', body};
}
