# Every error and warning of the catalogue is raised by a test: a golden test shows it, or a unit test names it.
# RUN: python3 %t/coverage.py "$PWD/../.."
# FILE: coverage.py
#: import json, pathlib, re, subprocess, sys
#: root = pathlib.Path(sys.argv[1])
#: rules = json.loads(subprocess.check_output(['pto-as', '--list-rules', '--format', 'json']))
#: shown = re.compile(r'^\S*[|!].*\[([A-Z][A-Z0-9-]+)\]', re.MULTILINE)
#: raised = {id for file in root.glob('asm-tests/**/*') if file.is_file() for id in shown.findall(file.read_text(errors='replace'))}
#: tests = '\n'.join(file.read_text() for file in root.glob('src/**/*_test.cpp'))
#: for rule in rules:
#:     if rule['family'] != 'Findings of a run' and rule['id'] not in raised and not re.search(rf'\b{rule["id"]}\b', tests):
#:         print('no test raises', rule['id'])
#: print(len(rules) > 200)

#= exit 0
#| True
