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
#: names = dict(re.findall(r'PTO_FINDING\((\w+), "([A-Z-]+)"', pathlib.Path('../../include/pto/finding_id.inc').read_text()))
#: raised = set()
#: for path in [p for folder in ('sim', 'check', 'repair', 'run', 'cases', 'diag', 'report', 'driver', 'profile', 'sweep', 'cluster', 'prove') for p in pathlib.Path('../../src', folder).rglob('*.[ch]pp')]:
#:     if path.name.endswith('_test.cpp') or path.name.startswith('catalogue'):
#:         continue
#:     text = path.read_text()
#:     raised |= {names.get(name, name) for name in re.findall(r'FindingId::(?!none)([a-z_]+)', text)}
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
#| | id | name | meaning |
#| |---|---|---|
#| | DEADLOCK | `deadlock` | No core or pipe can continue: a wait without a set, a cycle of waits, or a full queue. The finding lists the waits, the set that did not run, and the reason. |
#| | EVENT-ID | `event-id-out-of-range` | A flag or signal id that is computed at run time does not exist on the target. |
#| | FLAG-DOUBLE | `double-set` | A flag is set again before a wait has taken the set before. Flags of the chips keep both sets (docs/decisions.md), while the vendor's page requires pairs of set and wait: a warning that -Wdouble-set shows. Where the configuration says machine.flags = "bit" the second set is lost, which is an error. |
#| | FLAG-REUSE | `event-id-used-again-too-early` | A flag is set again and the pipe that sets it does not know that the wait has taken the set before: no flag, barrier or signal leads from that wait to this set. When the waiting pipe is late, the flag holds two sets (-Wdouble-set). With machine.flags = "bit" the second one is lost and a wait hangs, which is an error. |
#| | FLAG-OVERFLOW | `flag-counter-full` | A flag has 15 pending sets, the most that it can count, and is set again before a wait has taken one. No source documents the behaviour of a chip; here the setting pipe waits. If it waits for ever, the finding is DEADLOCK. |
#| | FLAG-KEY | `flag-key` | Two flags that differ in their source pipe only are pending together. On A2/A3 and A5 these are two flags. The target cpu is no machine, so --mode check reports that a machine may have one flag for both. |
#| | FLAG-LEFT | `flag-left-over` | A flag is still set when the kernel ends. The next kernel on the core finds it set. |
#| | BUF-LEFT | `buffer-id-not-released` | A pipe got a buffer id more often than it released it, or the other way round. |
#| | BUF-DOUBLE | `buffer-id-taken-twice` | A pipe gets a buffer id that it holds already. One release belongs to one get. |
#| | CROSS-LEFT | `signal-left` | Signals between cores are pending when the kernel ends: no wait has taken them. |
#| | CROSS-ORDER | `signals-in-no-order` | Two pipes of a core signal one id, or wait for it, and the two are not ordered. A wait takes the oldest signal, and which signal is the oldest depends on timing. So the work that precedes the wait also depends on timing. The check follows the order of this run. |
#| | CROSS-OVERFLOW | `too-many-signals` | The counter of a cross-core id is full: 15 signals are pending, and one more is lost. Or that happens under another timing: the signal is not ordered after the wait for the signal 15 before. |
#| | QUEUE-LEFT | `entry-left` | Entries of a tile queue were sent, and not received before the kernel ended. On hardware the sender waits at its end until their slots are free again, and hangs. |
#| | ALIGN | `misaligned-access` | An address that is known at run time only is not aligned as the instruction needs it. |
#| | BOUNDS | `access-out-of-bounds` | An access is outside the kernel's argument or the on-chip memory; the message says by how many bytes. An access that begins inside its buffer is carried out up to the end of the buffer; one that begins outside is not. Gather indices beyond the source tile are a warning: the chip reads the bytes there, the run takes 0 or keeps the old value. |
#| | RACE | `race` | Two accesses to the same bytes, one of them a write, and no flag, barrier, token or signal orders them. That both vector cores of a cluster write the same bytes is a warning. |
#| | THREAD-RACE | `threads-without-order` | Two threads of a SIMT launch access the same bytes, one of them changes them, and the two are not ordered. Threads of one warp run in lock step; warps are ordered by pto.syncthreads, or by atomics with a fence on both sides. Atomics do not race with each other, nor does a write of the same value. |
#| | THREAD-BARRIER | `a-barrier-that-not-all-threads-reach` | Threads of a SIMT launch wait at pto.syncthreads, and others have ended or wait at another one. The run goes on as if all had met. |
#| | MEM-BAR | `vector-accesses-without-a-memory-barrier` | A vector function accesses bytes of UB again that one of its own instructions wrote (or writes bytes that it read), and no mem_bar is between the two. Its loads and stores start when their registers are ready, not in program order. A store of a loaded value follows the load. Between logical vectors (pto.vmi), which run in program order, this is a warning, because their compiler needs the mem_bar. |
#| | OVERLAP | `buffers-share-bytes` | Two tiles or pointers share bytes by mistake. One of them is read after all bytes that were written through it have been overwritten through the other one, before any read of them. One overwritten part is enough if the two overlap partially, or if a transfer loaded the bytes from GM. Other forms: a computation reads bytes through one of them and overwrites a part of them through the other, and both parts are read together; or every byte that is read through one of them was also written through it, so the two need no shared bytes, and one reads bytes of the other; or bytes that are written through one of them are never read, while the other one is never written and reads bytes of others. Intended aliases are not reported: a name that is read before it is written, such as rows of a tile, and a name that is written and read only through the other one. |
#| | SHAPE | `argument-of-another-shape` | An argument is given as an array of two dimensions, and the kernel views it as one whose rows have another length. Views that are larger than their array are notes of BOUNDS. |
#| | UNWRITTEN | `output-written-in-part` | The kernel writes an argument that it does not read, and leaves some of its elements unchanged. Most often it was launched with too few blocks. Arguments that a case compares or fills, and those that the kernel also reads, are not reported. An argument that is written to a file or compared, and that is not filled, is also reported if the kernel writes nothing of it. |
#| | LAYOUT | `read-in-another-layout` | A tile is written in one layout (boxes, columns, rows) and read in another one, through a second tile at the same address with the same extents: the elements are in another order. The result of pto.treshape is no second tile, and boxes that are read as their transposed kind are a transposition. |
#| | CLOBBERED | `bytes-that-an-instruction-has-left-with-something-else` | Bytes are read that an instruction has used for intermediate values: its scratch tile, the bytes that it writes after it, or a source that it overwrites. They have no defined value until they are written again. |
#| | WINDOW | `window-leaves-its-view` | A window begins or ends outside of the extents that the program gives its view. As long as it stays inside the buffer it reads or writes bytes of other rows; BOUNDS is reported if it leaves the buffer. If constants alone show it, it is E0362. |
#| | STALE | `data-cache-of-the-scalar-unit` | Scalar loads and stores access GM through a data cache with lines of 64 bytes, which is not coherent: a load hits a line from before the write of a pipe or of another core, or another reader accesses memory before a store has left the cache. A barrier or a flag does not change that. A write over such a store, which the cache may write back later, is a warning. So is a load of bytes that were written since the kernel began, if their line was not dropped. |
#| | UNINIT | `uninitialised-read` | Uninitialised bytes are read. It is a warning if only some of them are uninitialised, or if they are only moved; it is an error if a case compares a value that depends on them. |
#| | MISMATCH | `mismatch` | An output differs from the expected values of the case. The message gives the element, the difference and the last writer. |
#| | DIV-ZERO | `division-by-zero` | An integer is divided by zero. The result is 0. |
#| | OPERAND | `operand-without-a-meaning` | A run-time value is not valid for the instruction: a value that does not fit its field, a control register that still holds the value of an earlier kernel, bursts of one transfer that are written to the same bytes. |
#| | ASSERT | `assertion` | The condition of a cf.assert does not hold. The run ends there. |
#| | INEXACT | `inexact-result` | On A2/A3 trem and trems compute i32 through f32, which is exact within -2^24..2^24, and an operand lies beyond. The simulator is exact everywhere. Where the operand is known before the run, W0386 says so. Of f32 they give a - floor(a / b) * b with each step rounded, as the simulator does, too. Where the quotient is large that is no remainder: it is not between 0 and the divisor, or further from the exact one than a 256th of the divisor. |
#| | UNSUPPORTED | `unsupported-at-run-time` | An operand has a value at run time that the simulator does not implement. |
#| | TIME-DATA | `needs-data` | A run without data (--mode time) came to a branch, a loop bound, a flag id or an extent that depends on memory. |
#| | HANG | `endless-loop` | A loop of the scalar unit ran 2^28 steps and queued nothing. |
#| | LOOP-STEP | `step-of-a-loop` | The step of an scf.for is zero or negative. |
#| | MAX-CYCLES | `limit-of-cycles` | The run was stopped at the limit of --max-cycles. |
#| | MAX-INSTRUCTIONS | `limit-of-instructions` | The run was stopped at the limit of --max-instructions. |
#| | UNPROVED | `not-proved` | The proof engine cannot decide whether the kernel is free of deadlocks and races for every input, because of this statement: data controls the order, iterations do not become periodic, or there are too many input values to try. |
#| | SIGNAL-STALE | `wait-on-a-signal-of-before` | Of several devices: the condition of a wait has been true since an earlier wait passed, so it does not wait for later notifications. Example: a barrier that is used again with the same value, or with one that is not greater. |
#| | SIGNAL-LOST | `lost-signal` | Of several devices: a notify that sets a word overwrites a notification of another device for which no wait has passed. Or a notify overwrites the value that a wait needs, and is not ordered after this wait: with a late wait it hangs. |
#| | RANK-RACE | `race-between-devices` | Of several devices: one accesses bytes that another one accesses as well, one of them writes, and no notify that is waited for orders the two. Sums may come in any order. |
#| | INTERRUPTED | `interrupted` | The run was ended from outside (SIGINT). The report covers the time before. |
#= exit 0
#| the same
#= exit 0
#| k.pto:9:3: error[UNINIT]: pto.mte_ub_gm on MTE3 reads 256 bytes of %u, all of them never written, the first in ub at 0x0; output 'o' depends on their values
#= exit 0
#| raised, not listed: []
#| listed, not raised: []
#| True
