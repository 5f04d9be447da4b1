// Verdict, numbers, findings, advice, what the critical path consists of.
import {h, grouped, percent, bytes, short, tell} from './util.js';

const microseconds = (cycles, chip) => chip.clock_ghz ? `${(cycles / chip.clock_ghz / 1000).toFixed(2)} \u00b5s` : '';

function tiles({run, chip, kernelCycles}) {
  const tile = (number, what) => h('div', {class: 'tile'}, h('b', {}, number), h('span', {}, what));
  const list = [tile(grouped(run.total_cycles), `cycles${run.launch_cycles ? `, ${grouped(run.launch_cycles)} of them launch` : ''}`)];
  if (chip.clock_ghz) list.push(tile(microseconds(run.total_cycles, chip), `at ${chip.clock_ghz} GHz`));
  list.push(tile(grouped(run.total_instructions), `instructions on ${run.cores.length} core${run.cores.length === 1 ? '' : 's'}`));
  if (chip.read_bytes) list.push(tile(bytes(chip.read_bytes), `read from GM, ${(chip.read_bytes / kernelCycles).toFixed(1)} B per cycle`));
  if (chip.written_bytes) list.push(tile(bytes(chip.written_bytes), `written to GM, ${(chip.written_bytes / kernelCycles).toFixed(1)} B per cycle`));
  if (chip.cube_ops) list.push(tile(grouped(chip.cube_ops), 'operations of matrices'));
  if (chip.vector_ops) list.push(tile(grouped(chip.vector_ops), 'elements of vectors'));
  return h('div', {class: 'tiles'}, list);
}

export function finding(one) {
  const lines = [h('b', {}, `${one.severity}[${one.id}]`), ` ${one.line ? `line ${one.line}: ` : ''}${one.message}`];
  if (one.help) lines.push(h('div', {class: 'dim'}, `help: ${one.help}`));
  for (const note of one.related ?? []) lines.push(h('div', {class: 'dim'}, `${note.line ? `line ${note.line}: ` : ''}${note.message}`));
  return h('div', {class: `finding ${one.severity}`}, lines);
}

function advice({advice: all}) {
  if (!all) return [h('p', {class: 'dim'}, 'The run is too long for advice.')];
  if (!all.advice.length) return [h('p', {class: 'dim'}, 'Nothing that this looks for would make the run shorter.')];
  return [h('ul', {class: 'advice'}, all.advice.map(one => h('li', {}, one.message)))];
}

function pathBars({path_sums: sums, kernelCycles}) {
  if (!sums?.length) return [];
  const shown = sums.slice(0, 12), most = shown[0].cycles;
  return [h('h3', {}, 'Critical path: what the cycles consist of'), h('div', {class: 'bars'}, shown.flatMap(sum => [
    h('button', {type: 'button', title: 'Show in the timeline', onclick: () => sum.line && tell('line', sum.line)},
      `${sum.pipe} ${short(sum.mnemonic)}${sum.line && sum.pipe !== 'S' ? `, line ${sum.line}` : ''}`),
    h('span', {class: 'bar'}, h('i', {style: `width:${100 * sum.cycles / most}%;background:var(--pipe-${sum.pipe})`})),
    h('span', {class: 'number'}, `${grouped(sum.cycles)}  ${percent(sum.cycles, kernelCycles)}`)]))];
}

function limits({advice: all, run}) {
  if (!all?.limits?.length) return [];
  return [h('p', {class: 'dim'}, `If a pipe took no time: ${all.limits.slice(0, 4).map(one => `${one.free.replace('PIPE_', '')} ${grouped(one.total_cycles)}`).join(', ')} cycles.`)];
}

export function summary(model) {
  const {run} = model;
  const findings = run.findings.slice(0, 20);
  return {
    id: 'verdict', title: 'Verdict and advice', body: h('div', {},
      h('p', {class: 'verdict'}, run.verdict),
      ...model.agreements.trim().split('\n').filter(Boolean).map(line => h('p', {class: 'dim'}, line)),
      tiles(model),
      findings.map(finding), run.findings.length > findings.length ? h('p', {class: 'dim'}, `and ${run.findings.length - findings.length} more, at their lines`) : null,
      h('div', {class: 'columns'}, h('div', {}, h('h3', {}, 'What would help'), advice(model), limits(model)), h('div', {}, pathBars(model)))),
  };
}
