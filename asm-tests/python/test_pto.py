"""The Python package against numpy, the code of docs/user/python.md, the plugin for pytest, a notebook, the types. Run by tools/test."""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import warnings

import numpy as np
import pto
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def vector_add():
    return pto.assemble(pto.example('vector_add'), target='a5')


def pair():
    return np.random.default_rng(3).standard_normal((2, 128, 64)).astype(np.float32)


def test_the_code_of_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / 'docs/user/python.md').read_text(encoding='utf-8')
    blocks = re.findall(r'```python\n(.*?)```', page, re.S)
    assert len(blocks) >= 6
    names = {}
    for block in blocks:
        exec(compile(block, 'docs/user/python.md', 'exec'), names)  # pylint: disable=exec-used
    events = json.loads((tmp_path / 't.json').read_text())['traceEvents']
    assert {'pto.tload', 'pto.tadd', 'pto.tstore'} <= {event.get('name') for event in events}


def test_a_result_adds_up():
    a, b = pair()
    r = vector_add().run(a, b, out=np.empty_like(a), blocks=4)
    assert r.ok and r.findings == [] and r.us == pytest.approx(r.cycles / 1.65e3, rel=0.2)
    for pipe in r.pipes:
        assert pipe['busy_cycles'] + sum(pipe['stall_cycles'].values()) == r.cycles - r.launch_cycles
    assert 0 < r.launch_cycles < r.cycles
    assert r.timeline() and max(map(len, r.timeline().split('\n'))) <= 100
    assert vector_add().run(a, b, out=np.empty_like(a), blocks=4, watch=True).timeline() == r.timeline()


def test_arrays_are_shared():
    a, b = pair()
    both = np.zeros((2, 128, 64), np.float32)
    before = both.__array_interface__['data']
    vector_add().run(a, b, both[1], blocks=4)  # a part of an array, contiguous: written in place
    assert both.__array_interface__['data'] == before
    assert np.array_equal(both[1], a + b) and not both[0].any()


def test_copies_where_they_must_be():
    a, b = pair()
    a.flags.writeable = False
    c = np.empty_like(a)
    vector_add().run(a, np.asfortranarray(b), out=c, blocks=4)
    assert np.array_equal(c, a + b)
    d = np.zeros((64, 128), np.float32).T
    vector_add().run(a, b, d, blocks=4)  # not contiguous: written back
    assert np.array_equal(d, a + b)


@pytest.mark.parametrize('arguments, out, words', [
    ((1,), None, 'nothing is given for'), ((1, 2, 3, 4), None, 'takes 3 arguments'), (('a', 'b'), 'c', 'give a numpy array'),
    ((np.zeros(8192), np.zeros(8192)), np.zeros(8192), 'has elements float64'),
    ((np.zeros(8192, '>f4'), np.zeros(8192, 'f4')), np.zeros(8192, 'f4'), 'byte order of another machine'),
    ((np.zeros(8192, 'f4'), np.zeros(8192, 'f4')), np.zeros(8192, '>i4'), 'byte order of another machine')])
def test_wrong_arguments(arguments, out, words):
    with pytest.raises(TypeError, match=words):
        vector_add().run(*arguments, out=out)


def test_scalars():
    k = pto.assemble("""func.func @k(%a: !pto.ptr<i32>, %i: index, %v: i32) attributes {pto.kernel} {
      pto.store_scalar %v, %a[%i] : !pto.ptr<i32>, i32
      return
    }""", target='a5', warnings=['no-STALE'])
    a = np.zeros(4, np.int32)
    k.run(a, 2, -7, on_finding='list')
    assert a.tolist() == [0, 0, -7, 0]
    with pytest.raises(ValueError, match='does not fit'):
        k.run(a, 2, 1 << 40)
    with pytest.raises(TypeError, match='whole number'):
        k.run(a, 2.5, 1)


def test_too_small_a_buffer_is_a_finding():
    a, b = pair()
    with pytest.raises(pto.FindingError) as caught:
        vector_add().run(a[:100].copy(), b, out=np.empty_like(a), blocks=4)
    assert {one.id for one in caught.value.findings} == {'BOUNDS'} and caught.value.findings[0].line > 0
    seen = []
    vector_add().run(a[:100].copy(), b, out=np.empty_like(a), blocks=4, on_finding=seen.append)
    assert seen
    with pytest.warns(UserWarning, match='BOUNDS'):
        vector_add().run(a[:100].copy(), b, out=np.empty_like(a), blocks=4, on_finding='warn')


WINDOW = """!v = !pto.tensor_view<?x?xf32>
!p = !pto.partition_tensor_view<16x64xf32>
!t = !pto.tile_buf<vec, 16x64xf32>
func.func @copy(%a: !pto.ptr<f32>, %o: !pto.ptr<f32>, %n: index) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %va = pto.make_tensor_view %a, shape = [%n, %c64], strides = [%c64, %c1] : !v
  %vo = pto.make_tensor_view %o, shape = [%c16, %c64], strides = [%c64, %c1] : !v
  %pa = pto.partition_view %va, offsets = [%c0, %c0], sizes = [%c16, %c64] : !v -> !p
  %po = pto.partition_view %vo, offsets = [%c0, %c0], sizes = [%c16, %c64] : !v -> !p
  %t = pto.alloc_tile : !t
  pto.tload ins(%pa : !p) outs(%t : !t)
  pto.tstore ins(%t : !t) outs(%po : !p)
  return
}
"""


def test_warnings_are_told():
    k, a = pto.assemble(WINDOW, target='a5'), np.ones((16, 64), np.float32)
    with pytest.warns(pto.FindingWarning, match='WINDOW') as told:
        r = k.run(a, a.copy(), 8)  # a view of 8 rows of a buffer of 16
    assert r.ok and told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        k.run(a, a.copy(), 8, on_finding='list')
        k.run(a, a.copy(), 16)


@pytest.mark.parametrize('wrong, text', [
    ({'mode': 'timee'}, "did you mean 'time'"), ({'mode': None}, "'run', 'time', 'check'"), ({'on_finding': 'rais'}, "did you mean 'raise'"),
    ({'blocks': 0}, 'blocks=0: it is 1 to 65535'), ({'blocks': -1}, '1 to 65535'), ({'blocks': 65536}, '1 to 65535'),
    ({'blocks': True}, '1 to 65535'), ({'threads': -3}, 'threads=-3: it is 0 to'), ({'max_cycles': -1}, 'max_cycles=-1')])
def test_what_a_run_refuses(wrong, text):
    a, b = pair()
    with pytest.raises(ValueError, match=re.escape(text)):
        vector_add().run(a, b, out=np.empty_like(a), **wrong)
    with pytest.raises(TypeError, match='blocks=1.5: it is a whole number'):
        vector_add().run(a, b, out=np.empty_like(a), blocks=1.5)


@pytest.mark.parametrize('wrong, near', [({'level': 'levle2'}, 'level2'), ({'sync': 'atuo'}, 'auto'), ({'on_finding': 'lst'}, 'list')])
def test_what_assemble_refuses(wrong, near):
    with pytest.raises(ValueError, match=f"did you mean '{near}'"):
        pto.assemble(pto.example('vector_add'), target='a5', **wrong)


def test_what_is_not_accepted():
    with pytest.raises(pto.AssembleError) as caught:
        pto.assemble('func.func @k() {\n  pto.tadd ins(%x) outs(%y)\n  return\n}\n', target='a5')
    assert caught.value.findings[0].line == 2
    with pytest.raises(ValueError):
        pto.assemble('module {\n}\n', target='no_such_target')
    with pytest.raises(KeyError, match='did you mean'):
        pto.explain('RAEC')


def test_threads_run_together():
    """Eight runs in four threads give what one gives, and more than one is under way at a time."""
    k = pto.assemble(pto.example('gemm'), target='a5')
    rng = np.random.default_rng(5)
    a, b = rng.standard_normal((64, 256)).astype(np.float16), rng.standard_normal((256, 64)).astype(np.float16)
    want = np.empty((64, 64), np.float32)
    first = k.run(a, b, out=want)
    spans = []

    def one(_):
        c = np.empty_like(want)
        begin = time.monotonic()
        cycles = [k.run(a, b, out=c).cycles for _ in range(20)]
        spans.append((begin, time.monotonic()))
        return c, cycles

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for c, cycles in pool.map(one, range(8)):
            assert np.array_equal(c, want) and set(cycles) == {first.cycles}
    assert any(x != y and x[0] < y[0] < x[1] for x in spans for y in spans)


def test_bf16_rounds_to_even():
    words = pto.to_bf16(np.array([1.0, 1.00390625, 1.01171875, np.inf, -np.inf, -0.0, 3.4e38], np.float32))
    assert words.tolist() == [0x3f80, 0x3f80, 0x3f82, 0x7f80, 0xff80, 0x8000, 0x7f80]
    assert np.isnan(pto.from_bf16(pto.to_bf16(np.float32(np.nan))))
    every = np.arange(1 << 16, dtype=np.uint16)
    numbers = pto.from_bf16(every)
    good = ~np.isnan(numbers)
    assert np.array_equal(pto.to_bf16(numbers)[good], every[good])


def run_python(*arguments, **options):
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, check=False, **options)


def test_pytest_collects_cases(tmp_path):
    for name, text in pto._pto.examples()['softmax'].items():
        (tmp_path / name).write_bytes(text)
    done = run_python('-m', 'pytest', '-q', '-p', 'pto.pytest_plugin', tmp_path)
    assert '1 passed' in done.stdout, done.stdout + done.stderr
    np.save(tmp_path / 'y.npy', np.zeros((64, 128), np.float32))
    done = run_python('-m', 'pytest', '-q', '-p', 'pto.pytest_plugin', tmp_path)
    assert '1 failed' in done.stdout and 'MISMATCH' in done.stdout


def test_a_notebook_shows_verdict_table_and_timeline(tmp_path):
    pytest.importorskip('nbconvert')
    code = ("import numpy as np, pto\na = np.ones((128, 64), np.float32)\n"
            "pto.assemble(pto.example('vector_add'), target='a5').run(a, a, out=np.empty_like(a), blocks=4)")
    cell = {'cell_type': 'code', 'source': code, 'metadata': {}, 'outputs': [], 'execution_count': None}
    notebook = {'cells': [cell], 'nbformat': 4, 'nbformat_minor': 2,
                'metadata': {'kernelspec': {'name': 'python3', 'display_name': 'Python 3', 'language': 'python'}}}
    (tmp_path / 'n.ipynb').write_text(json.dumps(notebook))
    done = run_python('-m', 'nbconvert', '--to', 'html', '--execute', 'n.ipynb', cwd=tmp_path,
                      env=os.environ | {'JUPYTER_ALLOW_INSECURE_WRITES': '1', 'HOME': str(tmp_path)})
    assert done.returncode == 0, done.stderr
    page = (tmp_path / 'n.html').read_text(encoding='utf-8')
    for part in ('<b>ok: ', '<th>busy cycles</th>', 'pto.tload', '# pipe busy'):
        assert part in page


def test_types():
    if not pathlib.Path('/usr/bin/mypy').exists():
        pytest.skip('no mypy')
    done = subprocess.run(['/usr/bin/mypy', '--strict', '--cache-dir', '/dev/null', '-p', 'pto'], capture_output=True, text=True, check=False,
                          env=os.environ | {'MYPYPATH': str(ROOT / 'tools/python')}, cwd='/')
    assert done.returncode == 0, done.stdout


SHIFT = """
!view = !pto.tensor_view<?x?xf32>
!part = !pto.partition_tensor_view<8x64xf32>
func.func @shift(%a: !pto.ptr<f32>, %c: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %va = pto.make_tensor_view %a, shape = [%c32, %c64], strides = [%c64, %c1] : !view
  %vc = pto.make_tensor_view %c, shape = [%c32, %c64], strides = [%c64, %c1] : !view
  scf.for %i = %c0 to %c32 step %c8 {
    %pa = pto.partition_view %va, offsets = [%i, %c0], sizes = [%c8, %c64] : !view -> !part
    %pc = pto.partition_view %vc, offsets = [%i, %c0], sizes = [%c8, %c64] : !view -> !part
    %t = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>
    pto.tload ins(%pa : !part) outs(%t : !pto.tile_buf<vec, 8x64xf32>)
    pto.barrier <PIPE_ALL>
    pto.tstore ins(%t : !pto.tile_buf<vec, 8x64xf32>) outs(%pc : !part)
    pto.barrier <PIPE_ALL>
  }
  return
}
"""


@pytest.mark.parametrize('target', ['a2a3', 'a5'])
def test_arrays_that_share_memory_are_one_buffer(target):
    z = np.arange(40 * 64, dtype=np.float32).reshape(40, 64).copy()
    first = z[:8].copy()
    pto.assemble(SHIFT, target=target, sync='explicit').run(z[:32], z[8:40])
    assert all(np.array_equal(z[i:i + 8], first) for i in range(0, 40, 8))  # each turn copies what the one before has stored
    # Without an order between the turns: a race within one buffer.
    unordered = SHIFT.replace('    pto.barrier <PIPE_ALL>\n  }', '  }')
    z = np.arange(40 * 64, dtype=np.float32).reshape(40, 64).copy()
    found = pto.assemble(unordered, target=target, sync='explicit').run(z[:32], z[8:40], on_finding='list').findings
    assert 'RACE' in {one.id for one in found}
    a = np.ones((128, 64), np.float32)
    vector_add().run(a, a, a, blocks=4)
    assert (a == 2).all()


def test_what_was_never_written_is_told():
    a, b = pair()
    c = np.empty_like(a)
    found = vector_add().run(a, b, out=c, blocks=1, on_finding='list').findings
    assert [one.message for one in found if one.id == 'UNWRITTEN'] == ['c: 6,144 of 8,192 elements were never written (blocks=1)']
    assert not vector_add().run(a, b, out=c, blocks=4, on_finding='list').findings
