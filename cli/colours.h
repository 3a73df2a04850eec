/* SPDX-License-Identifier: BSD-3-Clause */
/* Perceptual colour maps: level 0..1 to red, green, blue 0..1. */
#ifndef WEFT_CLI_COLOURS_H
#define WEFT_CLI_COLOURS_H

/* For args_choice: "magma", "inferno", "viridis", "grey". */
extern const char *const colour_names[];

void colour_at(int map, double level, double rgb[3]);

#endif
