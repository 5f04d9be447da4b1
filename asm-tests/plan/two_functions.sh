# Orders that no text writes: between the cube and the vector function of one launch, and between the two vector cores of a block (two_functions.py).
# With signals of the tools the values are NumPy's and there is no finding, in every mode and with any number of buffers
# RUN: /usr/bin/python3 two_functions.py %t given && for s in %t/*.a*; do pto-sim $s/case.toml --report none || echo $s; done
# RUN: for s in %t/*.a*; do pto-sim $s/case.toml --mode check --report none || echo $s; done
# RUN: for s in %t/*.a*; do pto-sim $s/case.toml --mode check --multi-buffer off --report none || echo $s; done
# Random ones, whose text order says nothing; by hand: seeds 1 to 70
# RUN: /usr/bin/python3 -W ignore two_functions_random.py %t/random 1 9 && for s in %t/random/*; do pto-sim $s/case.toml --mode check --report none || echo $s; done
# Modes and counts of the signals that are put in
# RUN: cd %t; for s in *.a*; do echo "$s: $(pto-as $s/kernel.pto --target ${s#*.} --emit=pto -Wno-missing-set-ffts | grep -oE "sync.set.*mode = [12]" | sed 's/sync.set #pto.pipe<PIPE_//; s/>.*mode = / mode /' | sort | uniq -c | tr -s ' \n' ' ')"; done
# Without them each of these has races
# RUN: for s in %t/*.a5; do pto-as $s/kernel.pto --multi-buffer off --emit=pto -o $s/all.pto && grep -v "pto.sync" $s/all.pto > $s/kernel.pto; pto-sim $s/case.toml --mode check --report none 2>&1 | grep -q "error.RACE" || echo "$s: no race"; done
# Bytes of each core's own: no signal, and no finding
# RUN: /usr/bin/python3 two_functions.py %t/apart apart && for s in %t/apart/*; do pto-sim $s/case.toml --mode check --report none || echo $s; pto-as $s/kernel.pto --emit=pto | grep "pto.sync"; done; true
# Errors that name the dependence
# RUN: /usr/bin/python3 two_functions.py %t/refused refused && for s in %t/refused/*; do (cd $s; pto-as kernel.pto --emit=pto 2>&1 | grep -v " |"); done
# Functions with signals of their own are left to them: flags only
# RUN: cd %t/refused; for t in a2a3 a5; do sed 's/.*pto.tstore ins.*outs.*p32)$/&\n pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2}/; s/.*pto.tload ins.*h32) outs.*/pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2}\n&/' other_counts.$t/kernel.pto > own.pto; pto-as own.pto --multi-buffer off --emit=pto -Wno-missing-set-ffts | grep -c "pto.sync"; done

#= exit 0
#= exit 0
#= exit 0
#= exit 0
#= exit 0
#| all_then_some.a2a3:  1 FIX mode 2
#| all_then_some.a5:  1 FIX mode 2
#| around_sections.a2a3:  2 MTE3 mode 1
#| around_sections.a5:  2 MTE3 mode 1
#| attention.a2a3:  1 FIX mode 2 1 MTE3 mode 2
#| attention.a5:  1 FIX mode 2 1 MTE3 mode 2
#| chain.a2a3:  1 FIX mode 2
#| chain.a5:  1 FIX mode 2
#| forth_and_back.a2a3:  1 FIX mode 2 1 MTE3 mode 2
#| forth_and_back.a5:  1 FIX mode 2 1 MTE3 mode 2
#| in_a_loop.a2a3:  4 MTE3 mode 1
#| in_a_loop.a5:  4 MTE3 mode 1
#| loops.a2a3:  2 FIX mode 2 4 MTE2 mode 2
#| loops.a5:  2 FIX mode 2 4 MTE2 mode 2
#| nested.a2a3:  1 FIX mode 2 2 MTE2 mode 2
#| nested.a5:  1 FIX mode 2 2 MTE2 mode 2
#| one_buffer.a2a3:  1 FIX mode 2 2 MTE2 mode 2
#| one_buffer.a5:  1 FIX mode 2 2 MTE2 mode 2
#| one_for_both.a2a3:  1 MTE3 mode 1
#| one_for_both.a5:  1 MTE3 mode 1
#| open_bounds.a2a3:  1 FIX mode 2 2 MTE2 mode 2
#| open_bounds.a5:  1 FIX mode 2 2 MTE2 mode 2
#| other_half.a2a3:  1 MTE3 mode 1
#| other_half.a5:  1 MTE3 mode 1
#| read_then_write.a2a3:  1 MTE3 mode 1
#| read_then_write.a5:  1 MTE3 mode 1
#| sections_one_buffer.a2a3:  1 FIX mode 2 2 MTE2 mode 2
#| sections_one_buffer.a5:  1 FIX mode 2 2 MTE2 mode 2
#| started_together.a2a3:  1 FIX mode 2
#| started_together.a5:  1 FIX mode 2
#| to_cube.a2a3:  1 MTE3 mode 2
#| to_cube.a5:  1 MTE3 mode 2
#| vector_first.a2a3:  1 FIX mode 2
#| vector_first.a5:  1 FIX mode 2
#= exit 0
#= exit 0
#= exit 0
#| kernel.pto:68:5: error[E0607]: pto.tload of the vector core reads bytes of argument 'w' that pto.tstore of the cube core writes, and cannot be ordered: each function needs a value that the other one writes later
#| kernel.pto:41:5: note: pto.tstore of the cube core writes here
#|   help: let values go forth and back in one order, in loops that count alike in both functions; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:68:5: error[E0607]: pto.tload of the vector core reads bytes of argument 'w' that pto.tstore of the cube core writes, and cannot be ordered: each function needs a value that the other one writes later
#| kernel.pto:41:5: note: pto.tstore of the cube core writes here
#|   help: let values go forth and back in one order, in loops that count alike in both functions; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:77:5: error[E0607]: pto.tload of a vector core reads bytes of argument 'w' that pto.tstore of the other vector core of its block writes, and cannot be ordered: scf.if around it depends on the index of the vector core, so the two cores may run it different times
#| kernel.pto:72:5: note: pto.tstore writes here
#|   help: let each vector core work on bytes of its own, or put one of the accesses where both come equally often; or write the order: pto.sync.set <PIPE_MTE3>, 0 {ffts_mode = 1} and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 1} between the accesses, on both
#| kernel.pto:77:5: error[E0607]: pto.tload of a vector core reads bytes of argument 'w' that pto.tstore of the other vector core of its block writes, and cannot be ordered: scf.if around it depends on the index of the vector core, so the two cores may run it different times
#| kernel.pto:72:5: note: pto.tstore writes here
#|   help: let each vector core work on bytes of its own, or put one of the accesses where both come equally often; or write the order: pto.sync.set <PIPE_MTE3>, 0 {ffts_mode = 1} and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 1} between the accesses, on both
#| kernel.pto:75:5: error[E0607]: pto.tload of the vector core reads bytes of argument 'w' that pto.tstore of the cube core writes, and cannot be ordered: both do so several times, and nothing says which write a read means
#| kernel.pto:43:5: note: pto.tstore of the cube core writes here
#|   help: give the loops of both functions the same trip count, or write each value to an address of its own; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:75:5: error[E0607]: pto.tload of the vector core reads bytes of argument 'w' that pto.tstore of the cube core writes, and cannot be ordered: both do so several times, and nothing says which write a read means
#| kernel.pto:43:5: note: pto.tstore of the cube core writes here
#|   help: give the loops of both functions the same trip count, or write each value to an address of its own; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:80:5: error[E0607]: pto.tload of a vector core reads bytes of argument 'w' that pto.tstore of the other vector core of its block writes, and cannot be ordered: scf.for around it depends on the index of the vector core, so the two cores may run it different times
#| kernel.pto:76:5: note: pto.tstore writes here
#|   help: let each vector core work on bytes of its own, or put one of the accesses where both come equally often; or write the order: pto.sync.set <PIPE_MTE3>, 0 {ffts_mode = 1} and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 1} between the accesses, on both
#| kernel.pto:80:5: error[E0607]: pto.tload of a vector core reads bytes of argument 'w' that pto.tstore of the other vector core of its block writes, and cannot be ordered: scf.for around it depends on the index of the vector core, so the two cores may run it different times
#| kernel.pto:76:5: note: pto.tstore writes here
#|   help: let each vector core work on bytes of its own, or put one of the accesses where both come equally often; or write the order: pto.sync.set <PIPE_MTE3>, 0 {ffts_mode = 1} and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 1} between the accesses, on both
#| kernel.pto:79:5: error[E0607]: pto.tload of the vector core reads bytes of argument 'w' that pto.tstore of the cube core writes, and cannot be ordered: both do so several times, and nothing says which write a read means
#| kernel.pto:41:5: note: pto.tstore of the cube core writes here
#|   help: give the loops of both functions the same trip count, or write each value to an address of its own; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:79:5: error[E0607]: pto.tload of the vector core reads bytes of argument 'w' that pto.tstore of the cube core writes, and cannot be ordered: both do so several times, and nothing says which write a read means
#| kernel.pto:41:5: note: pto.tstore of the cube core writes here
#|   help: give the loops of both functions the same trip count, or write each value to an address of its own; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:70:5: error[E0607]: pto.tstore of the vector core writes bytes of argument 'o' that pto.tstore of the cube core writes, and cannot be ordered: both write there, and nothing says who does so last
#| kernel.pto:41:5: note: pto.tstore of the cube core writes here
#|   help: let only one of the functions write these bytes; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#| kernel.pto:70:5: error[E0607]: pto.tstore of the vector core writes bytes of argument 'o' that pto.tstore of the cube core writes, and cannot be ordered: both write there, and nothing says who does so last
#| kernel.pto:41:5: note: pto.tstore of the cube core writes here
#|   help: let only one of the functions write these bytes; or write the order of the cores: pto.sync.set <PIPE_FIX>, 0 {ffts_mode = 2} behind the first access and pto.sync.wait <PIPE_MTE2>, 0 {ffts_mode = 2} before the second one
#= exit 0
#| 2
#| 2
