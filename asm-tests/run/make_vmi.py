#!/usr/bin/python3
"""Writes the values of vmi_rows.toml with NumPy."""
import pathlib

import numpy

DATA = pathlib.Path(__file__).resolve().parent / 'data'
rows = (numpy.random.default_rng(9).standard_normal((5, 32)) * [[1], [30], [0.01], [1e20], [3]]).astype(numpy.float32)
most = numpy.abs(rows).max(axis=1)
out = numpy.full(160, 7, numpy.float16)
out[:150] = (rows / most[:, None]).astype(numpy.float16).ravel()[:150]
numpy.save(DATA / 'vmi_rows_in.npy', rows.ravel())
numpy.save(DATA / 'vmi_rows_out.npy', out)
numpy.save(DATA / 'vmi_rows_most.npy', most)
