#!/usr/bin/python3
"""usage: make_wheel.py FOLDER VERSION OUTPUT-DIR   The wheel of the Python package that was built into FOLDER.

Same files, same bytes: names are sorted, times are SOURCE_DATE_EPOCH. The tag names the C library that the module needs.
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import time
import zipfile


def platform_tag(module):
    symbols = subprocess.run(['objdump', '-T', module], capture_output=True, text=True, check=True).stdout
    newest = max(tuple(map(int, found.split('.'))) for found in re.findall(r'GLIBC_(2\.\d+)', symbols))
    return f'manylinux_{newest[0]}_{newest[1]}_x86_64'


def main():
    if len(sys.argv) < 4 or sys.argv[1] == '--help':
        sys.exit(__doc__)
    folder, version, output = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    module = next(folder.glob('pto/_pto.*.so'))
    python = re.search(r'cpython-(\d+)-', module.name)[1]
    tag = f'cp{python}-cp{python}-{platform_tag(module)}'
    info = f'pto-{version}.dist-info'
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.glob('pto/*') if path.is_file()}
    files[f'{info}/METADATA'] = (
        f'Metadata-Version: 2.1\nName: pto\nVersion: {version}\nSummary: Assembler and simulator for the PTO instruction set\n'
        'License: Apache-2.0\nRequires-Python: >=3.9\nRequires-Dist: numpy\n').encode()
    files[f'{info}/WHEEL'] = f'Wheel-Version: 1.0\nGenerator: pto\nRoot-Is-Purelib: false\nTag: {tag}\n'.encode()
    files[f'{info}/entry_points.txt'] = b'[pytest11]\npto = pto.pytest_plugin\n'
    files[f'{info}/LICENSE'] = (pathlib.Path(__file__).resolve().parents[2] / 'LICENSE').read_bytes()
    record = ''
    for name, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
        record += f'{name},sha256={digest},{len(data)}\n'
    files[f'{info}/RECORD'] = f'{record}{info}/RECORD,,\n'.encode()
    when = time.gmtime(int(os.environ['SOURCE_DATE_EPOCH']))[:6]
    path = output / f'pto-{version}-{tag}.whl'
    with zipfile.ZipFile(path, 'w') as wheel:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, when)
            entry.external_attr = (0o755 if name.endswith('.so') else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    print(path)


if __name__ == '__main__':
    main()
