#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every command of the program `weft`, run as its users run it.

    cli_test.py PATH/TO/weft [NAME...]    only the tests whose name has NAME

Results are held against numpy; bad input must give the documented exit code
and a message that names the offending value, and leave existing files alone.
"""
import itertools
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import wave
import xml.etree.ElementTree

try:
    import numpy as np
except ImportError:
    # Debian's python3-numpy belongs to Debian's python3.
    debian = "/usr/bin/python3"
    if os.path.exists(debian) and not os.environ.get("WEFT_PYTHON_AGAIN"):
        os.environ["WEFT_PYTHON_AGAIN"] = "1"
        os.execv(debian, [debian] + sys.argv)
    sys.exit("cli_test.py: needs numpy (Debian: python3-numpy)")

HERE = os.path.dirname(os.path.abspath(__file__))
WEFT = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "weft"
OK, CHECK, USAGE, INPUT, LIBRARY, OUTPUT, ABSENT, TARGET = range(8)
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def weft(*arguments, code=OK, stdin=None, env=None, says=()):
    """Runs weft, checks its exit code and that stderr has each of `says`."""
    done = subprocess.run([WEFT] + [str(a) for a in arguments],
                          input=stdin, capture_output=True, timeout=300,
                          env={**os.environ, **(env or {})}, check=False)
    error = done.stderr.decode(errors="replace")
    assert done.returncode == code, (
        f"weft {' '.join(map(str, arguments))}: exit {done.returncode}, "
        f"wanted {code}; stderr: {error}")
    for text in says:
        assert str(text) in error, f"'{text}' is not in: {error}"
    return done.stdout


def built_with(part):
    return part + " " in "".join(
        line + " " for line in INFO.splitlines()
        if line.startswith("built with:") and "left out" not in line)


def close(got, want, what, bound=None):
    assert got.shape == want.shape, f"{what}: {got.shape} != {want.shape}"
    single = got.dtype in (np.complex64, np.float32)
    bound = bound or (2e-6 if single else 4e-15)
    size = np.linalg.norm(want.ravel()) or 1
    error = np.linalg.norm((got - want).ravel()) / size
    assert error <= bound, f"{what}: error {error:.3g} > {bound:.3g}"


def random(shape, dtype, seed=1):
    generator = np.random.default_rng(seed)
    data = generator.uniform(-1, 1, shape)
    if np.dtype(dtype).kind == "c":
        data = data + 1j * generator.uniform(-1, 1, shape)
    return np.asarray(data).astype(dtype)


# ---- fft --------------------------------------------------------------------

@test
def fft_types_and_shapes():
    shapes = [(1,), (8,), (1009,), (5, 12), (3, 4, 5), (2, 1, 3, 2, 7),
              (0, 4)]
    for shape, dtype in itertools.product(
            shapes, ("f4", "f8", "c8", "c16")):
        x = random(shape, dtype)
        np.save("x.npy", x)
        weft("fft", "x.npy", "y.npy")
        y = np.load("y.npy")
        wide = x.dtype in (np.float64, np.complex128)
        assert y.dtype == (np.complex128 if wide else np.complex64), y.dtype
        want = np.fft.fft(x.astype("c16")) if x.size else x.astype("c16")
        close(y, want, f"{shape} {dtype}")


@test
def fft_axes_and_orders():
    x = random((4, 6, 5), "c16")
    for order, axis in itertools.product("CF", (-3, -2, -1, 0, 1, 2)):
        np.save("x.npy", np.asarray(x, order=order))
        weft("fft", "x.npy", "y.npy", "--axis", axis)
        y = np.load("y.npy")
        assert y.flags.f_contiguous == (order == "F")
        close(y, np.fft.fft(x, axis=axis), f"{order} axis {axis}")


@test
def fft_norms_and_inverse():
    x = random((3, 20), "c16")
    np.save("x.npy", x)
    for norm in ("backward", "ortho", "forward"):
        weft("fft", "x.npy", "y.npy", "--norm", norm)
        close(np.load("y.npy"), np.fft.fft(x, norm=norm), norm)
        weft("fft", "x.npy", "y.npy", "--norm", norm, "--inverse")
        close(np.load("y.npy"), np.fft.ifft(x, norm=norm), norm + " inverse")
    weft("fft", "x.npy", "y.npy")
    weft("fft", "y.npy", "z.npy", "--inverse")
    close(np.load("z.npy"), x, "there and back")


@test
def fft_type_and_precision():
    np.save("x.npy", random((100,), "f4"))
    want = np.fft.fft(np.load("x.npy").astype("f8"))
    weft("fft", "x.npy", "y.npy", "--type", "f64")
    assert np.load("y.npy").dtype == np.complex128
    close(np.load("y.npy"), want, "f32 as f64")
    weft("fft", "x.npy", "y.npy", "--precision", "fast")
    weft("fft", "x.npy", "y.npy", "--type", "f64", "--precision", "double")
    rounded = want.astype("c8")
    for mode in ("double", "compensated"):
        weft("fft", "x.npy", "y.npy", "--precision", mode)
        y = np.load("y.npy")
        assert y.dtype == np.complex64
        assert (abs(y - rounded) < 1e-12).mean() > 0.98, f"{mode} is not rounded once"
    weft("fft", "x.npy", "y.npy", "--precision", "split9", code=USAGE,
         says=["split9", "fast", "double"])
    weft("fft", "x.npy", "y.npy", "--type", "f16", code=USAGE, says=["f16"])


@test
def fft_target_error():
    x = random((512,), "f8")
    np.save("x.npy", x)
    weft("fft", "x.npy", "y.npy", "--target-error", "1e-5")
    assert np.load("y.npy").dtype == np.complex64
    weft("fft", "x.npy", "y.npy", "--target-error", "1e-12")
    assert np.load("y.npy").dtype == np.complex128
    close(np.load("y.npy"), np.fft.fft(x), "target")
    weft("fft", "x.npy", "no.npy", "--target-error", "1e-18", code=TARGET,
         says=["1e-18", "f64", "1.11e-16"])
    weft("fft", "x.npy", "no.npy", "--target-error", "1e-12", "--type",
         "f32", code=TARGET, says=["1e-12", "f32", "5.96e-08"])
    assert not os.path.exists("no.npy")


@test
def fft_integers():
    for dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?"):
        x = (np.arange(24) * 37 % 251).astype(dtype)
        if np.dtype(dtype).kind == "i":
            x = x - np.asarray(100, dtype)
        np.save("x.npy", x)
        weft("fft", "x.npy", "y.npy")
        close(np.load("y.npy"), np.fft.fft(x.astype("f8")), dtype)


@test
def fft_npy_versions():
    x = random((6,), "c16")
    for version in ((1, 0), (2, 0), (3, 0)):
        with open("x.npy", "wb") as stream:
            np.lib.format.write_array(stream, x, version=version)
        weft("fft", "x.npy", "y.npy")
        close(np.load("y.npy"), np.fft.fft(x), str(version))


@test
def fft_csv_and_raw():
    x = random((7, 4), "c16")
    np.savetxt("x.csv", x, delimiter=",")
    weft("fft", "x.csv", "y.csv", "--axis", "0")
    want = np.fft.fft(x, axis=0)
    close(np.loadtxt("y.csv", dtype=complex, delimiter=","), want, "csv")
    with open("z.csv", "w", encoding="ascii") as stream:
        stream.write("# a remark\n1\n2\n\n-3.5e0\n")
    weft("fft", "z.csv", "z.npy")
    close(np.load("z.npy"), np.fft.fft([1, 2, -3.5]), "one column")
    # As spreadsheets write: a mark, ends of lines, commas at ends.
    with open("z.csv", "wb") as stream:
        stream.write(b"\xef\xbb\xbf1; 2;\r\n# " + b"-" * 200 +
                     b"\r\n\t-3.5e0 ;nan;\r\n")
    weft("fft", "z.csv", "z.npy", "--axis", "0")
    close(np.load("z.npy")[:, :1], np.fft.fft([[1], [-3.5]], axis=0), "marked")
    real = random((3, 10), "f4")
    real.tofile("x.raw")
    weft("fft", "x.raw", "y.raw", "--raw-type", "f32", "--shape", "3x10")
    close(np.fromfile("y.raw", "c8").reshape(3, 10),
          np.fft.fft(real.astype("f8")), "raw")
    np.save("f.npy", np.asfortranarray(x))
    weft("fft", "f.npy", "f.raw")
    close(np.fromfile("f.raw", "c16").reshape(7, 4), np.fft.fft(x),
          "Fortran order to raw")


@test
def fft_pipes():
    x = random((4, 8), "c8")
    np.save("x.npy", x)
    with open("x.npy", "rb") as stream:
        data = stream.read()
    out = weft("fft", "-", "-", stdin=data)
    with open("y.npy", "wb") as stream:
        stream.write(out)
    close(np.load("y.npy"), np.fft.fft(x.astype("c16")), "npy pipe")
    out = weft("fft", "-", "-", stdin=b"1,2\n3,4\n").decode()
    assert out.count("\n") == 2 and "j" in out, out
    out = weft("fft", "x.npy", "-", "--format", "raw")
    close(np.frombuffer(out, "c8").reshape(4, 8),
          np.fft.fft(x.astype("c16")), "raw out")


def write_wav(path, samples, rate=8000):
    with wave.open(path, "wb") as stream:
        stream.setnchannels(1 if samples.ndim == 1 else samples.shape[1])
        stream.setsampwidth(2)
        stream.setframerate(rate)
        stream.writeframes((samples * 32767).astype("<i2").tobytes())


@test
def fft_recordings():
    if not built_with("libsndfile"):
        write_wav("x.wav", np.zeros(8))
        weft("fft", "x.wav", "y.npy", code=ABSENT, says=["libsndfile"])
        return
    x = 0.5 * random((400, 2), "f8")
    write_wav("x.wav", x)
    weft("fft", "x.wav", "y.npy")
    stored = (x * 32767).astype("<i2") / 32768
    close(np.load("y.npy"), np.fft.fft(stored, axis=0), "wav")
    with open("x.wav", "rb") as stream:
        whole = stream.read()
    with open("cut.wav", "wb") as stream:
        stream.write(whole[:-len(whole) // 4])
    weft("fft", "cut.wav", "y2.npy", says=["cut.wav", "cut short"])
    assert 0 < len(np.load("y2.npy")) < len(stored)
    with open("piped.wav", "wb") as stream: # its writer could not seek
        stream.write(whole[:4] + b"\xff" * 4 + whole[8:])
    done = subprocess.run([WEFT, "fft", "piped.wav", "y2.npy"], check=True,
                          capture_output=True)
    assert not done.stderr, done.stderr
    with open("bad.wav", "wb") as stream:
        stream.write(b"RIFF but not really")
    weft("fft", "bad.wav", "y2.npy", code=INPUT, says=["bad.wav"])


# ---- Bad input --------------------------------------------------------------

def npy(header, data=b"", version=1, length=None):
    text = header.encode("latin-1")
    size = len(text) if length is None else length
    front = struct.pack("<H" if version == 1 else "<I", size)
    return b"\x93NUMPY" + bytes([version, 0]) + front + text + data


GOOD = "{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }\n"


@test
def bad_npy():
    big = "9" * 18
    cases = {
        "short": (b"\x93NUMPY\x01", "short"),
        "magic": (b"not a numpy file at all", "begin"),
        "version": (npy(GOOD, bytes(32), version=9), "9.0"),
        "truncated": (npy(GOOD, bytes(31)), "truncated"),
        "longer": (npy(GOOD, bytes(40)), "8 bytes"),
        "header length": (npy(GOOD, bytes(32), length=65535), "65535"),
        "huge header": (npy(GOOD, bytes(32), 2, 0xFFFFFFFF), "4294967295"),
        "absurd shape": (npy(GOOD.replace("4,", big + "," + big + ","),
                             bytes(32)), "63 bits"),
        "large shape": (npy(GOOD.replace("4,", "1" + "0" * 17 + ","),
                            bytes(32)), "truncated"),
        "no number": (npy(GOOD.replace("4,", "four,"), bytes(32)),
                      "malformed"),
        "negative": (npy(GOOD.replace("4,", "-4,"), bytes(32)), "malformed"),
        "type": (npy(GOOD.replace("<f8", "<U8"), bytes(32)), "<U8"),
        "big endian": (npy(GOOD.replace("<f8", ">f8"), bytes(32)),
                       "big-endian"),
        "structures": (npy(GOOD.replace("'<f8'", "[('a', '<f8')]"),
                           bytes(32)), "structures"),
        "objects": (npy(GOOD.replace("<f8", "|O"), bytes(32)), "|O"),
        "no shape": (npy("{'descr': '<f8', 'fortran_order': False}\n",
                         bytes(32)), "shape"),
        "empty": (b"", "short"),
    }
    for name, (data, says) in cases.items():
        with open("bad.npy", "wb") as stream:
            stream.write(data)
        with open("kept.npy", "wb") as stream:
            stream.write(b"precious")
        weft("fft", "bad.npy", "kept.npy", code=INPUT,
             says=["bad.npy", says])
        with open("kept.npy", "rb") as stream:
            assert stream.read() == b"precious", name
    left = [name for name in os.listdir(".") if name.startswith("kept.npy.")]
    assert not left, f"temporary files left: {left}"


@test
def mutated_npy():
    """Whatever is in a file, weft ends with a documented code."""
    good = npy(GOOD, bytes(32))
    generator = np.random.default_rng(7)
    for _ in range(60):
        data = bytearray(good)
        for _ in range(generator.integers(1, 4)):
            data[generator.integers(6, 70)] = generator.integers(0, 256)
        with open("m.npy", "wb") as stream:
            stream.write(data)
        done = subprocess.run([WEFT, "fft", "m.npy", "o.npy"],
                              capture_output=True, timeout=60, check=False)
        assert done.returncode in (OK, USAGE, INPUT), (
            done.returncode, done.stderr, bytes(data))


@test
def bad_csv_and_raw():
    def csv(text, says):
        with open("bad.csv", "w", encoding="ascii") as stream:
            stream.write(text)
        weft("fft", "bad.csv", "y.npy", code=INPUT, says=["bad.csv"] + says)
    csv("1,2\nx,3\n", ["line 2", "'x'"])
    csv("1,2\n3\n", ["line 2", "1 columns"])
    csv("", ["no numbers"])
    csv("1" * 400 + "\n", ["line 1"])
    # Two columns, twice: which two is not said.
    csv("1,,3\n4,5,\n", ["line 1", "column 2 is empty"])
    csv("1\n;2\n", ["line 2", "column 1 is empty"])
    csv("1,5;2,5\n", ["line 1", ", and ;"])
    csv("1e400\n", ["line 1", "1e400", "range"])
    csv("1\n2-1e999j\n", ["line 2", "1e999", "range"])
    csv("12\x00,3\n", ["zero bytes"])
    with open("x.raw", "wb") as stream:
        stream.write(bytes(20))
    weft("fft", "x.raw", "y.npy", code=USAGE, says=["--raw-type"])
    weft("fft", "x.raw", "y.npy", "--raw-type", "f64", code=INPUT,
         says=["20 bytes", "no whole number of float64"])
    weft("fft", "x.raw", "y.npy", "--raw-type", "f32", "--shape", "2x2",
         code=INPUT, says=["20 bytes", "16"])
    weft("fft", "x.raw", "y.npy", "--raw-type", "f32", "--shape", "2x-1",
         code=USAGE, says=["2x-1"])
    weft("fft", "x.raw", "y.npy", "--raw-type", "f32", "--shape",
         "x".join(["9" * 10] * 4), code=INPUT)
    assert not os.path.exists("y.npy")


@test
def bad_usage():
    np.save("x.npy", random((4, 4), "c16"))
    weft(code=USAGE)
    weft("fly", code=USAGE, says=["'fly'"])
    weft("fft", code=USAGE, says=["IN and OUT"])
    weft("fft", "x.npy", code=USAGE)
    weft("fft", "x.npy", "y.npy", "--sideways", code=USAGE,
         says=["--sideways"])
    weft("fft", "x.npy", "y.npy", "--axis", code=USAGE, says=["--axis"])
    weft("fft", "x.npy", "y.npy", "--axis", "2", code=USAGE,
         says=["--axis 2", "2 dimensions"])
    weft("fft", "x.npy", "y.npy", "--axis", "one", code=USAGE,
         says=["'one'"])
    weft("fft", "x.npy", "y.npy", "--norm", "loud", code=USAGE,
         says=["'loud'", "ortho"])
    weft("fft", "x.npy", "y.xyz", code=USAGE, says=["y.xyz", ".npy"])
    weft("fft", "x.npy", "y.npy", "--target-error", "0", code=USAGE,
         says=["--target-error 0"])
    weft("fft", "x.npy", "y.npy", "--target-error", "1e-5", "--precision",
         "double", code=USAGE, says=["--target-error", "--precision"])
    weft("fft", "x.npy", "y.npy", "--threads", "1025", code=USAGE,
         says=["1025"])
    weft("fft", "x.npy", "y.npy", "--shape", "4x4", code=USAGE,
         says=["--shape", "x.npy", "npy"])
    weft("fft", "x.npy", "y.npy", "--input-format", "npy", "--raw-type",
         "f64", code=USAGE, says=["--raw-type", "x.npy"])
    weft("fft", "x.npy", "y.npy", "--raw-type", "f64", code=USAGE,
         says=["--raw-type", "x.npy"])
    weft("fft", "x.npy", "-", "--format", "audio", code=USAGE,
         says=["audio"])
    weft("fft", "none.npy", "y.npy", code=INPUT, says=["none.npy"])
    weft("fft", "x.npy", "no/where/y.npy", code=OUTPUT,
         says=["no/where/y.npy"])
    weft("stft", "x.npy", "y.gif", code=USAGE, says=["y.gif"])
    weft("stft", "x.npy", "y.npy", code=INPUT, says=["complex128"])
    np.save("scalar.npy", np.float64(3))
    weft("fft", "scalar.npy", "y.npy", code=USAGE, says=["0 dimensions"])
    np.save("cube.npy", random((2, 2, 2), "f8"))
    weft("fft", "cube.npy", "y.csv", code=USAGE, says=["y.csv", "3"])
    for command in ("plan", "verify", "accuracy", "bench"):
        if command != "accuracy":
            weft(command, code=USAGE, says=["c2c:f64:1024"])
        weft(command, "c2c:f99:4", code=USAGE, says=["c2c:f99:4"])
        weft(command, "--sweep", "c2c:f64:3", code=USAGE,
             says=["c2c:f64:3"])
    assert not os.path.exists("y.npy") and not os.path.exists("y.csv")


@test
def outputs_are_whole():
    np.save("x.npy", random((4,), "c16"))
    os.mkdir("place")
    os.symlink("place/real.npy", "link.npy")
    with open("place/real.npy", "wb") as stream:
        stream.write(b"old")
    os.chmod("place/real.npy", 0o640)
    weft("fft", "x.npy", "link.npy")
    assert os.path.islink("link.npy"), "the link was replaced"
    assert os.stat("place/real.npy").st_mode & 0o777 == 0o640
    np.load("link.npy")
    assert os.listdir("place") == ["real.npy"]
    weft("fft", "x.npy", "/dev/null", "--format", "npy")
    assert not os.path.isfile("/dev/null")


def manual():
    """The manual's source up to its commands, and the part of each command."""
    path = os.path.join(HERE, "..", "docs", "man", "weft.1")
    with open(path, encoding="utf-8") as stream:
        page = stream.read().replace("\\-", "-")
    front, rest = page.split(".SH COMMANDS\n")
    commands, rest = rest.split(".SH JSON REPORTS\n")
    parts = (part.split("\n", 1)
             for part in ("\n" + commands).split("\n.SS weft ")[1:])
    return front, dict(parts), rest.split(".SH EXIT STATUS\n")[0]


@test
def help_and_manual():
    """Each option is in both, and no line of help is too long."""
    front, parts, _ = manual()
    listed = re.findall(r"^  ([a-z-]+) ", weft("--help").decode(), re.M)
    weft("--version")
    assert sorted(listed) == sorted(parts), (listed, sorted(parts))
    common = set(re.findall(r"--[a-z][a-z-]*", front)) | {"--json"}
    for name, part in parts.items():
        assert f".B weft {name}\n" in front, f"{name} is not in SYNOPSIS"
        text = weft(name, "--help").decode()
        assert "Examples:" in text and f"weft {name}" in text
        long = [line for line in text.splitlines() if len(line) > 80]
        assert not long, long
        helped = set(re.findall(r"^  (--[a-z][a-z-]*)", text, re.M))
        told = set(re.findall(r"--[a-z][a-z-]*", part))
        assert helped <= told | common, (name, sorted(helped - told - common))
        assert told <= helped, (name, sorted(told - helped))


def keys_of(value):
    if isinstance(value, dict):
        return set(value) | keys_of(list(value.values()))
    if isinstance(value, list):
        return set().union(*(keys_of(v) for v in value))
    return set()


def documented(report):
    """A report, each key of which must be in the manual."""
    sections = manual()[2].split(".TP\n")[1:]
    told = next(part for part in sections
                if part.split("\n")[0].split()[-1] == report["command"])
    told = set(re.findall(r"[a-z0-9_]+", told))
    common = {"program", "version", "command", "isa"}
    keys = keys_of(report)
    assert common <= keys <= told | common, keys - told - common
    return report


@test
def json_and_manual():
    if not needs_json():
        return
    np.save("x.npy", random((4000,), "f8"))
    for run in (("plan", "c2c:f64:96"), ("verify", "c2c:f64:96"),
                ("accuracy", "c2c:f64:96"), ("accuracy", "--top", "4"),
                ("bench", "--peers", "none", *QUICK, "c2c:f64:96"),
                ("stft", "x.npy", "s.npy"), ("info",)):
        documented(json.loads(weft(*run, "--json")))


# ---- stft -------------------------------------------------------------------

def stft_numpy(x, n, hop, window, padding):
    if padding != "none":
        mode = "reflect" if padding == "reflect" else "constant"
        x = np.pad(x, n // 2, mode=mode)
    count = 1 + (len(x) - n) // hop
    frames = np.stack([x[i * hop:i * hop + n] * window
                       for i in range(count)])
    return np.fft.rfft(frames).T


@test
def stft_arrays():
    def window(a, n):
        t = 2 * np.pi * np.arange(n) / n
        return a[0] - a[1] * np.cos(t) + a[2] * np.cos(2 * t)
    shapes = {"hann": (0.5, 0.5, 0), "hamming": (0.54, 0.46, 0),
              "blackman": (0.42, 0.5, 0.08), "rectangular": (1, 0, 0)}
    for (name, a), padding, (n, hop) in itertools.product(
            shapes.items(), ("reflect", "zero", "none"),
            ((64, 16), (50, 7), (33, 33), (1024, 256))):
        x = random((1500,), "f8")
        np.save("x.npy", x)
        weft("stft", "x.npy", "s.npy", "--n-fft", n, "--hop", hop,
             "--window", name, "--padding", padding)
        want = stft_numpy(x, n, hop, window(a, n), padding)
        close(np.load("s.npy"), want, f"stft {name} {padding} {n} {hop}",
              2e-14)


@test
def stft_outputs():
    x = random((4000, 2), "f4")
    np.save("x.npy", x)
    mean = x.astype("f8").mean(axis=1)
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(256) / 256)
    want = stft_numpy(mean, 256, 64, hann, "reflect")
    run = ("stft", "x.npy", "s.npy", "--n-fft", 256, "--output")
    weft(*run, "magnitude")
    close(np.load("s.npy"), np.abs(want), "magnitude")
    weft(*run, "power", "--type", "f64")
    close(np.load("s.npy"), np.abs(want)**2, "power", 1e-6)
    weft(*run, "db", "--channel", "1")
    one = stft_numpy(x[:, 1].astype("f8"), 256, 64, hann, "reflect")
    level = 20 * np.log10(np.abs(one) / 64)
    assert np.abs(np.load("s.npy") - level).max() < 0.05
    weft("stft", "x.npy", "s.npy", "--channel", "2", code=USAGE, says=["2"])
    np.save("short.npy", random((8,), "f8"))
    weft("stft", "short.npy", "s2.npy", code=INPUT, says=["short.npy", "8"])


@test
def stft_picture():
    t = np.arange(8000) / 8000
    np.save("x.npy", 0.5 * np.sin(2 * np.pi * 1000 * t))
    if not built_with("cairo"):
        weft("stft", "x.npy", "p.png", code=ABSENT, says=["cairo"])
        return
    weft("stft", "x.npy", "p.png", "--rate", "8000", "--width", "640",
         "--height", "400")
    with open("p.png", "rb") as stream:
        data = stream.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (640, 400)
    weft("stft", "x.npy", "q.png", "--rate", "8000", "--high", "5000",
         code=USAGE, says=["5000", "4000"])
    assert not os.path.exists("q.png")
    name = os.fsdecode(b"\xe9x.npy")  # no UTF-8, and in the title
    os.rename("x.npy", name)
    weft("stft", name, "q.png", "--rate", "8000")
    weft("stft", name, "q.png", "--rate", "8000", "--title", "\u00e9")


@test
def stft_report():
    t = np.arange(16000) / 8000
    np.save("x.npy", 0.5 * np.sin(2 * np.pi * 1234.5 * t))
    text = weft("stft", "x.npy", "s.npy", "--rate", "8000",
                "--report").decode()
    for word in ("strongest:", "plan:", "error:", "time:"):
        assert word in text, text
    if not built_with("jansson"):
        return
    report = json.loads(weft("stft", "x.npy", "s.npy", "--rate", "8000",
                             "--json"))
    strongest = report["strongest"][0]
    assert abs(strongest["hertz"] - 1234.5) < 1, strongest
    assert abs(strongest["dbfs"] + 6) < 1.6, strongest
    assert 0 <= report["error_l2"] <= report["error_bar"]
    clicks = 1e-7 * np.sin(t)
    clicks[::2048] = 0.9  # a loud frame beside quiet ones
    np.save("x.npy", clicks.astype(np.float32))
    weft("stft", "x.npy", "s.npy", "--n-fft", "256", "--report")
    clicks[5000] = np.nan
    np.save("x.npy", clicks.astype(np.float32))
    text = weft("stft", "x.npy", "s.npy", "--n-fft", "16000", "--hop", "16000",
                "--report").decode()
    assert "strongest:  none" in text and "not checked" in text, text


# ---- Problems ---------------------------------------------------------------

PROBLEMS = ["c2c:f64:1024", "c2c:f32:30x40:inplace", "c2c:f64:64*8:inverse",
            "c2c:f64:8/2/1x4/16/8*3/64/32", "c2c:f32:1009:split",
            "c2c:f64:1", "c2c:f64:96:scrambled", "c2c:f32:12:norm=ortho",
            "redft10:f64:100*3", "rodft11+dht:f32:15x8:norm=ortho",
            "redft00:f64:17:inplace"]


def needs_json():
    if built_with("jansson"):
        return True
    weft("info", "--json", code=ABSENT, says=["jansson"])
    return False


@test
def plan_command():
    text = weft("plan", "c2c:f64:1024").decode()
    assert "c2c:f64:1024" in text
    weft("plan", "c2c:f64:1024", "--rule", "nonsense", code=LIBRARY,
         says=["c2c:f64:1024"])
    for command in ("plan", "verify", "accuracy", "tune"):
        weft(command, "c2c:f64:8:target=1e-20", code=TARGET,
             says=["1e-20", "1.11e-16"])
    if not needs_json():
        return
    plans = json.loads(weft("plan", "--json", *PROBLEMS))["plans"]
    assert [p["problem"] for p in plans] == PROBLEMS
    tree = plans[0]["tree"]
    again = json.loads(weft("plan", "--json", PROBLEMS[0], "--tree", tree))
    assert again["plans"][0]["tree"] == tree


@test
def verify_command():
    text = weft("verify", *PROBLEMS).decode()
    assert f"{len(PROBLEMS)} problems, 0 failed" in text, text
    # in place each transform's results lie where another's numbers were
    moved = "dht+r2hc:f64:2/1/1x4/2/2*5/16/8x2/8/40:inplace"
    assert "1 problem, 0 failed" in weft("verify", moved).decode()
    deep = "redft10:f64:2" + "x1" * 30 + "x3"  # as many dimensions as may be
    assert "1 problem, 0 failed" in weft("verify", deep).decode()
    weft("verify", "--sweep", "c2c:f64:1..20", "--sweep", "c2c:f32:3^1..3^5")
    if needs_json():
        report = json.loads(weft("verify", "--json", *PROBLEMS))
        assert report["failed"] == 0
        assert all(r["ok"] for r in report["results"])


@test
def overlapping_inputs():
    """One number for all, frames that overlap: valid, and checkable."""
    problems = ["c2c:f64:8/0/1", "c2c:f32:8/1/1*4/2/8:split",
                "r2c:f64:8/-1/1*5/1/8", "redft10:f64:8/1/1*4/3/8"]
    text = weft("verify", *problems).decode()
    assert "4 problems, 0 failed" in text, text
    assert "overlaps" in text
    weft("accuracy", *problems)
    overlap = "c2r:f64:8/1/1*4/2/8"
    for command in ("verify", "accuracy"):
        weft(command, overlap, code=LIBRARY, says=[overlap, "overlap"])
    # These only look like it.
    for apart in ("c2c:f64:4/3/1x3/4/4", "c2r:f64:8/1/1*4/5/8"):
        assert b"overlaps" not in weft("verify", apart)


@test
def accuracy_command():
    text = weft("accuracy", *PROBLEMS, "--trials", "2").decode()
    assert "ABOVE" not in text
    if needs_json():
        report = json.loads(weft("accuracy", "--json", "c2c:f32:1000"))
        row = report["results"][0]
        assert 0 < row["l2_u"] < row["bar_u"] and row["ok"], row


@test
def accuracy_of_modes():
    text = weft("accuracy", "--top", "8", "--plot", "modes.svg").decode()
    for word in ("f32, relative L2", "f64, bound", "cost", "compensated",
                 "double"):
        assert word in text, text
    assert "ABOVE" not in text
    with open("modes.svg", encoding="utf-8") as stream:
        svg = stream.read()
    xml.etree.ElementTree.fromstring(svg)
    assert svg.count("<polyline") >= 5 and "f64 compensated" in svg
    weft("accuracy", "c2c:f32:64", "--top", "8", code=USAGE, says=["--top"])
    weft("accuracy", "--angles", "fp16", code=USAGE, says=["fp16"])
    weft("accuracy", "--plot", "no/where.svg", "--top", "4", code=OUTPUT,
         says=["no/where.svg"])
    if needs_json():
        report = json.loads(weft("accuracy", "--json", "--type", "f32",
                                 "--top", "6"))
        rows = {(r["mode"], r["n"]): r for r in report["modes"]}
        assert report["missed"] == 0
        assert all(r["ok"] and r["cost"] > 0 for r in rows.values())
        assert rows["double", 64]["l2"] < rows["fast", 64]["l2"]


@test
def accuracy_of_angles():
    if not needs_json():
        text = weft("accuracy", "--angles", "fp32").decode()
        assert "bluestein" in text and "radix-8" in text, text
    else:
        report = documented(json.loads(weft("accuracy", "--angles", "fp32",
                                            "--json")))
        for row in report["angles"]:
            assert row["exact_l2"] < 1e-5
            assert row["fp32_l2"] > 1.5 * row["exact_l2"], row


QUICK = ("--rounds", "2", "--time-budget", "0.01")


@test
def bench_alone():
    text = weft("bench", "--peers", "none", *QUICK, *PROBLEMS).decode()
    assert text.count("median") >= len(PROBLEMS), text
    forced = weft("bench", "--peers", "none", *QUICK, "c2c:f32:64*9",
                  "--rule", "matrix").decode()
    assert "(matrix 64 f32 " in forced, forced
    forced = weft("bench", "--peers", "none", *QUICK,
                  "c2c:f32:512*9:rule=mixed", "c2c:f32:512*9:rule=radix8",
                  "c2c:f32:256*9:rule=radix16:inverse",
                  "c2c:f32:512*9:rule=radix2").decode()
    for tree in ("512 f32 16.8.4", "512 f32 8.8.8", "256 f32 16.16",
                 "512 w1 2.2.2.2.2.2.2.2.2"):
        assert tree in forced, forced
    weft("bench", "c2c:f64:64:rule=", code=USAGE, says=["rule="])
    weft("accuracy", "c2c:f32:256*2:rule=matrix")
    weft("accuracy", "c2c:f32:64", "--tree",
         "(rank (rows 0 (matrix 64 f32 64)))")
    weft("accuracy", "--kind", "r2c", "--top", "6")
    weft("verify", "c2c:f32:64:rule=radix8")
    weft("bench", "c2c:f64:64", "--peers", "numpy", code=USAGE,
         says=["numpy"])
    weft("bench", "c2c:f64:64", "--peers", "fftw", "--fftw-lib",
         "/no/such/libfftw3.so", *QUICK, code=CHECK)
    weft("bench", "c2c:f64:64", "--fftw-lib", "/no/such/libfftw3.so",
         *QUICK, code=CHECK)
    weft("bench", "c2c:f64:64", "--mkl-lib", "/no/such/libmkl_rt.so",
         *QUICK, code=CHECK)
    if needs_json():
        report = json.loads(weft("bench", "--json", "--peers", "none",
                                 *QUICK, "c2c:f64:64"))
        one = report["results"][0]["contenders"][0]
        assert one["name"] == "weft" and one["ok"]
        assert 0 < one["min_ns"] <= one["median_ns"]


def bench_pair(problem, *changes, options=()):
    """The result of a problem and its counterparts by their names."""
    words = [word for change in changes for word in ("--against", change)]
    report = documented(json.loads(weft(
        "bench", "--json", "--peers", "none", *QUICK, *options, problem,
        *words)))
    row = report["results"][0]
    own, *others = row["contenders"]
    assert own["name"] == "weft" and "problem" not in own, own
    assert [other["name"] for other in others] == list(changes), row
    for other in others:
        assert other["ok"], other
        for what in ("min", "median"):
            ratio = other[f"{what}_ns"] / own[f"{what}_ns"]
            assert 0 < ratio < 1e6, other
            assert abs(other[f"ratio_{what}"] / ratio - 1) < 1e-9, other
    return row, {other["name"]: other for other in others}


@test
def bench_against():
    text = weft("bench", "--peers", "none", *QUICK, "r2c:f64:64", "--against",
                "c2c").decode()
    assert re.search(r"^  c2c +min .* ratio .*  c2c:f64:64  \(rank ", text,
                     re.M), text
    if not needs_json():
        return
    # The same transform, done otherwise.
    row, others = bench_pair("c2c:f64:96*3:inplace:inverse", "outofplace",
                             "split,f32", "natural,c2r", "threads=2")
    assert row["clock"] == "wall"
    assert [o["problem"] for o in others.values()] == [
        "c2c:f64:96*3:inverse", "c2c:f32:96*3:inplace:inverse:split",
        "c2r:f64:96*3:inplace:inverse",
        "c2c:f64:96*3:inplace:inverse:threads=2"]
    assert {o["checked"] for o in others.values()} == {"the problem"}
    # Orders that differ, on either side, where scrambled is no natural one.
    for problem in ("c2c:f32:1048576:scrambled",
                    "c2c:f32:1048576:scrambled:inverse"):
        row, others = bench_pair(problem, "natural", "inplace")
        assert "scrambled" in row["plan"] and "scrambled" not in \
            others["natural"]["plan"], row
        assert others["natural"]["checked"] == "the problem"
    # Where arrays begin.
    row, others = bench_pair("c2c:f32:96", "offset=0", "offset=4,inverse",
                             options=("--offset", "16"))
    assert row["offset"] == 16 and others["offset=0"]["plan"] == row["plan"]
    # Other transforms.
    _, others = bench_pair("redft10:f64:100", "r2c", "norm=ortho", "rodft11")
    assert {o["checked"] for o in others.values()} == {"the reference"}
    _, others = bench_pair("c2c:f32:4099", "inverse", "scrambled,inverse")
    assert {o["checked"] for o in others.values()} == {"a compensated plan"}
    # Plans: what was measured is not remembered for the model's.
    model = json.loads(weft("plan", "--json", "c2c:f64:512"))["plans"][0]
    limit = ("--time-limit", "0.05")
    row, others = bench_pair("c2c:f64:512", "measure", "rule=radix2",
                             options=limit)
    assert row["plan"] == model["tree"] and "2.2.2" in \
        others["rule=radix2"]["plan"], row
    for options in (("--measure", *limit), ("--rule", "radix2"),
                    ("--tree", others["rule=radix2"]["plan"])):
        _, others = bench_pair("c2c:f64:512", "model", options=options)
        assert others["model"]["plan"] == model["tree"], others


@test
def bench_against_nonsense():
    """Nothing is timed, and the words are named; what cannot be planned is a
    line of the report."""
    for problem, change, says in (
            ("c2c:f64:64", "colour", ["'colour'", "'c2c:f64:64'"]),
            ("c2c:f64:64", "threads=x", ["threads=x"]),
            ("c2c:f64:64", "rule=", ["rule="]),
            ("c2c:f64:64", "measure=2", ["measure=2"]),
            ("c2c:f64:64", "offset=64", ["from 0 to 63"]),
            ("c2c:f64:64", "offset=0", ["as it is"]),
            ("c2c:f64:64", "inplace:inverse", ["inplace:inverse"]),
            ("redft10:f64:8x8", "scrambled", ["rank is 2"]),
            ("c2c:f64:64", "", ["''", "as it is"]),
            ("c2c:f64:64", "natural,model", ["natural,model", "as it is"]),
            ("c2c:f64:64:inplace:inverse", "inverse,inplace", ["as it is"])):
        out = weft("bench", "--peers", "none", problem, "--against", change,
                   code=USAGE, says=["--against", *says])
        assert not out, out
    weft("bench", "r2c:f64:64", "c2c:f64:64", "--against", "c2c", code=USAGE,
         says=["'c2c:f64:64' as it is"])
    weft("bench", "--peers", "none", "c2c:f64:64", "--offset", "12",
         code=CHECK, says=["12 bytes", "f64"])
    weft("bench", "c2c:f64:64", *["--against", "f32"] * 7, code=USAGE,
         says=["more than 6 --against"])
    text = weft("bench", "--peers", "none", *QUICK, "c2c:f64:64", "--against",
                "rule=nonsense", "--against", "inplace", code=CHECK).decode()
    assert "FAILED" in text and "nonsense" in text, text
    assert re.search("^  inplace +min", text, re.M), text


@test
def bench_beside_fftw():
    if not needs_json():
        return
    info = json.loads(weft("info", "--json"))
    if not any(p["name"] == "fftw" for p in info["peers"]):
        print("   (no FFTW here)")
        return
    problems = [p for p in PROBLEMS if "scrambled" not in p]
    report = json.loads(weft("bench", "--json", "--peers", "fftw",
                             "--fftw-effort", "estimate", *QUICK, *problems))
    for row in report["results"]:
        fftw = [c for c in row["contenders"] if c["name"] == "fftw"]
        assert fftw and fftw[0]["ok"] and fftw[0]["ratio_min"] > 0, row


@test
def bench_beside_a_build():
    library = os.path.join(os.path.dirname(WEFT), "..", "libweft.so")
    weft("bench", "--weft-lib", "/no/such/libweft.so", "c2c:f64:64", *QUICK,
         code=CHECK)
    weft("bench", "--weft-lib", WEFT, "c2c:f64:64", *QUICK, code=CHECK)
    if not os.path.exists(library):
        print("     left out: no shared library in this build")
        return
    beside = ("bench", "--peers", "none", "--weft-lib", library, *QUICK)
    problems = [*PROBLEMS, "c2c:f64:12:inplace", "c2c:f32:64:split",
                "c2c:f64:96:norm=ortho", "c2c:f32:4096:scrambled"]
    text = weft(*beside, *problems, "--rule", "radix2",
                code=CHECK).decode()
    assert re.search(r"^  build min .*libweft.so  \(rank ", text, re.M), text
    if not needs_json():
        return
    report = documented(json.loads(weft(*beside, "--json", *problems)))
    for row in report["results"]:
        names = [c["name"] for c in row["contenders"]]
        build = row["contenders"][1]
        assert names == ["weft", "build"], row
        assert build["ok"] and build["plan"] == row["plan"], row
    tree = "(rank (rows 0 (leaf 64)))"
    report = json.loads(weft(*beside, "--json", "--tree", tree, "c2c:f64:64"))
    assert report["results"][0]["contenders"][1]["plan"] == tree, report


@test
def run_with_fftw():
    weft("run-with-fftw", code=USAGE, says=["no program"])
    weft("run-with-fftw", "--path", "echo", code=USAGE, says=["--path"])
    weft("run-with-fftw", "--nonsense", code=USAGE, says=["--nonsense"])
    if subprocess.run([WEFT, "run-with-fftw", "--path"], check=False,
                      capture_output=True).returncode == ABSENT:
        print("     left out: no drop-in libraries in this build")
        return
    folder = weft("run-with-fftw", "--path").decode().strip()
    assert os.path.exists(folder + "/libfftw3f_omp.so.3"), folder
    weft("run-with-fftw", "./nothing-there", code=ABSENT,
         says=["nothing-there"])
    # The program's options and exit status are its own.
    weft("run-with-fftw", "sh", "-c", "exit 17", code=17)
    path = weft("run-with-fftw", "sh", "-c", "echo $LD_LIBRARY_PATH",
                env={"LD_LIBRARY_PATH": "/some/where"}).decode().strip()
    assert path == folder + ":/some/where", path
    # A program that asks for libfftw3 by name gets weft's.
    peers = weft("run-with-fftw", WEFT, "info").decode()
    assert f"fftw-3.3.10-weft ({folder}/" in peers, peers


def cc_missing():
    return not shutil.which("cc") or not os.path.exists(
        os.path.join(os.path.dirname(WEFT), "../libexec/weft/weft-gen"))


@test
def idle_options():
    """What nothing would come of is refused, not left out."""
    def idle(*arguments):
        weft(*arguments, code=USAGE, says=["is for"])
    idle("plan", "c2c:f64:8", "--time-limit", "2")
    weft("plan", "c2c:f64:8:rule=leaf", "--rule", "leaf", code=USAGE,
         says=["rule= and --rule"])
    idle("accuracy", "--tree", "(rank)")
    idle("neuron", "--rule", "leaf")
    np.save("idle.npy", np.zeros(2000))
    idle("stft", "idle.npy", "idle_out.npy", "--low", "3")
    idle("stft", "idle.npy", "idle_out.npy", "--fftw-lib", "none")
    if built_with("cairo"):
        idle("stft", "idle.npy", "idle_out.png", "--output", "db")
    assert not os.path.exists("idle_out.npy")


@test
def tune_errors():
    weft("tune", code=USAGE)
    weft("tune", "c2c:f64:1024", "--compiler", code=USAGE, says=["needs"])
    weft("tune", "c2c:f65:1024", code=USAGE, says=["f65"])
    weft("tune", "c2c:f64:64", "--rounds", "0", code=USAGE, says=["--rounds"])
    if cc_missing():
        return print("  no compiler or no weft-gen: the rest is left out")
    here = ["--folder", "tuned"]
    fast = ["--rounds", "2", "--time-budget", "0"]
    weft("tune", "c2c:f64:1536", *here, "--compiler", "./no-cc; touch x",
         code=ABSENT, says=["./no-cc; touch x"])
    weft("tune", "c2c:f64:1536", *here, "--compiler", "false", code=CHECK,
         says=["'false' failed with status 1"])
    open("file", "w").close()
    weft("tune", "c2c:f64:1536", "--folder", "", code=USAGE, says=["empty"])
    weft("tune", "c2c:f64:1536", "--folder", "file", code=OUTPUT,
         says=["file"])
    weft("tune", "c2c:f64:1536", env={"XDG_CACHE_HOME": "", "HOME": ""},
         code=OUTPUT, says=["HOME", "--folder"])
    assert b"no step" in weft("tune", "c2c:f64:8", *here, *fast)
    assert os.listdir("tuned") == [], "files of failed runs are left"
    assert os.stat("tuned").st_mode & 0o777 == 0o700
    os.chmod("tuned", 0o777)
    weft("tune", "c2c:f64:1536", *here, *fast, code=LIBRARY, says=["0777"])


def tune_mends(folder, arguments, home):
    """A file that was cut short kills no program and is compiled again; what a
    killed run left goes after a day."""
    name = os.path.join(folder, sorted(os.listdir(folder))[0])
    whole = os.path.getsize(name)
    left = os.path.join(folder, "tune.abc123")
    os.mkdir(left)
    with open(os.path.join(left, "step.c"), "wb"):
        pass
    os.utime(left, (0, 0))
    for length in (0, 100, whole // 2):
        os.truncate(name, length)
        assert b"\nnote: WEFT_TUNED" in weft("info", env={"WEFT_TUNED": folder})
        weft(*arguments, env=home)
        assert os.path.getsize(name) == whole, length
        assert not os.path.exists(left)
    os.mkfifo(os.path.join(folder, "pipe.so"))
    assert b"no regular file" in weft("info", env={"WEFT_TUNED": folder})
    os.unlink(os.path.join(folder, "pipe.so"))


@test
def tune_command():
    if cc_missing():
        return print("  no compiler or no weft-gen: left out")
    home = {"XDG_CACHE_HOME": os.path.abspath("cache"), "WEFT_TUNED": os.path.abspath("none")}
    folder = os.path.abspath("cache/weft")
    arguments = ["tune", "c2c:f32:1536:inplace", "r2c:f64:3072:split",
                 "c2c:f64:8", "--keep-all", "--rounds", "2", "--time-budget",
                 "0"]
    text = weft(*arguments, env=home).decode()
    files = sorted(os.listdir(folder))
    assert len(files) == 2 and text.count(folder) == 2, (files, text)
    before = [os.stat(os.path.join(folder, f)).st_mtime_ns for f in files]
    text = weft(*arguments, "--json", env=home) if built_with("jansson") \
        else weft(*arguments, env=home)
    assert before == [os.stat(os.path.join(folder, f)).st_mtime_ns
                      for f in files], "compiled twice"
    assert sorted(os.listdir(folder)) == files
    tune_mends(folder, arguments, home)
    if built_with("jansson"):
        report = json.loads(text)
        assert report["folder"] == folder
        first, second, third = report["results"]
        assert first["ratio"] > 0 and first["files"][0]["kept"]
        assert second["builtin_ns"] > 0 and third["files"] == []
    used = {"WEFT_TUNED": folder}
    assert b"\ntuned: stockham 1536" in weft("plan", "c2c:f32:1536:inplace",
                                             env=used)
    assert b"\ntuned: " not in weft("plan", "c2c:f32:1536:inplace")
    assert weft("info", env=used).count(b"\ntuned: stockham 1536") == 2
    assert b"\nnote: WEFT_TUNED" in weft("info", env=home)
    weft("verify", "c2c:f32:1536:inplace", "r2c:f64:3072:split", env=used)


@test
def info_command():
    assert "ISA" in INFO
    if needs_json():
        info = json.loads(weft("info", "--json", env={"WEFT_ISA": "scalar"}))
        assert info["isa"] == "scalar", info["isa"]


@test
def neuron_tables_and_pictures():
    tables = weft("neuron").decode()
    page = os.path.join(HERE, "..", "docs", "neuron.md")
    with open(page, encoding="utf-8") as stream:
        assert tables.strip() in stream.read(), (
            "docs/neuron.md is not what weft neuron prints: bench/neuron.py")
    held = [line for line in tables.splitlines() if " held |" in line]
    errors = sorted(abs(float(line.split("|")[10].split("%")[0]))
                    for line in held)
    assert len(errors) == 16 and errors[7] + errors[8] <= 20, errors
    folds = re.findall(r"choose the same counts \| 34 \| ([0-9.]+) %", tables)
    assert len(folds) == 3 and all(float(e) <= 10 for e in folds), folds
    weft("neuron", "--svg", "a.svg", "c2c:f32:512*3:engine=neuron",
         "--rule", "radix8")
    with open("a.svg", encoding="utf-8") as stream:
        picture = stream.read()
    xml.etree.ElementTree.fromstring(picture)
    for word in ("tensor", "gpsimd", "matmul", "store", "engine=neuron"):
        assert word in picture, word
    shown = weft("plan", "c2c:f32:512*3:engine=neuron").decode()
    for word in ("NeuronCore model trn1", "psum:", "time:", "dma:"):
        assert word in shown, word
    assert "trn2" in weft("plan", "--engine", "neuron-trn2",
                          "c2c:f32:64").decode()
    weft("plan", "--engine", "abacus", "c2c:f32:64", code=USAGE,
         says=["abacus"])
    weft("neuron", "c2c:f32:64:engine=neuron", code=USAGE)
    weft("neuron", "--svg", "b.svg", code=USAGE)
    weft("neuron", "--svg", "b.svg", "c2c:f32:64", code=LIBRARY,
         says=["timetable"])
    weft("neuron", "--svg", "no/b.svg", "c2c:f32:64:engine=neuron",
         code=OUTPUT, says=["no/b.svg"])
    weft("plan", "c2c:f64:64:engine=neuron", code=LIBRARY, says=["f64"])
    assert not os.path.exists("b.svg")


def main():
    failed = []
    names = sys.argv[2:]
    for function in TESTS:
        name = function.__name__
        if names and not any(word in name for word in names):
            continue
        folder = tempfile.mkdtemp(prefix="weft-cli-")
        os.chdir(folder)
        try:
            function()
            print(f"ok   {name}", flush=True)
        except (AssertionError, subprocess.TimeoutExpired, OSError,
                ValueError, KeyError, IndexError) as problem:
            failed.append(name)
            print(f"FAIL {name}: {type(problem).__name__}: {problem}",
                  flush=True)
        finally:
            os.chdir("/")
            shutil.rmtree(folder)
    os.unlink(known.name)
    print(f"{len(failed)} failed: {' '.join(failed)}" if failed
          else "all passed")
    return 1 if failed else 0


# fontconfig, below cairo, keeps its configuration until the program ends;
# only a build with the leak sanitizer reads this.
with tempfile.NamedTemporaryFile("w", suffix=".supp", delete=False) as known:
    known.write("leak:libfontconfig\n")
os.environ.setdefault("LSAN_OPTIONS", f"suppressions={known.name}")
INFO = weft("info").decode()
if __name__ == "__main__":
    sys.exit(main())
