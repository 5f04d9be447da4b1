#!/usr/bin/python3
"""Writes the .npy files of the examples: inputs, and what must come out, from NumPy alone. Run by hand; the files are committed.

The expected values are exact or f64's, rounded once; the case files say how far off a kernel may be.
"""
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def save(example, **arrays):
    for name, array in arrays.items():
        np.save(HERE / example / f'{name}.npy', array)


def main():
    random = np.random.default_rng(20261123)

    def normal(*shape, dtype='<f4'):
        return random.standard_normal(shape).astype(dtype)

    a, b = normal(128, 64), normal(128, 64)
    save('vector_add', a=a, b=b, c=a + b)
    x = 4 * normal(64, 128)
    save('softmax', x=x, y=softmax(x.astype('f8')).astype('<f4'))
    a, b = normal(64, 256, dtype='<f2'), normal(256, 64, dtype='<f2')
    save('gemm', a=a, b=b, c=(a.astype('f8') @ b.astype('f8')).astype('<f4'))
    q, kt, v = (normal(*shape, dtype='<f2') for shape in ((64, 64), (64, 128), (128, 64)))
    out = softmax(q.astype('f8') @ kt.astype('f8') / 8) @ v.astype('f8')
    save('attention', q=q, kt=kt, v=v, out=out.astype('<f4'))
    x = normal(1000)
    save('vector_function', x=x, y=np.maximum(2 * x, np.float32(0)))


if __name__ == '__main__':
    main()
