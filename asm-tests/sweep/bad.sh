# Sweep files and options that are refused: where, what, and what to write; nothing is written.
# RUN: cd $T && cp $OLDPWD/gemm.* . && python3 bad.py
# RUN: cd $T && for s in 0/0 3/3 1 -1/2 1/2/3 a/b auto; do env -u OMPI_COMM_WORLD_RANK pto-sim sweep good.toml --shard $s; done; pto-sim sweep good.toml --shard 0/2 --merge; pto-sim sweep good.toml --merge
# RUN: cd $T && pto-sim sweep good.toml -D TM=4; pto-sim sweep none.toml; pto-sim sweep good.toml --out no/where/x
# RUN: cd $T && SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_COUNT=4 pto-sim sweep good.toml --shard auto
# RUN: cd $T && echo no row > good.jsonl && pto-sim sweep good.toml
# FILE: good.toml
#: case = "gemm.toml"
#: [grid]
#: TM = [16]
# FILE: bad.py
#: import os, subprocess
#: GRID = '[grid]\nTM = [16, 32]\n'
#: for text in ['', 'case = "gemm.toml"\n', GRID, 'case = 3\n', 'case = "gemm.pto"\n' + GRID, 'case = "gemm.toml"\nprogram = "gemm.pto"\n' + GRID,
#:              'cas = "gemm.toml"\n' + GRID, 'case = "gemm.toml"\nmode = "fast"\n' + GRID, 'case = "gemm.toml"\n[grid]\nTM = []\n', 'case = "gemm.toml"\n[grid]\nTM = 16\n',
#:              'case = "gemm.toml"\n[grid]\n"T-M" = [1]\n', 'case = "gemm.toml"\n[grid]\ncycles = [1]\n', 'case = "gemm.toml"\n[grid]\nTM = [[[]], 1979-05-27]\n',
#:              'case = "gemm.toml"\n[grid]\nTM = { from = 1 }\n', 'case = "gemm.toml"\n[grid]\nTM = { from = 4, to = 1 }\n', 'case = "gemm.toml"\n[grid]\nTM = { from = 0, to = 8, times = 2 }\n',
#:              'case = "gemm.toml"\n[grid]\nTM = { form = 1, to = 8 }\n', 'case = "gemm.toml"\n[grid]\nTM = { from = 1, to = 9000000000000000000 }\n',
#:              'case = "gemm.toml"\n[grid]\nTM = { from = 1, to = 4000 }\nTN = { from = 1, to = 4000 }\n', 'case = "gemm.toml"\n[grid]\nTM = { from = 1, to = 1200 }\nTN = { from = 1, to = 1200 }\n',
#:              'case = "gemm.toml"\nconstraints = []\n' + GRID, 'case = "gemm.toml"\nconstraints = ["TM <"]\n' + GRID, 'case = "gemm.toml"\nconstraints = ["TN < 3"]\n' + GRID,
#:              'case = "gemm.toml"\nconstraints = ["TM > 99"]\n' + GRID, 'case = "gemm.toml"\nconstraints = ["64 / (TM - 16) > 1"]\n' + GRID,
#:              'case = "gemm.toml"\nconstraints = ["case.target > 1"]\n[grid]\ncase.target = ["a5"]\n', 'case = "gemm.toml"\nbest = "cycle"\n' + GRID, 'case = "gemm.toml"\nper = ["M"]\n' + GRID,
#:              'case = "gemm.toml"\npareto = ["speed"]\n' + GRID, 'case = "gemm.toml"\npoint = []\n', 'case = "gemm.toml"\n[[point]]\nM = 1\n[[point]]\nN = 1\n', 'case = "gemm.toml"\n[[point]]\nM = 1\n[[point]]\nM = 1\nN = 1\n',
#:              'case = "gemm.toml"\n[[point]]\nTM = 1\n' + GRID, 'case = "gemm.toml"\n[grid\n']:
#:     open('bad.toml', 'w').write(text)
#:     done = subprocess.run(['pto-sim', 'sweep', 'bad.toml'], capture_output=True, text=True)
#:     print(done.returncode, done.stderr.replace('pto-sim sweep: error: ', ''), end='')
#: print(sorted(name for name in os.listdir() if name.startswith('bad.')))

#= exit 0
#| 2 bad.toml:1: there is neither 'case' nor 'program'
#| 2 bad.toml:1: there is no parameter: write [grid] or [[point]]
#| 2 bad.toml:1: there is neither 'case' nor 'program'
#| 2 bad.toml:1: 'case' must be a text
#| 2 bad.toml:1: 'case' is a case file (.toml); write program = .. for a program
#| 2 bad.toml:2: give 'case' or 'program', not both
#| 2 bad.toml:1: unknown key 'cas', did you mean 'case'?
#| 2 bad.toml:2: 'mode' must be run, time or check, not 'fast'
#| 2 bad.toml:3: 'TM' must be a list of values, and not empty, or { from = .., to = .., step = .. }
#| 2 bad.toml:3: 'TM' must be a list of values, and not empty, or { from = .., to = .., step = .. }
#| 2 bad.toml:3: 'T-M' is no parameter: NAME as behind -D, case.KEY or target.KEY
#| 2 bad.toml:3: 'cycles' is the name of a column of the rows; give the parameter another
#| 2 bad.toml:3: 'TM' has a value that is not a number, text, boolean or list
#| 2 bad.toml:3: 'TM' needs from and to, and step or times
#| 2 bad.toml:3: 'TM': 'to' is less than 'from'
#| 2 bad.toml:3: 'times' must be at least 2, and 'from' at least 1
#| 2 bad.toml:3: unknown key 'form', did you mean 'from'?
#| 2 bad.toml:3: 'TM' has more than 1000000 values
#| 2 bad.toml:1: the grid has more than 10000000 points; give steps, or several sweeps
#| 2 bad.toml: more than 1000000 points meet the constraints; give steps, or several sweeps
#| 2 bad.toml:2: 'constraints' must be an array of texts, and not empty
#| 2 bad.toml:2: expected a value at column 5 of 'TM <'
#| 2 bad.toml:2: 'TN < 3': 'TN' is no parameter, did you mean 'TM'?
#| 2 bad.toml: no point meets the constraints
#| 2 bad.toml:2: '64 / (TM - 16) > 1' cannot be computed for 16
#| 2 bad.toml:2: 'case.target > 1': 'case.target' has values that are no integers
#| 2 bad.toml:2: 'cycle' is nothing that is measured, did you mean 'cycles'?
#| 2 bad.toml:2: 'M' is no parameter; known here: TM
#| 2 bad.toml:2: 'speed' is nothing that is measured; known here: cycles, kernel_cycles, us, tflops, read_bytes, written_bytes, ub_bytes, l1_bytes, l0a_bytes, l0b_bytes, l0c_bytes, errors, warnings
#| 2 bad.toml:2: 'point' must be an array of tables: write [[point]]
#| 2 bad.toml:5: every point has the same parameters; the first has no 'N'
#| 2 bad.toml:6: every point has the same parameters; the first has no 'N'
#| 2 bad.toml:3: 'TM' is in the grid and in the points
#| 2 bad.toml:2:6: Error while parsing table header: expected ']', saw '\n'
#| ['bad.py', 'bad.toml']
#= exit 2
#! pto-sim sweep: error: --shard 0/0: write i/n with 0 <= i < n, or auto
#! pto-sim sweep: error: --shard 3/3: write i/n with 0 <= i < n, or auto
#! pto-sim sweep: error: --shard 1: write i/n with 0 <= i < n, or auto
#! pto-sim sweep: error: --shard -1/2: write i/n with 0 <= i < n, or auto
#! pto-sim sweep: error: --shard 1/2/3: write i/n with 0 <= i < n, or auto
#! pto-sim sweep: error: --shard a/b: write i/n with 0 <= i < n, or auto
#! pto-sim sweep: error: --shard auto: the environment names no rank (OMPI_COMM_WORLD_RANK, PMI_RANK) and no task of Slurm
#! pto-sim sweep: error: --merge merges all shards; omit --shard
#! pto-sim sweep: error: there are no shards good.shard-*.jsonl
#= exit 2
#! pto-sim sweep: error: -D TM=4: TM is a parameter of the sweep
#! pto-sim sweep: error: cannot read none.toml: No such file or directory
#! pto-sim sweep: error: cannot write no/where/x.jsonl: No such file or directory
#= exit 2
#! pto-sim sweep: error: --shard auto: the job array has gaps; give --shard i/n
#= exit 2
#! pto-sim sweep: error: good.jsonl:1: this is no row of a sweep
