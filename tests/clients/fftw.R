# SPDX-License-Identifier: BSD-3-Clause
# R's package fftw: FFT and the four types of DCT, each planning effort.
# Results go to NAME.f64, a line each to results.txt (clients.py).
library(fftw)

save <- function(name, x, n, times = 1) {
    if (is.complex(x)) x <- rbind(Re(x), Im(x))
    file <- file(paste0(name, ".f64"), "wb")
    writeBin(as.double(x), file)
    close(file)
    cat(name, n, "f64", times, "\n", file = "results.txt", append = TRUE)
}

set.seed(11)
for (n in c(2, 3, 5, 8, 12, 31, 64, 97, 100, 1009, 1024, 4096, 10007, 44100)) {
    x <- complex(real = rnorm(n), imaginary = rnorm(n))
    save(paste0("fft-", n), FFT(x), n)
    save(paste0("ifft-", n), IFFT(x, scale = FALSE), n)
    save(paste0("back-", n), IFFT(FFT(x)), n, 2)
    save(paste0("fft-of-real-", n), FFT(Re(x)), n)
    for (type in 1:4) {
        y <- rnorm(n)
        save(paste0("dct", type, "-", n), DCT(y, type = type), 2 * n)
        save(paste0("idct", type, "-", n), IDCT(y, type = type), 2 * n)
    }
}
for (effort in 0:3) {
    plan <- planFFT(24, effort = effort)
    x <- complex(real = rnorm(24), imaginary = rnorm(24))
    save(paste0("effort", effort), FFT(x, plan = plan), 24)
    save(paste0("effort", effort, "-inverse"), IFFT(x, plan = plan), 24)
    plan <- planDCT(24, type = 2, effort = effort)
    save(paste0("effort", effort, "-dct"), DCT(Re(x), plan = plan), 48)
}
