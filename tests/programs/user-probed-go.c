// SPDX-License-Identifier: GPL-2.0
/* user-probed-go - looks like a program of the Go linker. */
#include "user-probed.c"

__attribute__((used, section(".go.buildinfo"))) static const char buildinfo[32] =
	"\xff Go buildinf:";
