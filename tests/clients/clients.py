#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs of Debian that use FFTW, run on weft's drop-in libraries.

    clients.py BUILD [options]     (make check-clients; BUILD: build/release)

Each program runs three times over the same work:

    stock   on Debian's FFTW: the results to compare with
    weft    on the drop-in of BUILD/compat/fftw3
    idle    on the drop-in with every execute function made to do nothing:
            this run must fail, else the comparison proves nothing

tally.c, loaded into each of them, counts the calls of FFTW's functions and
names the library that did each, so that a run on the wrong library fails.
The exit status is 1 when a result differs, an idle run passes or a program
cannot run; a program that is known to be absent is named with --without.

Times are of the whole program, the least of --repeat runs, stock and weft in
turn: processor seconds, which a busy machine disturbs least.
"""
import argparse
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import wave

try:
    import numpy as np
except ImportError:
    # Debian's python3-numpy belongs to Debian's python3.
    debian = "/usr/bin/python3"
    if os.path.exists(debian) and not os.environ.get("WEFT_PYTHON_AGAIN"):
        os.environ["WEFT_PYTHON_AGAIN"] = "1"
        os.execv(debian, [debian] + sys.argv)
    sys.exit("clients.py: needs numpy (Debian: python3-numpy)")

HERE = os.path.dirname(os.path.abspath(__file__))
SPEECH = "/usr/share/sounds/alsa/Front_Center.wav"
ROUNDING = {"f64": 2.0 ** -53, "f32": 2.0 ** -24}
CLIENTS = []


class Failure(Exception):
    """What the table says instead of a result."""


def bar(n, kind, times=1):
    """How far two libraries may be apart after `times` transforms of `n`
    points: each may err by weft.h's promise, with tests/README.md's allowance
    for single short vectors."""
    rest = max(int(n), 1)
    for p in (2, 3, 5, 7, 11, 13):
        while rest % p == 0:
            rest //= p
    u = ROUNDING[kind]
    one = 5 * u if rest > 1 else 0.6 * u * math.sqrt(math.log2(max(n, 1))) + u
    return 2 * times * one * (1 + 1 / math.sqrt(max(n, 1)))


class Session:
    """One run of one client: a folder, an environment, what came out."""

    def __init__(self, folder, common, environment):
        self.folder, self.common = folder, common
        self.environment = environment
        self.arrays = {}  # name: (array, tolerance)
        self.texts = {}
        self.cpu = self.wall = 0.0

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, name, content):
        """Writes an input."""
        if isinstance(content, str):
            content = content.encode()
        with open(self.path(name), "wb") as out:
            out.write(content)
        return name

    def read(self, name):
        with open(self.path(name), "rb") as source:
            return source.read()

    def _start(self, command, environment, stdin):
        program = shutil.which(command[0])
        if not program:
            raise Failure(f"cannot run: {command[0]} is not installed")
        with open(self.path("stdin"), "wb") as out:
            out.write(stdin)
        start = time.perf_counter()
        with (open(self.path("stdin"), "rb") as source,
              open(self.path("stdout"), "wb") as out,
              open(self.path("stderr"), "wb") as err):
            process = subprocess.Popen(command, cwd=self.folder, stdin=source,
                                       stdout=out, stderr=err, env=environment)
        deadline = start + 300
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.perf_counter() > deadline:
                process.kill()
                os.wait4(process.pid, 0)
                raise Failure(f"{command[0]}: still running after 300 s")
            time.sleep(0.005)
        process.returncode = code = os.waitstatus_to_exitcode(status)
        if code:
            said = self.read("stderr").decode(errors="replace").splitlines()
            last = " / ".join([line for line in said if line.strip()][-3:])
            raise Failure(f"{command[0]}: exit {code}: {last[-300:]}")
        self.cpu += usage.ru_utime + usage.ru_stime
        self.wall += time.perf_counter() - start
        return self.read("stdout")

    def run(self, *command, stdin=b""):
        """The program in question; returns what it printed."""
        return self._start(command, self.environment, stdin)

    def tool(self, *command, stdin=b""):
        """Preparations and conversions: stock, not timed, not counted."""
        cpu, wall = self.cpu, self.wall
        plain = {k: v for k, v in self.environment.items()
                 if not k.startswith(("LD_", "FFTW_"))}
        said = self._start(command, plain, stdin)
        self.cpu, self.wall = cpu, wall
        return said

    def once(self, name, make):
        """An input that takes a program to make: the first run makes it, by
        `make`, the others get the same."""
        kept = os.path.join(self.common, name)
        if not os.path.exists(kept):
            make()
            shutil.copy(self.path(name), kept)
        shutil.copy(kept, self.path(name))
        return name

    def array(self, name, values, tolerance):
        values = np.asarray(values)
        if not values.size:
            raise Failure(f"{name}: nothing came out")
        self.arrays[name] = (values.astype(float).ravel(), tolerance)

    def text(self, name, value):
        if isinstance(value, bytes):
            value = value.decode(errors="replace")
        self.texts[name] = value

    def collect(self):
        """What octave.m, fftw.R and pyfftw_client.py leave behind."""
        for line in self.read("results.txt").decode().splitlines():
            name, n, kind, times = line.split()
            self.array(name, np.fromfile(self.path(name + ".f64")),
                       bar(int(n), kind, int(times)))
        if os.path.exists(self.path("facts.txt")):
            self.text("facts", self.read("facts.txt"))


def client(package, purpose):
    def enter(function):
        function.package, function.purpose = package, purpose
        CLIENTS.append(function)
        return function
    return enter


def numbers(text):
    """All numbers of a text, in order."""
    return [float(x) for x in re.findall(
        rb"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?", text)]


def noise(shape, low=0.0, high=1.0):
    return np.random.default_rng(5).uniform(low, high, shape)


def pgm(session, name, height, width):
    pixels = noise((height, width), 0, 255).astype(np.uint8)
    return session.file(
        name, f"P5 {width} {height} 255\n".encode() + pixels.tobytes())


# ---- The clients -----------------------------------------------------------
@client("octave", "every length to 64, primes, to 131072; planner, wisdom")
def octave(s):
    s.run("octave-cli", "--norc", os.path.join(HERE, "octave.m"))
    s.collect()


@client("python3-pyfftw", "guru plans of every type, flags, strides, wisdom")
def pyfftw(s):
    s.run("/usr/bin/python3", os.path.join(HERE, "pyfftw_client.py"))
    s.collect()


@client("r-cran-fftw", "FFT and DCT-I to IV, planning efforts 0 to 3")
def r_fftw(s):
    # R puts its own list of folders before LD_LIBRARY_PATH.
    s.environment["R_LD_LIBRARY_PATH"] = ":".join(
        [s.environment.get("LD_LIBRARY_PATH", ""), "/usr/lib/R/lib"])
    s.run("Rscript", os.path.join(HERE, "fftw.R"))
    s.collect()


def water(s, gmx, kind):
    """gmx's own water, its own force field; results of a mesh of 24*25*28."""
    def make():
        s.file("topol.top", '#include "amber99sb.ff/forcefield.itp"\n'
               '#include "amber99sb.ff/spce.itp"\n'
               "[ system ]\nwater\n[ molecules ]\n")
        s.tool(gmx, "-quiet", "solvate", "-cs", "spc216.gro", "-box", "2.2",
               "2.2", "2.2", "-p", "topol.top", "-o", "box.gro")
        s.tool(gmx, "-quiet", "grompp", "-f",
               os.path.join(HERE, "gromacs.mdp"), "-c", "box.gro", "-p",
               "topol.top", "-o", "run.tpr")

    s.once("run.tpr", make)
    s.run(gmx, "-quiet", "mdrun", "-s", "run.tpr", "-deffnm", "out", "-ntmpi",
          "1", "-ntomp", "1", "-nb", "cpu", "-pme", "cpu", "-notunepme",
          "-reprod", "-noconfout", "-cpt", "-1")
    s.tool(gmx, "-quiet", "energy", "-f", "out.edr", "-o", "energy.xvg", "-dp",
           stdin=b"Coul.-recip.\nPotential\n")
    s.tool(gmx, "-quiet", "traj", "-s", "run.tpr", "-f", "out.trr", "-of",
           "forces.xvg", "-fp", stdin=b"0\n")

    def table(name):
        rows = [line.split() for line in s.read(name).decode().splitlines()
                if line[0] not in "#@"]
        return np.array(rows, float)

    energy, forces = table("energy.xvg"), table("forces.xvg")
    # Two transforms and sums over a thousand charges, in the program's type.
    one = 10 * ROUNDING[kind]
    s.array("reciprocal energy, first step", energy[:1, 1], one)
    s.array("forces, first step", forces[0, 1:], one)
    # The steps after it move away from each other slowly.
    s.array("reciprocal energy, 20 steps", energy[:, 1], 30 * one)
    s.array("potential energy, 20 steps", energy[:, 2], 30 * one)
    s.array("forces, 20 steps", forces[-1, 1:], 30 * one)


@client("gromacs", "PME water box, single precision: guru r2c and c2r")
def gromacs(s):
    water(s, "gmx", "f32")


@client("gromacs", "the same in double precision")
def gromacs_d(s):
    water(s, "gmx_d", "f64")


@client("cp2k", "energy and forces of a water molecule: Fortran, guru")
def cp2k(s):
    shutil.copy(os.path.join(HERE, "cp2k.inp"), s.path("water.inp"))
    said = s.run("cp2k", "-i", "water.inp")
    energy = re.search(rb"FORCE_EVAL.*energy.*:\s+(\S+)", said)
    forces = re.search(rb"ATOMIC FORCES.*?SUM OF", said, re.S)
    if not energy or not forces:
        raise Failure("cp2k printed no energy")
    s.array("energy", [float(energy[1])], 1e-13)  # some 60 transforms
    s.array("forces", [x for line in forces[0].splitlines()[3:-1]
                       for x in map(float, line.split()[3:])],
            2e-7)  # as printed: 8 decimals


@client("elk-lapw", "total energy of silicon: Fortran, a plan each time")
def elk(s):
    shutil.copy(os.path.join(HERE, "elk.in"), s.path("elk.in"))
    s.run("elk-lapw")
    s.array("total energy", numbers(s.read("TOTENERGY.OUT")), 1e-12)
    s.array("Fermi energy", numbers(s.read("EFERMI.OUT")), 1e-9)


@client("wsjtx", "jt9 decodes FT8 under noise: Fortran, single; wisdom")
def wsjtx(s):
    def make():
        # No fading, and 99 dB over noise: both differ from run to run, and a
        # signal that has faded is not decoded by anyone.
        s.tool("ft8sim", "CQ K1ABC FN42", "1500", "0.0", "0.0", "0.0", "1",
               "99")
        with wave.open(s.path("000000_000001.wav")) as clean:
            form = clean.getparams()
            x = np.frombuffer(clean.readframes(form.nframes), "<i2")
        x = x / np.abs(x).max() * 300 + np.random.default_rng(5).normal(
            0, 900, x.size)
        with wave.open(s.path("cq.wav"), "wb") as noisy:
            noisy.setparams(form)
            noisy.writeframes(x.astype("<i2").tobytes())

    s.once("cq.wav", make)
    for again in ("without wisdom", "with the wisdom it saved"):
        said = s.run("jt9", "--ft8", "-p", "15", "cq.wav").decode()
        if "<DecodeFinished>" not in said:
            raise Failure("jt9 did not finish")
        s.text(again, said)


@client("aubio-tools", "onset, pitch, notes and MFCC of speech: r2r, single")
def aubio(s):
    # Discrete decisions from single precision: times to a tenth of a
    # millisecond, coefficients of logarithms to six digits as printed.
    for command in ("aubioonset", "aubioonset -O specflux",
                    "aubiopitch -p fcomb", "aubiopitch -p mcomb",
                    "aubiopitch -p yinfft", "aubiopitch -p yinfast",
                    "aubionotes", "aubiomfcc"):
        s.array(command, numbers(s.run(*command.split(), "-i", SPEECH)), 2e-5)


@client("gmt", "grdfft: a filtered grid and a power spectrum, single")
def gmt(s):
    s.once("in.nc", lambda: s.tool(
        "gmt", "grdmath", "-R0/63/0/47", "-I1", "X", "Y", "MUL", "7", "DIV",
        "SIN", "X", "3", "DIV", "COS", "ADD", "=", "in.nc"))
    for name, shape in (("periodic", "-N64/48+n+l"), ("prime", "-N67/53+n+l")):
        s.run("gmt", "grdfft", "in.nc", "-F-/-/20/10", shape, "-Gout.nc")
        grid = s.tool("gmt", "grd2xyz", "out.nc", "-bo3d")
        s.array(name, np.frombuffer(grid).reshape(-1, 3)[:, 2],
                bar(67 * 53, "f32", 2))
    s.run("gmt", "grdfft", "in.nc", "-Er", "-Gpower.txt")
    s.array("power", np.loadtxt(s.path("power.txt")), 2 * bar(64 * 48, "f32"))


@client("cdo", "low-pass filter of time series")
def cdo(s):
    steps, cells = 400, 12
    s.once("in.nc", lambda: s.tool(
        "cdo", "-s", "-b", "F64", "-f", "nc", "settaxis,2001-01-01,12:00,1day",
        "-setgrid,r4x3", "-input,r4x3", "in.nc",
        stdin="\n".join(map(str, noise(steps * cells))).encode()))
    s.run("cdo", "-s", "-b", "F64", "lowpass,12", "in.nc", "out.nc")
    s.array("filtered", numbers(s.tool("cdo", "-s", "outputf,%.17g,1",
                                       "out.nc")), bar(400, "f64", 2))


# Not its phasecor, whose results differ by 0.0039 at two sizes: probably it
# divides by the spectrum's imaginary part at frequency 0, which is rounding
# noise with FFTW and exactly 0 with weft.
@client("libvips-tools", "fwfft and invfft of images")
def vips(s):
    for height, width in ((97, 120), (256, 256), (211, 30)):
        id_ = f" {height}x{width}"
        image = pgm(s, "in.pgm", height, width)

        def pixels(name, dtype):
            data = s.read(name)[64:]  # vips's header
            return np.frombuffer(data, dtype, height * width).view(float)

        tolerance = bar(height * width, "f64")
        s.run("vips", "fwfft", image, "f.v")
        s.array("fwfft" + id_, pixels("f.v", np.complex128), tolerance)
        s.run("vips", "invfft", "f.v", "i.v")
        s.array("invfft" + id_, pixels("i.v", np.complex128), 2 * tolerance)
        s.run("vips", "invfft", "f.v", "r.v", "--real")
        s.array("invfft --real" + id_, pixels("r.v", float), 2 * tolerance)


@client("imagemagick", "-fft and -ift of a picture")
def imagemagick(s):
    image = pgm(s, "in.pgm", 128, 120)
    s.run("convert", image, "-fft", "-depth", "16", "parts.miff")
    s.array("magnitude and phase", np.frombuffer(
        s.tool("convert", "parts.miff", "-depth", "16", "gray:-"), "<u2"),
        1e-4)  # in steps of 1/65535; -pi is pi
    s.run("convert", image, "-fft", "-ift", "-depth", "16", "back.miff")
    s.array("back again", np.frombuffer(
        s.tool("convert", "back.miff", "-depth", "16", "gray:-"), "<u2"), 1e-4)


@client("pfstmo", "fattal02: a Poisson equation by two-dimensional DCT")
def pfstmo(s):
    picture = (10 ** noise((3, 96, 128), -2, 3)).astype("<f4")
    head = b"PFS1\n128 96\n3\n0\n" + b"".join(
        c + b"\n0\n" for c in (b"X", b"Y", b"Z")) + b"ENDH"
    out = s.run("pfstmo_fattal02", "-s", "1", stdin=head + picture.tobytes())
    s.array("picture", np.frombuffer(out[-picture.nbytes:], "<f4"),
            bar(96 * 128, "f32"))  # double inside, float in the file


@client("sndfile-tools", "a spectrogram of speech: r2r halfcomplex")
def sndfile(s):
    s.run("sndfile-spectrogram", "--no-border", SPEECH, "320", "240", "s.png")
    # 8 bits of logarithms: a step of one in a few pixels at most.
    s.array("picture", np.frombuffer(
        s.tool("convert", "s.png", "-depth", "8", "rgb:-"), np.uint8), 1e-3)


@client("minimodem", "text through a 300-baud modem: r2c, single")
def minimodem(s):
    text = b"the quick brown fox jumps over the lazy dog 0123456789\n"
    s.once("in.wav", lambda: s.tool("minimodem", "--tx", "300", "-f", "in.wav",
                                    stdin=text))
    heard = s.run("minimodem", "--rx", "300", "-f", "in.wav")
    s.text("heard", heard)
    s.array("confidence", numbers(s.read("stderr").splitlines()[-1]), 1e-3)


@client("mrtrix3", "mrdegibbs: shifted lines by execute_dft")
def mrtrix(s):
    ramp = np.add.outer(np.arange(5.0), np.add.outer(
        np.arange(18) > 8, np.arange(20) > 10))  # edges that ring
    volume = (ramp + noise(ramp.shape, 0, 0.01)).astype("<f4")
    s.file("in.dat", volume.tobytes())
    s.file("in.mih", "mrtrix image\ndim: 20,18,5\nvox: 1,1,1\n"
           "layout: +0,+1,+2\ndatatype: Float32LE\nfile: in.dat\nEND\n")
    s.run("mrdegibbs", "-quiet", "-nthreads", "0", "in.mih", "out.mih")
    s.array("volume", np.frombuffer(s.read("out.dat"), "<f4"),
            bar(20 * 18, "f32"))


# ---- Running them ----------------------------------------------------------
def build_tally(drop_in, folder):
    """tally.so for the functions that the drop-in exports."""
    names = set()
    for library in sorted(os.listdir(drop_in)):
        if re.fullmatch(r"libfftw3\w*\.so\.3", library):
            out = subprocess.run(
                ["nm", "-D", "--defined-only", os.path.join(drop_in, library)],
                check=True, capture_output=True, text=True).stdout
            names |= set(re.findall(r" [TW] (\w+)", out))
    if not names:
        sys.exit(f"clients.py: no libfftw3*.so.3 exporting anything in "
                 f"{drop_in}: build weft first")
    with open(os.path.join(folder, "tally_names.h"), "w",
              encoding="ascii") as out:
        out.writelines(f"NAME({name})\n" for name in sorted(names))
    library = os.path.join(folder, "tally.so")
    subprocess.run(["cc", "-std=gnu11", "-O2", "-fPIC", "-shared",
                    "-I" + folder, os.path.join(HERE, "tally.c"), "-o",
                    library], check=True)
    return library


def read_tally(path):
    """{function: calls}, {libraries}"""
    calls, libraries = {}, set()
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                name, count, library = line.rsplit(" ", 3)[-3:]
                calls[name] = calls.get(name, 0) + int(count)
                libraries.add(os.path.realpath(library.strip()))
    return calls, libraries


class Runner:
    def __init__(self, build, keep):
        self.drop_in = os.path.realpath(os.path.join(build, "compat/fftw3"))
        self.keep = keep
        self.folder = tempfile.mkdtemp(prefix="weft-clients-")
        tool = os.path.join(os.path.realpath(build), "clients")
        os.makedirs(tool, exist_ok=True)
        self.tally = build_tally(self.drop_in, tool)

    def close(self):
        if self.keep:
            print(f"kept: {self.folder}")
        else:
            shutil.rmtree(self.folder)

    def common(self, function):
        folder = os.path.join(self.folder, function.__name__ + ".common")
        os.makedirs(folder, exist_ok=True)
        return folder

    def session(self, function, mode, turn):
        """Runs `function`; a Session, with calls and libraries."""
        folder = os.path.join(self.folder, f"{function.__name__}.{mode}{turn}")
        os.makedirs(folder)
        report = folder + ".tally"
        environment = {k: v for k, v in os.environ.items()
                       if not k.startswith(("LD_", "FFTW_", "WEFT_FFTW"))}
        environment.update(
            LC_ALL="C", OMP_NUM_THREADS="1", GMX_MAXBACKUP="-1", HOME=folder,
            LD_PRELOAD=self.tally, FFTW_TALLY=report)
        if mode != "stock":
            environment["LD_LIBRARY_PATH"] = self.drop_in
        if mode == "idle":
            environment["FFTW_TALLY_IDLE"] = "1"
        session = Session(folder, self.common(function), environment)
        session.error = None
        try:
            function(session)
        except Failure as failure:
            session.error = str(failure)
        except (OSError, ValueError, IndexError, KeyError,
                struct.error) as error:
            session.error = f"no usable result: {error}"
        session.calls, session.libraries = read_tally(report)
        ours = {os.path.dirname(library) == self.drop_in
                for library in session.libraries}
        if not session.error and not any("execute" in c
                                         for c in session.calls):
            session.error = "executed no transform"
        if not session.error and ours != {mode != "stock"}:
            session.error = ("ran on the wrong library: " +
                             ", ".join(sorted(session.libraries)))
        if not self.keep:
            shutil.rmtree(folder)
        return session


def compare(stock, other):
    """(the worst error in units of its tolerance, what differs)"""
    worst, differences = 0.0, []
    for name, value in stock.texts.items():
        if other.texts.get(name) != value:
            lines = list(zip(value.splitlines(),
                             other.texts.get(name, "").splitlines()))
            first = next(((a, b) for a, b in lines if a != b),
                         (f"{len(value)} characters",
                          f"{len(other.texts.get(name, ''))}"))
            differences.append(f"{name}: '{first[0]}' became '{first[1]}'")
    for name, (want, tolerance) in stock.arrays.items():
        got = other.arrays.get(name, (np.zeros(0),))[0]
        if got.shape != want.shape:
            differences.append(
                f"{name}: {want.size} numbers became {got.size}")
            continue
        with np.errstate(invalid="ignore", over="ignore"):
            scale = np.linalg.norm(want)
            error = np.linalg.norm(got - want) / (scale if scale > 0 else 1)
        if not error <= tolerance:  # and NaN
            differences.append(f"{name}: relative error {error:.2g}, "
                               f"allowed {tolerance:.2g}")
        worst = max(worst, error / tolerance)
    for name in other.arrays.keys() | other.texts.keys():
        if name not in stock.arrays and name not in stock.texts:
            differences.append(f"{name}: not there on the stock library")
    return worst, differences


def version_of(package):
    done = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package],
                          check=False, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else "?"


def examine(runner, function, repeat):
    """One client's row."""
    row = {"name": function.__name__, "package": function.package,
           "version": version_of(function.package),
           "purpose": function.purpose, "failures": []}
    failures = row["failures"]
    seconds = {"stock": [], "weft": []}
    first = {}
    for turn in range(repeat):
        for mode in ("stock", "weft"):
            session = runner.session(function, mode, turn)
            if session.error:
                failures.append(f"{mode}: {session.error}")
                break
            seconds[mode].append((session.cpu, session.wall))
            first.setdefault(mode, session)
        if failures:
            break
        worst, differences = compare(first["stock"], session)
        row["worst"] = max(worst, row.get("worst", 0.0))
        if differences:
            failures += differences
            break
    if "stock" in first:
        row["results"] = len(first["stock"].arrays) + len(first["stock"].texts)
    if "weft" in first:
        row["calls"] = dict(sorted(first["weft"].calls.items()))
        row["libraries"] = sorted(os.path.basename(library) for library
                                  in first["weft"].libraries)
        for i, what in enumerate(("cpu", "wall")):
            stock, weft = (min(t[i] for t in seconds[m])
                           for m in ("stock", "weft"))
            row[what] = {"stock": round(stock, 4), "weft": round(weft, 4)}
        idle = runner.session(function, "idle", 0)
        row["idle"] = idle.error or "; ".join(
            compare(first["stock"], idle)[1][:1])
        if not any("execute" in name for name in idle.calls):
            failures.append("idle: nothing was executed, nothing proved")
        elif not row["idle"]:
            failures.append("idle: no transform was made and all is well: "
                            "the check looks at nothing")
    row["passed"] = not failures
    return row


def table(rows):
    lines = [f"{'program':<12} {'version':<20} {'results':>7} {'worst':>6} "
             f"{'stock s':>8} {'weft s':>8} {'ratio':>6}  verdict"]
    for row in rows:
        cells = f"{row['name']:<12} {row['version'][:20]:<20} "
        if "cpu" in row:
            stock, weft = row["cpu"]["stock"], row["cpu"]["weft"]
            cells += (f"{row['results']:>7} {row.get('worst', 0):>6.2f} "
                      f"{stock:>8.3f} {weft:>8.3f} "
                      f"{stock / max(weft, 1e-9):>6.2f}  ")
        else:
            cells += " " * 41
        lines.append(cells + ("ok" if row["passed"] else
                              "absent, as declared" if row.get("declared")
                              else "FAILED"))
        if not row.get("declared"):
            lines += [f"    {text}" for text in row["failures"][:8]]
            if len(row["failures"]) > 8:
                lines.append(f"    and {len(row['failures']) - 8} more")
    return lines + [
        "",
        "worst: the largest error in units of what is allowed.  Seconds of "
        "processor",
        "time of the whole program, and the quotient stock / weft."]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("build", help="weft's build folder")
    parser.add_argument("--only", help="names of clients, with commas")
    parser.add_argument("--without", default="",
                        help="clients that cannot run here, with commas")
    parser.add_argument("--repeat", type=int, default=3,
                        help="runs on each library (default 3)")
    parser.add_argument("--calls", action="store_true",
                        help="also print which functions each client called")
    parser.add_argument("--keep", action="store_true",
                        help="keep the folders of all runs")
    arguments = parser.parse_args()
    known = [function.__name__ for function in CLIENTS]
    without = set(filter(None, arguments.without.split(",")))
    only = set(arguments.only.split(",")) if arguments.only else set(known)
    for name in (without | only) - set(known):
        parser.error(f"no client '{name}'; there are {', '.join(known)}")
    runner = Runner(arguments.build, arguments.keep)
    rows = []
    try:
        for function in CLIENTS:
            name = function.__name__
            if name not in only:
                continue
            if name in without:
                row = {"name": name, "package": function.package,
                       "version": "-", "failures": [], "passed": False,
                       "declared": True}
            else:
                row = examine(runner, function, max(1, arguments.repeat))
            rows.append(row)
            state = ("ok" if row["passed"] else "absent, as declared"
                     if row.get("declared") else "FAILED")
            print(f"{name}: {function.purpose}: {state}", flush=True)
            if arguments.calls:
                for call, count in row.get("calls", {}).items():
                    print(f"    {count:>8} {call}")
    finally:
        runner.close()
    text = table(rows)
    print("\n" + "\n".join(text))
    for suffix, content in (("txt", "\n".join(text) + "\n"),
                            ("json", json.dumps(rows, indent=1) + "\n")):
        with open(os.path.join(arguments.build, "clients." + suffix), "w",
                  encoding="utf-8") as out:
            out.write(content)
    failed = sum(not r["passed"] and not r.get("declared") for r in rows)
    print(f"\nclients: {len(rows)} programs, {failed} failed")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
