/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A demonstration: what tables of roots of unity from unreduced FP32 angles,
 * exp(-i (float)(2 pi j k / n)), do to transforms in single precision.  Five
 * algorithms run twice, with such tables and with rounded ones; the
 * library has no part in it (its own tables are exact, docs/math.md).
 */
#ifndef WEFT_CLI_ANGLES_H
#define WEFT_CLI_ANGLES_H

#include "report.h"

/* An exit code. */
int angles_run(int64_t seed, report *root);

#endif
