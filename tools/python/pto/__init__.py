"""PTO kernels from Python: assemble, run on numpy arrays, look at values, cycles and findings.

    import numpy as np, pto
    k = pto.assemble("vector_add.pto", target="a5")
    c = np.empty((128, 64), np.float32)
    r = k.run(a, b, out=c, blocks=4)       # a, b: (128, 64) float32; c is filled
    print(r.cycles, r.us, r.findings)

Times are cycles of the target's clock, or microseconds (`us`). Buffers are row-major numpy arrays, shared with the run and not
copied. bf16 and the 8-bit formats are unsigned integers of their width: `to_bf16`, `from_bf16`. Several runs may go on in threads.
"""
from __future__ import annotations

import dataclasses
import difflib
import html
import itertools
import operator
import os
import pathlib
import string
import warnings as _warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, Iterable, Iterator, List, Literal, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _pto

__version__: str = _pto.__version__
__all__ = ["assemble", "check", "sweep", "explain", "example", "to_bf16", "from_bf16", "Kernel", "Result", "Finding", "Parameter",
           "Sweep", "FindingError", "FindingWarning", "AssembleError"]

OnFinding = Union[Literal["raise", "warn", "list"], Callable[["Finding"], None]]
Mode = Literal["run", "time", "check"]
Source = Union[str, bytes, "os.PathLike[str]"]

_MOST_THREADS = 1024

_NUMPY: Dict[str, Any] = {
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32,
    "i64": np.int64, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "bf16": np.uint16}


@dataclasses.dataclass(frozen=True)
class Finding:
    """What a program or a run does wrong. `text` has the source line and the advice, as the command line shows it."""

    id: str
    severity: str  # "error", "warning" or "note"
    message: str
    line: int = 0
    column: int = 0
    cycle: Optional[int] = None
    operand: str = ""
    help: str = ""
    notes: Tuple[str, ...] = ()
    text: str = ""

    def __str__(self) -> str:
        return self.text.rstrip() or f"{self.severity}[{self.id}]: {self.message}"


class FindingWarning(UserWarning):
    """What `warnings.warn` tells of a finding that is no error."""


class FindingError(Exception):
    """A run has findings that are errors. `result` has values, cycles and all findings."""

    def __init__(self, findings: Sequence[Finding], result: Optional[Result] = None):
        super().__init__("\n".join(str(one) for one in findings))
        self.findings = list(findings)
        self.result = result


class AssembleError(FindingError):
    """The program is not accepted: `findings` says where and why."""


@dataclasses.dataclass(frozen=True)
class Parameter:
    """Of a kernel: `dtype` as in case files ("f16"), whether it is a buffer, and its type as the text has it."""

    name: str
    dtype: str
    buffer: bool
    type: str

    @property
    def numpy(self) -> np.dtype[Any]:
        """What arrays for it hold; formats that numpy does not have are unsigned integers of their width."""
        return np.dtype(_NUMPY.get(self.dtype, np.uint8))


def _findings(raw: Iterable[Mapping[str, Any]]) -> List[Finding]:
    names = [field.name for field in dataclasses.fields(Finding)]
    made: List[Dict[str, Any]] = [{**{name: one[name] for name in names}, "notes": tuple(one["notes"])} for one in raw]
    return [Finding(**one) for one in made]


def _settle(findings: Sequence[Finding], on_finding: OnFinding, error: Callable[[Sequence[Finding]], FindingError]) -> None:
    """Does with findings what the caller wants. Warnings never raise, but with "raise" they are warned of."""
    if callable(on_finding):
        for one in findings:
            on_finding(one)
        return
    bad = [one for one in findings if one.severity == "error"] if on_finding == "raise" else []
    if on_finding != "list":
        for one in findings:
            if one not in bad:
                _warnings.warn(str(one), FindingWarning, stacklevel=3)  # at the line that called run or assemble
    if bad:
        raise error(bad)


def _one_of(name: str, value: Any, allowed: Sequence[str]) -> None:
    if isinstance(value, str) and value in allowed:
        return
    near = difflib.get_close_matches(str(value), [one for one in allowed if one], 1)
    known = ", ".join(repr(one) for one in allowed if one)
    raise ValueError(f"{name}={value!r}: it is one of {known}" + (f"; did you mean {near[0]!r}?" if near else ""))


def _known_way(on_finding: Any) -> None:
    if not callable(on_finding):
        _one_of("on_finding", on_finding, ("raise", "warn", "list"))


def _whole(name: str, value: Any, low: int, high: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}: it is a whole number") from None
    if isinstance(value, bool) or not low <= number <= high:
        raise ValueError(f"{name}={value!r}: it is {low} to {high}")
    return number


def to_bf16(values: Any) -> np.ndarray[Any, np.dtype[np.uint16]]:
    """Numbers as bf16 words (uint16, the same shape): rounded to nearest, ties to even; NaN stays NaN."""
    bits = np.array(values, np.float32, order="C", ndmin=1).view(np.uint32)
    high = bits >> np.uint32(16)
    rounded = (bits.astype(np.uint64) + 0x7FFF + (high & np.uint32(1))) >> np.uint64(16)
    is_nan = (bits & np.uint32(0x7FFFFFFF)) > np.uint32(0x7F800000)
    return np.asarray(np.where(is_nan, high | np.uint32(0x40), rounded), np.uint16).reshape(np.shape(values))


def from_bf16(words: Any) -> np.ndarray[Any, np.dtype[np.float32]]:
    """bf16 words (uint16) as float32 of the same shape; exact."""
    bits = np.array(words, np.uint16, order="C", ndmin=1).astype(np.uint32) << np.uint32(16)
    return bits.view(np.float32).reshape(np.shape(words))


class Result:
    """A run. Values are in the arrays that were given.

    cycles: of the target's clock, with the launch of the kernel, which takes the first `launch_cycles` of them. us: the same in
    microseconds. seconds: how long the simulation took. findings: errors and warnings, in the order they were found. printed: what the program printed.
    pipes: per core and pipe a dictionary with core, kind (AIC, AIV, core), block, pipe, busy_cycles, instructions, and stall_cycles: why it
    was idle, in cycles; with the busy cycles they add up to `cycles - launch_cycles`.
    """

    def __init__(self, raw: Mapping[str, Any], again: Callable[[], Mapping[str, Any]]):
        self.cycles: int = raw["cycles"]
        self.launch_cycles: int = raw["launch_cycles"]
        self.us: float = raw["us"]
        self.seconds: float = raw["seconds"]
        self.instructions: int = raw["instructions"]
        self.ended: bool = raw["ended"]
        self.findings: List[Finding] = _findings(raw["findings"])
        self.pipes: List[Dict[str, Any]] = raw["pipes"]
        self.printed: str = raw["printed"]
        self._report: str = raw["report"]
        self._watched: Optional[Mapping[str, Any]] = raw if "trace" in raw else None
        self._again = again

    @property
    def ok(self) -> bool:
        """Whether the run ended and no finding is an error."""
        return self.ended and not any(one.severity == "error" for one in self.findings)

    @property
    def verdict(self) -> str:
        """One line: how long, and what bounds it."""
        return self._report.split("\n", 1)[0]

    def _seen(self, what: str) -> str:
        """What only a run that is watched has: the same once more, in time mode."""
        if self._watched is None:
            raw = self._again()
            if any(one["id"] == "TIME-DATA" for one in raw["findings"]):
                raise ValueError("the times of this kernel depend on its data: k.run(.., watch=True) records them")
            self._watched = raw
        return str(self._watched[what])

    def timeline(self) -> str:
        """Who works when, as text of at most 100 columns."""
        return self._seen("timeline")

    def advice(self) -> str:
        """What the cycles consist of, and what would make them fewer."""
        return self._seen("advice")

    def trace(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes a trace for https://ui.perfetto.dev; a cycle is a microsecond there."""
        pathlib.Path(path).write_text(self._seen("trace"), encoding="utf-8")

    def __repr__(self) -> str:
        return f"<pto.Result {self.verdict}>"

    def __str__(self) -> str:
        return self._report

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(str(p['kind']))} {p['core']}</td><td>{html.escape(p['pipe'])}</td><td>{p['busy_cycles']:,}</td>"
            f"<td>{100 * p['busy_cycles'] / max(self.cycles - self.launch_cycles, 1):.0f} %</td><td>{p['instructions']:,}</td></tr>" for p in self.pipes)
        found = "".join(f"<pre>{html.escape(str(one))}</pre>" for one in self.findings)
        try:
            line = f"<pre>{html.escape(self.timeline())}</pre>"
        except ValueError:
            line = ""
        return (f"<p><b>{html.escape(self.verdict)}</b> ({self.us:.2f} us)</p>{found}<table><tr><th>core</th><th>pipe</th>"
                f"<th>busy cycles</th><th>busy</th><th>instructions</th></tr>{rows}</table>{line}")


class Kernel:
    """A program that can run: made by `assemble`. One kernel may run in several threads at a time."""

    def __init__(self, kernel: _pto.Kernel, findings: List[Finding], warnings: Sequence[str]):
        self._kernel = kernel
        self._warnings = list(warnings)
        self.findings = findings
        self.target: str = kernel.target
        self.parameters: List[Parameter] = [Parameter(*one) for one in kernel.parameters]

    def __repr__(self) -> str:
        return f"<pto.Kernel for {self.target}: {', '.join(f'{p.name}: {p.type}' for p in self.parameters)}>"

    def run(self, *inputs: Any, out: Any = None, blocks: int = 1, mode: Mode = "run", on_finding: OnFinding = "raise", checks: bool = True,
            watch: bool = False, max_cycles: int = 0, threads: int = 0, **named: Any) -> Result:
        """Runs it.

        inputs: an array or a number per parameter, in their order; parameters may also be given by name. Arrays have the
            elements of the parameter (`Parameter.numpy`) and any shape: the kernel knows its own. Kernels may write to them.
        out: an array, or several, for the parameters that are left (the one called "out", when there is one): written by the kernel, not
            read before. Parameters that nobody gives are an error.
        blocks: how many blocks are launched, 1 to 65535.
        mode: "run" for values and cycles, "time" for cycles without data, "check" for synchronisation and memory.
        on_finding: "raise" FindingError when a finding is an error, and warn (FindingWarning) of the others; "warn" of all; "list" (they
            are in the result); or a function of one finding.
        checks: look for races and for reads of what nobody wrote.
        watch: record timeline, advice and trace in this run; otherwise the first use of one runs once more, without data.
        max_cycles: stop there; 0: never.
        threads: threads of the host that values are computed on, with the same result on any number; 0: one for each of its cores.

        Returns the Result. C-contiguous, writable arrays of the right dtype are shared with the run, not copied; the checks keep
        a copy of up to 256 MB of them aside for a second run.
        """
        _one_of("mode", mode, ("run", "time", "check"))
        _known_way(on_finding)
        blocks = _whole("blocks", blocks, 1, 65535)
        threads = _whole("threads", threads, 0, _MOST_THREADS)
        max_cycles = _whole("max_cycles", max_cycles, 0, 2**64 - 1)
        given = self._bind(inputs, out, named)

        def go(how: str, watched: bool) -> Mapping[str, Any]:
            return self._kernel.run([arg[:3] for arg in given], blocks, how, self._warnings, checks, watched, max_cycles,
                                    threads)

        result = Result(go(mode, watch), lambda: go("time", True))
        for _, buffer, _, home in given:
            if home is not None:
                home[...] = buffer.reshape(home.shape)
        _settle(result.findings, on_finding, lambda bad: FindingError(bad, result))
        return result

    def _bind(self, inputs: Sequence[Any], out: Any, named: Mapping[str, Any]) -> List[Tuple[str, Any, bool, Any]]:
        names = [p.name for p in self.parameters]
        if len(inputs) > len(names):
            raise TypeError(f"the kernel takes {len(names)} arguments, {len(inputs)} are given: {', '.join(names)}")
        values: Dict[str, Tuple[Any, bool]] = {}
        for name, value in itertools.chain(zip(names, inputs), named.items()):
            if name not in names:
                raise TypeError(f"the kernel has no parameter '{name}'; it has {', '.join(names)}")
            if name in values:
                raise TypeError(f"'{name}' is given twice")
            values[name] = (value, True)
        outs = [] if out is None else list(out) if isinstance(out, (tuple, list)) else [out]
        left = [name for name in names if name not in values]
        if len(outs) == 1 and "out" in left:
            left.sort(key=lambda name: name != "out")
        if len(outs) > len(left):
            raise TypeError("out has more arrays than parameters are left")
        values.update((name, (value, False)) for name, value in zip(left, outs))
        missing = [name for name in names if name not in values]
        if missing:
            raise TypeError(f"nothing is given for {', '.join(missing)}")
        return [_argument(p, *values[p.name]) for p in self.parameters]


def _scalar(parameter: Parameter, value: Any) -> int:
    """Its bits."""
    wanted = parameter.numpy
    word = to_bf16(value) if parameter.dtype == "bf16" else np.asarray(value)
    if word.ndim != 0 or word.dtype.kind not in "biuf":
        raise TypeError(f"'{parameter.name}' is a number ({parameter.type}), not {type(value).__name__}")
    if wanted.kind in "iu":
        if word.dtype.kind == "f":
            raise TypeError(f"'{parameter.name}' is a whole number ({parameter.type}), not {value!r}")
        if int(word) != int(word.astype(wanted)):
            raise ValueError(f"'{parameter.name}': {value!r} does not fit {parameter.type}")
    return int(word.astype(wanted).view(f"u{wanted.itemsize}"))


def _argument(parameter: Parameter, value: Any, is_input: bool) -> Tuple[str, Any, bool, Any]:
    """("buffer", array, whether its contents count, where a copy goes back to), or ("scalar", bits, True, None)."""
    if not parameter.buffer:
        return "scalar", _scalar(parameter, value), True, None
    wanted = parameter.numpy
    if not isinstance(value, np.ndarray):
        raise TypeError(f"'{parameter.name}' is a buffer ({parameter.type}): give a numpy array")
    if not value.dtype.isnative:
        raise TypeError(f"'{parameter.name}' has elements {value.dtype.str} in the byte order of another machine: give array.astype({wanted.str!r})")
    words = value.dtype.kind in "iub" and wanted.kind in "iub" and value.dtype.itemsize == wanted.itemsize
    if value.dtype != wanted and not words:
        raise TypeError(f"'{parameter.name}' has elements {value.dtype}, the kernel's parameter ({parameter.type}) takes {wanted}")
    if value.flags.c_contiguous and value.flags.writeable:
        return "buffer", value, is_input, None
    if not is_input:
        raise ValueError(f"out for '{parameter.name}' must be writable and C-contiguous")
    return "buffer", np.array(value, order="C"), True, value if value.flags.writeable else None


def _source(text_or_path: Source) -> Tuple[Union[str, bytes], str]:
    """Program and name. A string with a line end or a brace is a program, any other names a file."""
    if isinstance(text_or_path, bytes) or (isinstance(text_or_path, str) and ("\n" in text_or_path or "{" in text_or_path)):
        return text_or_path, "<input>"
    return pathlib.Path(text_or_path).read_bytes(), os.fspath(text_or_path)


def _make(text_or_path: Source, target: str, entry: str, level: str, sync: str, settings: Mapping[str, Any], warnings: Sequence[str],
          static: bool) -> Tuple[_pto.Kernel, List[Finding]]:
    program, name = _source(text_or_path)
    texts = [f"{key}={value}" for key, value in settings.items()]
    kernel = _pto.assemble(program, name, target, entry, level, sync, texts, list(warnings), static)
    return kernel, _findings(kernel.diagnostics)


def assemble(text_or_path: Source, target: str = "", *, entry: str = "", level: str = "", sync: str = "",
             settings: Optional[Mapping[str, Any]] = None, warnings: Sequence[str] = (), on_finding: OnFinding = "raise") -> Kernel:
    """Program text, a .pto file or an object, ready to run.

    target: "a2a3", "a5", "cpu" or a configuration file; by default what the program says. entry: which kernel, when there are several.
    level: "level1" to "level3"; sync: "auto" or "explicit". settings: over the target's configuration, {"machine.queue_depth": 4}.
    warnings: switches as behind -W: ["no-RACE", "error"]. on_finding: what becomes of warnings and errors, as in Kernel.run; a program with
    errors raises AssembleError in any case.
    """
    _one_of("level", level, ("", "level1", "level2", "level3"))
    _one_of("sync", sync, ("", "auto", "explicit"))
    _known_way(on_finding)
    kernel, found = _make(text_or_path, target, entry, level, sync, settings or {}, warnings, False)
    _settle(found, on_finding, AssembleError)
    if not kernel.ready:
        raise AssembleError([one for one in found if one.severity == "error"])
    return Kernel(kernel, found, warnings)


def check(text_or_path: Source, target: str = "", *, warnings: Sequence[str] = ()) -> List[Finding]:
    """What can be said of a program without running it: errors, warnings, missing flags and orders. Raises nothing for them."""
    return _make(text_or_path, target, "", "", "", {}, warnings, True)[1]


def explain(name: str) -> str:
    """What an error, warning or finding means, by id or name: "RACE", "E0115", "element-count"."""
    rule = _pto.explain(name)
    return f"{rule['id']}: {rule['title']}\n\n{rule['cause']}\n\nExample:\n{rule['example']}\n\nFix: {rule['fix']}\n"


def example(name: str) -> str:
    """The text of an example kernel: "vector_add", "softmax", "gemm", "attention", "vector_function"."""
    files = _pto.examples()
    if name not in files:
        raise KeyError(f"there is no example '{name}'; there are {', '.join(files)}")
    return files[name][f"{name}.pto"].decode()


class Sweep:
    """Runs of one program under several values: `rows` has the values and the Result of each, in the order of the values."""

    def __init__(self, rows: List[Tuple[Dict[str, Any], Result]]):
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Tuple[Dict[str, Any], Result]]:
        return iter(self.rows)

    @property
    def best(self) -> Tuple[Dict[str, Any], Result]:
        """The fewest cycles among the runs without errors."""
        return min((row for row in self.rows if row[1].ok), key=lambda row: row[1].cycles)

    def __str__(self) -> str:
        return "\n".join(f"{result.cycles:>12,}  {', '.join(f'{k}={v}' for k, v in values.items())}" for values, result in self.rows)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def sweep(text_or_path: Source, values: Mapping[str, Iterable[Any]], run: Callable[..., Result], *, target: str = "",
          jobs: Optional[int] = None) -> Sweep:
    """Runs a program under every combination of values.

    values: what each name takes. `${NAME}` in the text stands for it; a name with a dot ("machine.queue_depth") is a setting of the target.
    run: called with the Kernel and the values of the names in the text, for instance
        lambda k, ROWS: k.run(a, b, out=np.empty_like(a), blocks=128 // ROWS); gives the Result. It is called from several threads
        (jobs; by default one per core), so arrays that are written are made in it.
    """
    program = _source(text_or_path)[0]
    text = program.decode() if isinstance(program, bytes) else program

    def one(combination: Tuple[Any, ...]) -> Tuple[Dict[str, Any], Result]:
        chosen = dict(zip(values, combination))
        inside = {name: value for name, value in chosen.items() if "." not in name}
        settings = {name: value for name, value in chosen.items() if "." in name}
        kernel = assemble(string.Template(text).safe_substitute(inside) + "\n", target, settings=settings)
        return chosen, run(kernel, **inside)

    with ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        return Sweep(list(pool.map(one, itertools.product(*values.values()))))
