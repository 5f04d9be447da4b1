"""Golden tests that a script writes."""


def write(path, text):
    """Writes `text` without expectations into the golden test `path`, unless it stands there already: then what the test
    expects stays too, and only new and changed tests wait for `tools/golden --rebase`."""
    mark = '//' if path.suffix == '.pto' else '#'
    expectations = tuple(mark + kind for kind in '=|!')
    if path.exists():
        body = [line for line in path.read_text().splitlines() if not line.startswith(expectations)]
        if '\n'.join(body).strip() == text.strip():
            return
    path.write_text(text)
