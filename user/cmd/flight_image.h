/* SPDX-License-Identifier: GPL-2.0 */
/* flight_image.h - what "flight extract" and "flight recover" do with a memory image. */
#ifndef RT_CMD_FLIGHT_IMAGE_H
#define RT_CMD_FLIGHT_IMAGE_H

#include <stdbool.h>

#include "image/find.h"

struct rt_flight_asked {
	const char *output, *kallsyms;
	unsigned int session;
	bool dry_run, quiet;
	bool recovered; /* the image has the rings, not the machine's other memory */
	int argc;
	const char *const *argv;
};

/* Write a file for each session, and say what was found. */
int rt_flight_image_write(const struct rt_image *image, const struct rt_flight_asked *a,
			  struct rt_err *err);

#endif
