// The data of the page as objects that the views use. Columns whose numbers are differences are summed up here.
const sums = column => {
  let last = 0;
  return column.map(difference => (last += difference));
};

export const PIPES = ['S', 'MTE2', 'MTE1', 'M', 'V', 'FIX', 'MTE3'];

export function read(data) {
  const pcs = sums(data.operations.pc), lines = sums(data.operations.line);
  const operations = new Map(pcs.map((pc, i) => [pc, {pc, line: lines[i], mnemonic: data.operations.mnemonics[data.operations.mnemonic[i]]}]));
  const none = {pc: -1, line: 0, mnemonic: ''};
  const operation = pc => operations.get(pc) ?? none;

  const lanes = data.lanes.map(lane => {
    const begin = sums(lane.begin), pc = sums(lane.pc), waitBegin = sums(lane.wait_begin), waitPc = sums(lane.wait_pc);
    return {
      core: lane.core, pipe: lane.pipe, lane: lane.lane, inside: lane.inside,
      work: begin.map((from, i) => ({
        kind: 'work', core: lane.core, lane: lane.lane, pipe: lane.pipe, inside: lane.inside, begin: from, end: from + lane.cycles[i], op: operation(pc[i]),
        issue: from - lane.queued[i], visible: from + lane.cycles[i] + lane.visible[i], basis: lane.basis[i],
      })),
      waits: waitBegin.map((from, i) => ({
        kind: 'wait', core: lane.core, lane: lane.lane, pipe: lane.pipe, begin: from, end: from + lane.wait_cycles[i], op: operation(waitPc[i]),
        reason: data.reasons[lane.reason[i]],
      })),
    };
  });
  // The inside of vector functions stands below their pipe.
  const place = lane => (lane.inside ? PIPES.indexOf('V') + 0.5 : PIPES.indexOf(lane.pipe));
  lanes.sort((a, b) => a.core - b.core || place(a) - place(b) || a.lane - b.lane);
  const set = sums(data.flags.set), taken = sums(data.flags.taken);
  const kinds = data.flags.kinds.map(([core, from, to, id, setPc, waitPc]) => ({core, from, to, toCore: core, id, setOp: operation(setPc), waitOp: operation(waitPc)}));
  const flags = set.map((time, i) => ({kind: 'flag', ...kinds[data.flags.kind[i]], set: time, taken: taken[i], waited: data.flags.waited[i]}));
  for (const [core, from, told, setPc, toCore, to, time, waitPc] of data.signals)
    flags.push({kind: 'flag', core, from, toCore, to, id: -1, set: told, taken: time, waited: 1, setOp: operation(setPc), waitOp: operation(waitPc)});
  let path = [];
  if (data.path) {
    const from = sums(data.path.begin), pc = sums(data.path.pc);
    path = from.map((begin, i) => ({
      kind: 'path', begin, end: begin + data.path.length[i], op: operation(pc[i]), core: data.path.core[i], lane: data.path.lane[i],
      pipe: PIPES[data.path.lane[i]] ?? '', after: data.path.reasons[data.path.after[i]],
    }));
  }
  const memory = data.memory ?? {begin: []};
  const lives = sums(memory.begin).map((begin, i) => ({
    begin, end: begin + memory.cycles[i], core: memory.core[i], space: memory.spaces[memory.space[i]], low: memory.low[i], bytes: memory.bytes[i],
    name: memory.names[memory.name[i]], line: memory.line[i],
  }));
  const kernelCycles = data.run.total_cycles - data.run.launch_cycles;
  return {...data, operations, lanes, flags, path, lives, kernelCycles, source: data.source ? data.source.split('\n') : []};
}
