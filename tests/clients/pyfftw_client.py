#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""pyfftw: every type of plan, the flags, strides, threads, wisdom.

Run by clients.py: results go to NAME.f64 with a line in results.txt each,
what a program can observe besides numbers to facts.txt.
"""
import itertools

import numpy as np
import pyfftw

rng = np.random.default_rng(7)
BOTH = ((np.float64, np.complex128), (np.float32, np.complex64))
REAL_KINDS = ["FFTW_REDFT00", "FFTW_REDFT10", "FFTW_REDFT01", "FFTW_REDFT11",
              "FFTW_RODFT00", "FFTW_RODFT10", "FFTW_RODFT01", "FFTW_RODFT11"]


def result(name, x, n, times=1):
    kind = "f32" if x.dtype in (np.float32, np.complex64) else "f64"
    wide = np.complex128 if np.iscomplexobj(x) else np.float64
    np.ascontiguousarray(x, wide).tofile(name + ".f64")
    with open("results.txt", "a", encoding="ascii") as out:
        out.write(f"{name} {n} {kind} {times}\n")


def fact(text):
    with open("facts.txt", "a", encoding="ascii") as out:
        out.write(text + "\n")


def error_of(what, call):
    try:
        call()
        fact(f"{what}: no error")
    except (RuntimeError, ValueError, TypeError) as error:
        fact(f"{what}: {type(error).__name__}: {error}")


def noise(shape, dtype):
    x = rng.standard_normal(shape)
    if np.issubdtype(dtype, np.complexfloating):
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def planned(x, out, **options):
    """Plans first: planning may overwrite the arrays. pyfftw measures unless
    it is told not to; large sizes would take it seconds each."""
    if x.size > 200:
        options.setdefault("flags", ("FFTW_ESTIMATE",))
    a = pyfftw.empty_aligned(x.shape, x.dtype)
    plan = pyfftw.FFTW(a, out, **options)
    a[...] = x
    return plan().copy()


def transforms(real, cplx):
    name = np.dtype(real).name
    shapes = [((n,), (0,)) for n in (1, 2, 3, 4, 5, 7, 16, 30, 97, 128, 1009,
                                     1024, 4096, 5000, 10007)]
    shapes += [((6, 35), (1,)), ((6, 35), (0,)), ((6, 35), (0, 1)),
               ((17, 12, 10), (0, 1, 2)), ((17, 12, 10), (0, 2)),
               ((4, 3, 2, 5), (1, 2, 3)), ((64, 64), (0, 1))]
    for shape, axes in shapes:
        id_ = (f"{name}-" + "x".join(map(str, shape)) + "-axes" +
               "".join(map(str, axes)))
        n = int(np.prod([shape[a] for a in axes]))
        half = list(shape)
        half[axes[-1]] = half[axes[-1]] // 2 + 1
        z, r = noise(shape, cplx), noise(shape, real)
        for way in ("FFTW_FORWARD", "FFTW_BACKWARD"):
            out = pyfftw.empty_aligned(shape, cplx)
            result(f"c2c-{way}-{id_}",
                   planned(z, out, axes=axes, direction=way), n)
        out = pyfftw.empty_aligned(half, cplx)
        spectrum = planned(r, out, axes=axes)
        result(f"r2c-{id_}", spectrum, n)
        out = pyfftw.empty_aligned(shape, real)
        result(f"c2r-{id_}",
               planned(spectrum, out, axes=axes, direction="FFTW_BACKWARD"),
               n, 2)

    # Real to real: one kind for all axes, or one for each.
    for kind, n in itertools.product(REAL_KINDS, (2, 3, 8, 15, 64, 101, 1000)):
        x = noise((3, n), real)
        out = pyfftw.empty_aligned(x.shape, real)
        logical = 2 * n  # what the bar of a real kind counts
        result(f"{kind}-{name}-{n}",
               planned(x, out, axes=(1,), direction=kind), logical)
    for first, second in itertools.product(REAL_KINDS[::3], REAL_KINDS[1::2]):
        x = noise((9, 20), real)
        out = pyfftw.empty_aligned(x.shape, real)
        result(f"mixed-{first}-{second}-{name}",
               planned(x, out, axes=(0, 1), direction=(first, second)), 720)


def flags():
    x = noise((8, 12), np.complex128)
    for effort in ("ESTIMATE", "MEASURE", "PATIENT", "EXHAUSTIVE"):
        for more in ((), ("FFTW_UNALIGNED",), ("FFTW_DESTROY_INPUT",),
                     ("FFTW_UNALIGNED", "FFTW_DESTROY_INPUT")):
            out = pyfftw.empty_aligned(x.shape, np.complex128)
            flags_ = ("FFTW_" + effort,) + more
            result("-".join(flags_),
                   planned(x, out, axes=(0, 1), flags=flags_,
                           planning_timelimit=2.0), 96)
    x = noise((8, 60), np.complex128)
    # In place; strided views of a larger block; an unaligned one.
    a = pyfftw.empty_aligned(x.shape, np.complex128)
    plan = pyfftw.FFTW(a, a, axes=(0, 1))
    a[...] = x
    result("in-place", plan().copy(), 480)
    block = noise((16, 3, 64), np.complex128)
    view, out = block[::2, 1, 2:62], np.zeros((8, 60), np.complex128)
    keep = view.copy()
    plan = pyfftw.FFTW(view, out, axes=(0, 1))
    view[...] = keep
    result("strided", plan().copy(), 480)
    view, out = block[::-2, 2, 61:1:-1], np.zeros((8, 60), np.complex128)
    keep = view.copy()
    plan = pyfftw.FFTW(view, out, axes=(1,))
    view[...] = keep
    result("signed-strides", plan().copy(), 60)
    raw = np.empty(16 * 60 + 8, np.uint8)
    a = raw[8:].view(np.complex128)
    plan = pyfftw.FFTW(a, out[0], flags=("FFTW_ESTIMATE", "FFTW_UNALIGNED"))
    a[...] = x[0]
    result("unaligned", plan().copy(), 60)
    # New arrays under an old plan; normalised and not.
    plan = pyfftw.FFTW(pyfftw.empty_aligned(500, np.complex128),
                       pyfftw.empty_aligned(500, np.complex128),
                       direction="FFTW_BACKWARD")
    y = noise(500, np.complex128)
    result("new-arrays", plan(y).copy(), 500)
    result("not-normalised", plan(y, normalise_idft=False).copy(), 500)
    result("ortho", plan(y, ortho=True, normalise_idft=False).copy(), 500)
    plan.update_arrays(noise(500, np.complex128),
                       pyfftw.empty_aligned(500, np.complex128))
    plan.execute()
    result("updated", plan.output_array.copy(), 500)
    error_of("wrong shape", lambda: pyfftw.FFTW(
        np.zeros(4, np.complex128), np.zeros(5, np.complex128)))
    error_of("no such flag", lambda: pyfftw.FFTW(
        np.zeros(4, np.complex128), np.zeros(4, np.complex128),
        flags=("FFTW_NOTHING",)))


def threads():
    for count in (1, 2, 4):
        x = noise((128, 256), np.complex128)
        out = pyfftw.empty_aligned(x.shape, np.complex128)
        result(f"threads-{count}",
               planned(x, out, axes=(0, 1), threads=count), x.size)


def wisdom():
    pyfftw.forget_wisdom()
    only = ("FFTW_MEASURE", "FFTW_WISDOM_ONLY")

    def plan(flags_):
        return pyfftw.FFTW(pyfftw.empty_aligned(1000, np.complex128),
                           pyfftw.empty_aligned(1000, np.complex128),
                           flags=flags_)

    error_of("wisdom only, without wisdom", lambda: plan(only))
    plan(("FFTW_MEASURE",))
    error_of("wisdom only, with wisdom", lambda: plan(only))
    saved = pyfftw.export_wisdom()
    fact(f"wisdom: {[isinstance(w, bytes) and len(w) > 20 for w in saved]}")
    pyfftw.forget_wisdom()
    error_of("wisdom only, forgotten", lambda: plan(only))
    fact(f"import: {pyfftw.import_wisdom(saved)}")
    error_of("wisdom only, imported", lambda: plan(only))
    fact(f"nonsense: {pyfftw.import_wisdom((b'x', b'(fftw-', b''))[:2]}")


def builders_and_interfaces():
    from pyfftw import builders
    from pyfftw.interfaces import cache, numpy_fft
    cache.enable()
    for name, n in itertools.product(
            ("fft", "ifft", "rfft", "hfft", "ihfft"), (8, 33, 250)):
        real = name in ("rfft", "ihfft")
        x = noise((5, n), np.float64 if real else np.complex128)
        for again in range(2):  # the second time from the cache
            result(f"numpy-{name}-{n}-{again}",
                   getattr(numpy_fft, name)(x, overwrite_input=again == 1), n)
    x = noise((12, 10, 9), np.float64)
    for name in ("fft2", "ifft2", "fftn", "ifftn", "rfft2", "rfftn"):
        result(f"numpy-{name}", getattr(numpy_fft, name)(x), x.size)
        result(f"builder-{name}", getattr(builders, name)(x)().copy(), x.size)
    for name in ("irfft", "irfft2", "irfftn"):
        z = noise((12, 10, 9), np.complex128)
        result(f"numpy-{name}", getattr(numpy_fft, name)(z), x.size)
        result(f"builder-{name}", getattr(builders, name)(z)().copy(), x.size)
    for name in ("dct", "dst"):
        x = noise((4, 50), np.float32)
        for type_ in (1, 2, 3, 4):
            result(f"builder-{name}-{type_}",
                   getattr(builders, name)(x, type=type_)().copy(), 102)


for real_, cplx_ in BOTH:
    transforms(real_, cplx_)
flags()
threads()
wisdom()
builders_and_interfaces()
