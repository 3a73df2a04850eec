/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The schedule of a plan as an SVG picture: a lane for each engine of the
 * NeuronCore, loads and stores apart, time to the right.
 */
#ifndef WEFT_CLI_SCHEDULE_PICTURE_H
#define WEFT_CLI_SCHEDULE_PICTURE_H

#include "cli.h"

/* `timetable`: weft_plan_timetable's text.  0 or a told exit code. */
int schedule_picture(const char *path, const char *title,
                     const char *timetable);

#endif
