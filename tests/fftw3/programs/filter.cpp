// SPDX-License-Identifier: BSD-3-Clause
// As a C++ program uses FFTW: std::complex cast to fftw_complex, plans in
// objects, new arrays, guru dimensions; the header is included twice.
#include <cmath>
#include <complex>
#include <cstdio>
#include <fftw3.h>
#include <vector>
#include <fftw3.h>

namespace
{
class Transform
{
public:
    Transform(int n, int sign)
        : plan(fftw_plan_dft_1d(n, nullptr, nullptr, sign,
                                FFTW_ESTIMATE | FFTW_UNALIGNED))
    {
    }
    ~Transform()
    {
        fftw_destroy_plan(plan);
    }
    Transform(const Transform &) = delete;
    Transform &operator=(const Transform &) = delete;
    void operator()(std::vector<std::complex<double>> &x) const
    {
        auto *data = reinterpret_cast<fftw_complex *>(x.data());
        fftw_execute_dft(plan, data, data);
    }

private:
    fftw_plan plan;
};

// A cyclic shift by convolution.
bool shifts()
{
    const int n = 90;
    std::vector<std::complex<double>> x(n), delay(n);
    for (int i = 0; i < n; i++)
        x[i] = {std::sin(i + 1.0), std::cos(3.0 * i)};
    delay[7] = 1;
    const std::vector<std::complex<double>> before = x;
    const Transform forward(n, FFTW_FORWARD), back(n, FFTW_BACKWARD);
    forward(x);
    forward(delay);
    for (int i = 0; i < n; i++)
        x[i] *= delay[i] / static_cast<double>(n);
    back(x);
    double error = 0;
    for (int i = 0; i < n; i++)
        error += std::abs(x[(i + 7) % n] - before[i]);
    return error < 1e-11;
}

// The transform of columns, written as rows.
bool transposes()
{
    const int rows = 6, columns = 10;
    std::vector<std::complex<float>> x(rows * columns), y(rows * columns);
    for (int i = 0; i < rows * columns; i++)
        x[i] = static_cast<float>(i % columns);
    const fftwf_iodim transform = {rows, columns, 1};
    const fftwf_iodim loop = {columns, 1, rows};
    fftwf_plan plan = fftwf_plan_guru_dft(
        1, &transform, 1, &loop, reinterpret_cast<fftwf_complex *>(x.data()),
        reinterpret_cast<fftwf_complex *>(y.data()), FFTW_FORWARD,
        FFTW_ESTIMATE);
    if (plan == nullptr)
        return false;
    fftwf_execute(plan);
    fftwf_destroy_plan(plan);
    double error = 0;
    for (int c = 0; c < columns; c++)
        for (int k = 0; k < rows; k++)
            error += std::abs(y[c * rows + k] -
                              (k ? 0.0f : static_cast<float>(rows * c)));
    return error < 1e-3;
}
} // namespace

int main()
{
    const bool right = shifts() && transposes();
    std::printf("C++: %s\n", right ? "right" : "wrong");
    return right ? 0 : 1;
}
