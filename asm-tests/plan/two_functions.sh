# Orders that no text writes: between the cube and the vector function of one launch, and between the two vector cores of a block (two_functions.py).
# With signals of the tools the values are NumPy's and there is no finding, in every mode and with any number of buffers
# RUN: for s in $(/usr/bin/python3 two_functions.py list given); do for t in a2a3 a5; do /usr/bin/python3 two_functions.py %t/$s.$t $s $t; for m in "run auto" "check auto" "check off" "run 2"; do set -- $m; pto-sim %t/$s.$t/case.toml --mode $1 --multi-buffer $2 --report none || echo "$s $t $m"; done; done; done
# Modes and counts of the signals that are put in
# RUN: for s in $(/usr/bin/python3 two_functions.py list given); do for t in a2a3 a5; do echo "$s $t: $(pto-as %t/$s.$t/kernel.pto --target $t --emit=pto -Wno-missing-set-ffts | grep -oE "sync.set.*mode = [12]" | sed 's/sync.set #pto.pipe<PIPE_//; s/>.*mode = / mode /' | sort | uniq -c | tr -s ' \n' ' ')"; done; done
# Without them each of these has races
# RUN: for s in $(/usr/bin/python3 two_functions.py list given); do pto-as %t/$s.a5/kernel.pto --emit=pto -o %t/$s.a5/all.pto && grep -v "pto.sync" %t/$s.a5/all.pto > %t/$s.a5/kernel.pto; pto-sim %t/$s.a5/case.toml --mode check --report none 2>&1 | grep -q "error.RACE" || echo "$s: no race"; done
# Bytes of each core's own: no signal, and no finding
# RUN: for s in $(/usr/bin/python3 two_functions.py list apart); do for t in a2a3 a5; do /usr/bin/python3 two_functions.py %t/$s.$t $s $t; for m in run check; do pto-sim %t/$s.$t/case.toml --mode $m --report none || echo "$s $t $m"; done; pto-as %t/$s.$t/kernel.pto --emit=pto | grep "pto.sync"; done; done
# Errors that name the dependence
# RUN: for s in $(/usr/bin/python3 two_functions.py list refused); do for t in a2a3 a5; do /usr/bin/python3 two_functions.py %t/$s.$t $s $t; (cd %t/$s.$t; pto-as kernel.pto --emit=pto 2>&1 | grep -v " |"); done; done
# Functions with signals of their own are left to them: flags only
# RUN: for t in a2a3 a5; do /usr/bin/python3 two_functions.py %t/own.$t other_counts $t; sed -i 's/.*pto.tstore ins.*outs.*p32)$/&\n pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2}/; s/.*pto.tload ins.*h32) outs.*/pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2}\n&/' %t/own.$t/kernel.pto; pto-as %t/own.$t/kernel.pto --multi-buffer off --emit=pto -Wno-missing-set-ffts | grep -c "pto.sync"; done

#= exit 0
#= exit 0
#| chain a2a3:  1 FIX mode 2
#| chain a5:  1 FIX mode 2
#| vector_first a2a3:  1 FIX mode 2
#| vector_first a5:  1 FIX mode 2
#| forth_and_back a2a3:  1 FIX mode 2 1 MTE3 mode 2
#| forth_and_back a5:  1 FIX mode 2 1 MTE3 mode 2
#| to_cube a2a3:  1 MTE3 mode 2
#| to_cube a5:  1 MTE3 mode 2
#| loops a2a3:  2 FIX mode 2 4 MTE2 mode 2
#| loops a5:  2 FIX mode 2 4 MTE2 mode 2
#| one_buffer a2a3:  1 FIX mode 2 2 MTE2 mode 2
#| one_buffer a5:  1 FIX mode 2 2 MTE2 mode 2
#| open_bounds a2a3:  1 FIX mode 2 2 MTE2 mode 2
#| open_bounds a5:  1 FIX mode 2 2 MTE2 mode 2
#| attention a2a3:  1 FIX mode 2 1 MTE3 mode 2
#| attention a5:  1 FIX mode 2 1 MTE3 mode 2
#| nested a2a3:  1 FIX mode 2 2 MTE2 mode 2
#| nested a5:  1 FIX mode 2 2 MTE2 mode 2
#| all_then_some a2a3:  1 FIX mode 2
#| all_then_some a5:  1 FIX mode 2
#| other_half a2a3:  1 MTE3 mode 1
#| other_half a5:  1 MTE3 mode 1
#| read_then_write a2a3:  1 MTE3 mode 1
#| read_then_write a5:  1 MTE3 mode 1
#| in_a_loop a2a3:  4 MTE3 mode 1
#| in_a_loop a5:  4 MTE3 mode 1
#| around_sections a2a3:  2 MTE3 mode 1
#| around_sections a5:  2 MTE3 mode 1
#| started_together a2a3:  1 FIX mode 2
#| started_together a5:  1 FIX mode 2
#| one_for_both a2a3:  1 MTE3 mode 1
#| one_for_both a5:  1 MTE3 mode 1
#= exit 0
#= exit 1
#= exit 0
#| kernel.pto:75:5: error[E0607]: pto.tload of the vector core reads bytes of argument 'w' that pto.tstore of the cube core writes, and cannot be ordered: both do so several times, and nothing says which write a read means
#| kernel.pto:43:5: note: pto.tstore of the cube core writes here
#|   help: let loops of both functions count alike, or write each value to a place of its own; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:75:5: error[E0607]: pto.tload of the vector core reads bytes of argument 'w' that pto.tstore of the cube core writes, and cannot be ordered: both do so several times, and nothing says which write a read means
#| kernel.pto:43:5: note: pto.tstore of the cube core writes here
#|   help: let loops of both functions count alike, or write each value to a place of its own; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:79:5: error[E0607]: pto.tload of the vector core reads bytes of argument 'w' that pto.tstore of the cube core writes, and cannot be ordered: both do so several times, and nothing says which write a read means
#| kernel.pto:41:5: note: pto.tstore of the cube core writes here
#|   help: let loops of both functions count alike, or write each value to a place of its own; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:79:5: error[E0607]: pto.tload of the vector core reads bytes of argument 'w' that pto.tstore of the cube core writes, and cannot be ordered: both do so several times, and nothing says which write a read means
#| kernel.pto:41:5: note: pto.tstore of the cube core writes here
#|   help: let loops of both functions count alike, or write each value to a place of its own; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:68:5: error[E0607]: pto.tload of the vector core reads bytes of argument 'w' that pto.tstore of the cube core writes, and cannot be ordered: each function needs what the other one leaves later
#| kernel.pto:41:5: note: pto.tstore of the cube core writes here
#|   help: let values go forth and back in one order, in loops that count alike in both functions; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:68:5: error[E0607]: pto.tload of the vector core reads bytes of argument 'w' that pto.tstore of the cube core writes, and cannot be ordered: each function needs what the other one leaves later
#| kernel.pto:41:5: note: pto.tstore of the cube core writes here
#|   help: let values go forth and back in one order, in loops that count alike in both functions; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:70:5: error[E0607]: pto.tstore of the vector core writes bytes of argument 'o' that pto.tstore of the cube core writes, and cannot be ordered: both write there, and nothing says who does so last
#| kernel.pto:41:5: note: pto.tstore of the cube core writes here
#|   help: let only one of the functions write these bytes; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:70:5: error[E0607]: pto.tstore of the vector core writes bytes of argument 'o' that pto.tstore of the cube core writes, and cannot be ordered: both write there, and nothing says who does so last
#| kernel.pto:41:5: note: pto.tstore of the cube core writes here
#|   help: let only one of the functions write these bytes; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:77:5: error[E0607]: pto.tload of a vector core reads bytes of argument 'w' that pto.tstore of the other vector core of its block writes, and cannot be ordered: scf.if around it depends on the number of the vector core, so that the two do not run it equally often
#| kernel.pto:72:5: note: pto.tstore writes here
#|   help: let each vector core work on bytes of its own, or put one of the accesses where both come equally often; or write the order: pto.sync.set <PIPE_MTE3>, 0 {ffts_mode = 1} and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 1} between the accesses, on both
#| kernel.pto:77:5: error[E0607]: pto.tload of a vector core reads bytes of argument 'w' that pto.tstore of the other vector core of its block writes, and cannot be ordered: scf.if around it depends on the number of the vector core, so that the two do not run it equally often
#| kernel.pto:72:5: note: pto.tstore writes here
#|   help: let each vector core work on bytes of its own, or put one of the accesses where both come equally often; or write the order: pto.sync.set <PIPE_MTE3>, 0 {ffts_mode = 1} and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 1} between the accesses, on both
#| kernel.pto:80:5: error[E0607]: pto.tload of a vector core reads bytes of argument 'w' that pto.tstore of the other vector core of its block writes, and cannot be ordered: scf.for around it depends on the number of the vector core, so that the two do not run it equally often
#| kernel.pto:76:5: note: pto.tstore writes here
#|   help: let each vector core work on bytes of its own, or put one of the accesses where both come equally often; or write the order: pto.sync.set <PIPE_MTE3>, 0 {ffts_mode = 1} and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 1} between the accesses, on both
#| kernel.pto:80:5: error[E0607]: pto.tload of a vector core reads bytes of argument 'w' that pto.tstore of the other vector core of its block writes, and cannot be ordered: scf.for around it depends on the number of the vector core, so that the two do not run it equally often
#| kernel.pto:76:5: note: pto.tstore writes here
#|   help: let each vector core work on bytes of its own, or put one of the accesses where both come equally often; or write the order: pto.sync.set <PIPE_MTE3>, 0 {ffts_mode = 1} and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 1} between the accesses, on both
#= exit 0
#| 2
#| 2
