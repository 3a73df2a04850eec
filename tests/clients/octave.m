% SPDX-License-Identifier: BSD-3-Clause
% Octave's transforms: every short length, primes, powers of two and what lies
% between; double and single, real and complex; the planner, wisdom, threads.
% Each result goes to NAME.f64 and gets a line in results.txt (clients.py).
1;

function save_result(name, x, n, times)
    kind = "f64";
    if isa(x, "single")
        kind = "f32";
    end
    file = fopen([name ".f64"], "wb");
    fwrite(file, [real(x(:)).'; imag(x(:)).'], "double");
    fclose(file);
    list = fopen("results.txt", "a");
    fprintf(list, "%s %d %s %d\n", name, n, kind, times);
    fclose(list);
end

function x = noise(type, varargin)
    x = cast(randn(varargin{:}), type);
end

function fact(varargin)
    file = fopen("facts.txt", "a");
    fprintf(file, varargin{:});
    fprintf(file, "\n");
    fclose(file);
end

randn("twister", 4);
types = {"double", "single"};
short = [1:64, 97, 101, 120, 127, 128, 243, 251, 256, 360, 509, 512];
long = [1000, 1001, 1009, 1024, 4096, 4099, 6144, 10007, 16384, 30030, 32768, ...
        44100, 65536, 65537, 131072];
for t = 1:2
    type = types{t};
    for n = [short, long]
        columns = 1 + 2 * (n <= 512);
        x = noise(type, n, columns) + 1i * noise(type, n, columns);
        r = noise(type, n, columns);
        id = sprintf("%s-%d", type, n);
        save_result(["fft-" id], fft(x), n, 1);
        save_result(["fft-real-" id], fft(r), n, 1);
        save_result(["ifft-" id], ifft(x), n, 1);
        save_result(["back-" id], ifft(fft(r)), n, 2);
    end
    % Along each dimension, padded and cut.
    x = noise(type, 12, 35, 9) + 1i * noise(type, 12, 35, 9);
    for d = 1:3
        n = size(x, d);
        save_result(sprintf("fft-%s-dim%d", type, d), fft(x, [], d), n, 1);
        save_result(sprintf("fft-%s-pad%d", type, d), fft(x, 49, d), 49, 1);
        save_result(sprintf("ifft-%s-cut%d", type, d), ifft(real(x), 7, d), 7, 1);
    end
    % Two dimensions and more.
    shapes = {[1 1], [1 9], [9 1], [2 3], [16 16], [31 17], [64 45], ...
              [101 103], [256 128], [3 4 5], [16 8 4 2], [7 11 13], [32 32 32]};
    for s = 1:numel(shapes)
        shape = shapes{s};
        n = prod(shape);
        x = noise(type, shape) + 1i * noise(type, shape);
        id = [type sprintf("-%d", shape)];
        save_result(["fftn-" id], fftn(x), n, 1);
        save_result(["fftn-real-" id], fftn(real(x)), n, 1);
        save_result(["ifftn-" id], ifftn(x), n, 1);
        if numel(shape) == 2
            save_result(["fft2-" id], fft2(x), n, 1);
            save_result(["ifft2-" id], ifft2(fft2(real(x))), n, 2);
        end
    end
    % What is built on them: three transforms each.
    a = noise(type, 1000, 1);
    b = noise(type, 77, 1);
    save_result(["fftconv-" type], fftconv(a, b), 1076, 3);
    save_result(["fftfilt-" type], fftfilt(b, a), 512, 3);
    % The planner's ways give the same transform. (Of real matrices Octave
    % 7.3 overruns its memory when FFTW measures: vectors only.)
    x = noise(type, 20, 2) + 1i * noise(type, 20, 2);
    r = noise(type, 15, 1);
    for way = {"estimate", "measure", "patient", "exhaustive", "hybrid"}
        fact("planner was %s", fftw("planner", way{1}));
        save_result(["planner-" type "-" way{1}], fft(x), 20, 1);
        save_result(["planner-real-" type "-" way{1}], fft(r), 15, 1);
    end
    fftw("planner", "estimate");
end

% Wisdom goes out and comes in again; what is none is refused.
names = {"dwisdom", "swisdom"};
for t = 1:2
    wisdom = fftw(names{t});
    fact("%s is text: %d", names{t}, ischar(wisdom) && numel(wisdom) > 10);
    fftw(names{t}, "");
    fftw(names{t}, wisdom);
    x = noise(types{t}, 20, 1);
    save_result(["wise-" types{t}], fft(x), 20, 1);
    try
        fftw(names{t}, "no wisdom at all");
        fact("%s: nonsense was taken", names{t});
    catch e
        fact("%s: %s", names{t}, e.message);
    end
end

fftw("threads", 2);
fact("threads %d", fftw("threads"));
x = randn(256, 128);
save_result("threads", fft2(x), 256 * 128, 1);
