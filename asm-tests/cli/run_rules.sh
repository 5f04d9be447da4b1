# Findings of runs are in the one catalogue: explained by both programs, and every id that the sources raise is there.
# RUN: pto-sim --explain RACE
# RUN: pto-as --explain race | head -n 1
# RUN: pto-sim --explain flag-double | grep -vE '^(func|  |})'
# RUN: pto-sim --explain W0361 | head -n 1
# RUN: pto-sim --explain RASE
# RUN: pto-sim --list-rules | sed -n '/## Findings of a run/,$p'
# RUN: diff <(pto-sim --list-rules --format json) <(pto-as --list-rules --format json) && echo the same
# RUN: cd $T && pto-sim --explain UNINIT | sed -n '/^func/,/^}/p' > k.pto && pto-sim k.pto --target a5 --report none --arg a=f32[64] --arg o=f32[64] 2>&1 | head -n 1
# RUN: python3 $T/ids.py
# FILE: ids.py
#: import json, pathlib, re, subprocess
#: raised = set()
#: for path in [p for folder in ('sim', 'check', 'repair', 'run', 'cases', 'diag', 'report', 'driver', 'profile', 'sweep', 'cluster', 'prove') for p in pathlib.Path('../../src', folder).rglob('*.[ch]pp')]:
#:     if path.name.endswith('_test.cpp') or path.name.startswith('catalogue'):
#:         continue
#:     text = path.read_text()
#:     raised |= set(re.findall(r'(?:add\(|finding\(\s*(?:\*?program_, )?|kId = |return )\s*"([A-Z]{4,}(?:-[A-Z]+)*|[A-Z]+(?:-[A-Z]+)+)"', text))
#: listed = {r['id'] for r in json.loads(subprocess.check_output(['pto-sim', '--list-rules', '--format', 'json'])) if r['family'] == 'Findings of a run'}
#: print('raised, not listed:', sorted(raised - listed))
#: print('listed, not raised:', sorted(listed - raised))
#: print(len(listed) > 20)

#= exit 0
#| RACE: race (race)
#|
#| Two accesses to the same bytes, one of them a write, and no flag, barrier, token or signal orders them. That both vector cores of a cluster write the same bytes is a warning.
#|
#| Example:
#| func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>)
#|     attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
#|   %c0 = arith.constant 0 : i64
#|   %c1 = arith.constant 1 : i64
#|   %c256 = arith.constant 256 : i64
#|   %i0 = arith.constant 0 : index
#|   %i9 = arith.constant 9 : index
#|   %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
#|   pto.mte_gm_ub %a, %u, %c0, %c256 nburst(%c1, %c256, %c256)
#|     : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
#|   pto.mte_ub_gm %u, %o, %c256 nburst(%c1, %c256, %c256)
#|     : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
#|   return
#| }
#|
#| Fix: Add the flag that the message names, or give the accesses separate bytes.
#= exit 0
#| RACE: race (race)
#= exit 0
#| FLAG-DOUBLE: double set (double-set)
#|
#| A flag is set again before a wait has taken the set before. Flags of the chips keep both sets (docs/decisions.md), while the vendor's page requires pairs of set and wait: a warning that -Wdouble-set shows. Where the configuration says machine.flags = "bit" the second set is lost, which is an error.
#|
#| Example:
#|
#| Fix: Wait between the two sets, or hold the setting pipe back with a flag in the other direction.
#= exit 0
#| W0361: element count (element-count)
#= exit 2
#! pto-sim: error: there is no rule 'RASE'; did you mean 'RACE'?
#= exit 0
#| ## Findings of a run
#|
#| | id | name | what it refuses or warns of |
#| |---|---|---|
#| | DEADLOCK | `deadlock` | Nothing can move: a wait whose set does not come, a circle of waits, or a full queue. The finding tells who waits for what, which set did not run, and why. |
#| | EVENT-ID | `event-id-out-of-range` | A flag or signal id that is computed at run time does not exist on the target. |
#| | FLAG-DOUBLE | `double-set` | A flag is set again before a wait has taken the set before. Flags of the chips keep both sets (docs/decisions.md), while the vendor's page requires pairs of set and wait: a warning that -Wdouble-set shows. Where the configuration says machine.flags = "bit" the second set is lost, which is an error. |
#| | FLAG-REUSE | `event-id-used-again-too-early` | A flag is set again and the pipe that sets it does not know that the wait has taken the set before: no flag, barrier or signal leads from that wait to this set. When the waiting pipe is late, the flag holds two sets (-Wdouble-set). With machine.flags = "bit" the second one is lost and a wait hangs, which is an error. |
#| | FLAG-OVERFLOW | `flag-counter-full` | A flag holds as many sets as it can count, 15, and is set again before a wait has taken one. No source says what a chip does then; here the setting pipe waits. Where it waits for ever, that is DEADLOCK. |
#| | FLAG-KEY | `flag-key` | Two flags that differ in their source pipe only are pending together. On a2a3 and a5 these are two flags; the target cpu stands for no machine, so --mode check says that another one may take them for one. |
#| | FLAG-LEFT | `flag-left-over` | A flag is still set when the kernel ends. The next kernel on the core finds it set. |
#| | BUF-LEFT | `buffer-id-not-released` | A pipe got a buffer id more often than it released it, or the other way round. |
#| | BUF-DOUBLE | `buffer-id-taken-twice` | A pipe gets a buffer id that it holds already. One release belongs to one get. |
#| | CROSS-LEFT | `signal-left` | Signals between cores that nobody waited for are left when the kernel ends. |
#| | CROSS-ORDER | `signals-in-no-order` | Two pipes of a core signal one id, or wait for it, and nothing orders the two. A wait takes the oldest signal: which one that is, and so what the core that waits knows to be done, is a matter of timing. The check follows the order of this run. |
#| | CROSS-OVERFLOW | `too-many-signals` | The counter of a cross-core id is full: 15 signals wait, and one more is lost. Or that happens under another timing: nothing tells the core that signals that the signal 15 before has been waited for. |
#| | QUEUE-LEFT | `entry-left` | Entries were sent through a tile queue that nobody had received when the kernel ended. On hardware the sender waits at its end until their slots are given back, and hangs. |
#| | ALIGN | `misaligned-access` | An address that is known at run time only is not aligned as the instruction needs it. |
#| | BOUNDS | `access-out-of-bounds` | An access lies outside of the kernel's argument or of the on-chip memory, and by how much. An access that begins inside of its buffer is carried out as far as the buffer reaches; one that begins outside is not. Indices of a gather from a tile that lie beyond it are a warning: the chip reads what lies there, the run takes 0, or leaves what was there. |
#| | RACE | `race` | Two accesses to the same bytes, one of them a write, and no flag, barrier, token or signal orders them. That both vector cores of a cluster write the same bytes is a warning. |
#| | THREAD-RACE | `threads-without-order` | Two threads of a SIMT launch access the same bytes, one of them changes them, and nothing says who is first. Threads of one warp run in lock step; warps are ordered by pto.syncthreads, or by atomics with a fence on both sides. Atomics do not disturb each other, nor does a write of what is there. |
#| | THREAD-BARRIER | `a-barrier-that-not-all-threads-reach` | Threads of a SIMT launch wait at pto.syncthreads, and others have ended or wait at another one. The run goes on as if all had met. |
#| | MEM-BAR | `vector-accesses-without-a-memory-barrier` | A vector function accesses bytes of UB again that one of its own instructions wrote (or reads them and writes them), and no mem_bar stands between. Its loads and stores start when their registers are there, not in program order. A store of what was loaded follows the load. A warning between logical vectors (pto.vmi), which are in program order: it is their compiler that needs it. |
#| | OVERLAP | `buffers-share-bytes` | A tile or pointer is read where everything that was put there through it has been overwritten through another one, before anybody had read any of it: the two share bytes. Where they lie across each other, a part of it is enough, and so where a transfer had brought it from GM. Or what a computation reads through one is overwritten in part through the other, and both parts are read together. Or each of the two has put everywhere what is read through it, so that they need no place in common, and one of them reads what the other has put over its own. Or nobody reads what is put through a tile or pointer, while another one through which nothing is put reads what belongs to others. Names of one place are no fault where the program needs them to be one: a name that is read before it is written, as rows of a tile are, and one that is written and read through the other only. |
#| | SHAPE | `argument-of-another-shape` | An argument is given as an array of two dimensions, and the kernel views it as one whose rows have another length. Views that are larger than their array are notes of BOUNDS. |
#| | UNWRITTEN | `output-written-in-part` | The kernel writes an argument that it does not read, and leaves some of its elements as they were. Most often it was launched with too few blocks. Arguments that a case compares or fills, and those that the kernel reads as well, are not told. An argument that is written to a file or compared, and that nothing fills, is also told if the kernel writes nothing of it. |
#| | LAYOUT | `read-in-another-layout` | A tile is written in one layout (boxes, columns, rows) and read in another one, through a second tile at its place with the same extents: the elements come in another order. A tile that pto.treshape makes of the first one is no second name, and boxes read as their transposed kind are a transposition. |
#| | CLOBBERED | `bytes-that-an-instruction-has-left-with-something-else` | Bytes are read in which an instruction keeps what it works with: its scratch tile, what it writes behind that, or a source that it works in. Nobody may use them before they are written again. |
#| | WINDOW | `window-leaves-its-view` | A window begins or ends outside of the extents that the program gives its view. As long as it stays inside the buffer it reads or writes bytes of other rows; BOUNDS tells when it leaves the buffer. Where constants alone say so it is E0362. |
#| | STALE | `data-cache-of-the-scalar-unit` | Scalar loads and stores reach GM through a data cache with lines of 64 bytes, which hears of no other access: a load hits a line from before the write of a pipe or of another core, or somebody looks in memory for a store that has not left the cache. A barrier or a flag does not change that. A write over such a store, which may come back later, is a warning, and so is a load of what has been written since the kernel began from a line that nothing has dropped. |
#| | UNINIT | `uninitialised-read` | Bytes are read that nothing wrote. It is a warning where only some of them are missing, and where they are only moved; an error where a case compares what they make. |
#| | MISMATCH | `mismatch` | An output differs from what the case expects: where, by how much, and what wrote it last. |
#| | DIV-ZERO | `division-by-zero` | An integer is divided by zero. The result is 0. |
#| | OPERAND | `operand-without-a-meaning` | A value that is known at run time only has no meaning for the instruction: a number that does not fit its field, a control register that holds what an earlier kernel has left, bursts of one transfer that are written to the same bytes. |
#| | ASSERT | `assertion` | The condition of a cf.assert does not hold. The run ends there. |
#| | INEXACT | `inexact-result` | On A2/A3 trem and trems compute i32 through f32, which is exact within -2^24..2^24, and an operand lies beyond. The simulator is exact everywhere. Where the operand is known before the run, W0386 says so. Of f32 they give a - floor(a / b) * b with each step rounded, as the simulator does, too. Where the quotient is large that is no remainder: it is not between 0 and the divisor, or further from the exact one than a 256th of the divisor. |
#| | UNSUPPORTED | `unsupported-at-run-time` | What an operand asks for at run time is not implemented by the simulator. |
#| | TIME-DATA | `needs-data` | A run without data (--mode time) came to a branch, a loop bound, a flag id or an extent that depends on memory. |
#| | HANG | `endless-loop` | A loop of the scalar unit ran 2^28 steps and queued nothing. |
#| | LOOP-STEP | `step-of-a-loop` | The step of an scf.for is zero or negative. |
#| | MAX-CYCLES | `limit-of-cycles` | The run was stopped at the limit of --max-cycles. |
#| | MAX-INSTRUCTIONS | `limit-of-instructions` | The run was stopped at the limit of --max-instructions. |
#| | UNPROVED | `not-proved` | Whether a kernel is free of deadlocks and races for every input cannot be said, because of this statement: data decides about the order, iterations do not come to repeat one another, or there are too many numbers to try. |
#| | SIGNAL-STALE | `wait-on-a-signal-of-before` | Of several devices: what a wait wants of a word has been so ever since a wait before it passed, so it does not wait for what was notified since: a barrier that is used again with the same number, or with one that is not greater. |
#| | SIGNAL-LOST | `lost-signal` | Of several devices: a notify that sets a word comes over what another device has notified there, and nobody has waited for that. Or a notify takes away the number that a wait wants, and nothing tells its sender that the wait has gone on: with a late waiter it hangs. |
#| | RANK-RACE | `race-between-devices` | Of several devices: one accesses bytes that another one accesses as well, one of them writes, and no notify that is waited for orders the two. Sums may come in any order. |
#| | INTERRUPTED | `interrupted` | The run was ended from outside (SIGINT). What is reported is about the time before. |
#= exit 0
#| the same
#= exit 0
#| k.pto:9:3: error[UNINIT]: pto.mte_ub_gm on MTE3 reads 256 bytes of %u, all of them never written, the first in ub at 0x0; output 'o' differs with what they hold
#= exit 0
#| raised, not listed: []
#| listed, not raised: []
#| True
