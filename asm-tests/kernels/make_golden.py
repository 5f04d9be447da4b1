#!/usr/bin/env python3
"""Writes data/*.npy: inputs of the kernels and what they must compute, from NumPy alone. Run by hand; the files are committed.

The products accumulate in order of k with one rounding per step, as documented in docs/reference/numerics.md. NumPy has no fused
multiply-add: x86 long double holds the product of two f32 exactly, and adding to it rounds 11 bits below f32's last.
"""
import pathlib

import numpy as np

DATA = pathlib.Path(__file__).parent / 'data'


def tf32(x):
    """f32 with 10 mantissa bits, nearest, ties to even."""
    bits = x.astype('<f4').view('<u4')
    return ((bits + 0xfff + (bits >> 13 & 1)) & 0xffffe000).astype('<u4').view('<f4')


def product(a, b):
    total = np.zeros((a.shape[0], b.shape[1]), '<f4')
    for k in range(a.shape[1]):
        step = a[:, k, None].astype(np.longdouble) * b[None, k].astype(np.longdouble)
        total = (total.astype(np.longdouble) + step).astype('<f4')
    return total


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def main():
    random = np.random.default_rng(20240229)
    a = random.standard_normal((64, 128)).astype('<f4')
    b = random.standard_normal((128, 64)).astype('<f4')
    arrays = {'a': a, 'b': b, 'c_f32': product(a, b), 'c_tf32': product(tf32(a), tf32(b))}
    q, kt, v = (random.standard_normal(shape).astype('<f2') for shape in ((64, 64), (64, 128), (128, 64)))
    probs = softmax(q.astype('f8') @ kt.astype('f8') / 8)
    arrays |= {'q': q, 'kt': kt, 'v': v, 'probs': probs.astype('<f2'),
               'out': (probs.astype('<f2').astype('f8') @ v.astype('f8')).astype('<f4')}
    DATA.mkdir(exist_ok=True)
    for name, array in arrays.items():
        np.save(DATA / f'{name}.npy', array)


if __name__ == '__main__':
    main()
