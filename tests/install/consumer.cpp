// SPDX-License-Identifier: BSD-3-Clause
// Uses an installed weft from C++: std::complex has weft's layout.
#include <weft/weft.h>

#include <complex>
#include <cstdio>
#include <memory>
#include <vector>

int main()
{
    std::vector<std::complex<float>> x(360, 1.0f), y(x.size());
    weft_problem problem = weft_problem_1d(
        WEFT_F32, static_cast<std::int64_t>(x.size()), WEFT_FORWARD);
    weft_plan *raw = nullptr;
    weft_status status = weft_plan_create(&problem, nullptr, &raw);
    std::unique_ptr<weft_plan, void (*)(weft_plan *)> plan(
        raw, weft_plan_release);
    if (status == WEFT_OK)
        status = weft_execute(plan.get(), x.data(), y.data());
    if (status != WEFT_OK) {
        std::fprintf(stderr, "weft: %s\n", weft_error_text());
        return 1;
    }
    bool good = std::abs(y[0] - std::complex<float>(360)) < 1e-3f;
    for (std::size_t k = 1; k < y.size(); k++)
        good = good && std::abs(y[k]) < 1e-3f;
    return good ? 0 : 1;
}
