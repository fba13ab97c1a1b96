/* SPDX-License-Identifier: GPL-2.0 */
/*
 * boot.h - flights that begin at each boot: a file for each, with the words of its "flight start", one on a line; and
 * ringtail.flight= on the kernel's command line.
 */
#ifndef RT_FLIGHT_BOOT_H
#define RT_FLIGHT_BOOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define RT_FLIGHT_BOOT_DIR  "/etc/ringtail/flight.d"
#define RT_FLIGHT_BOOT_NAME "boot" /* of the flight of the command line */

struct rt_flight_boot {
	char *name;
	char **words; /* behind "flight start"; ends in a NULL */
	size_t count;
	char *error; /* why its words are not known, or NULL */
};

struct rt_flight_boots {
	struct rt_flight_boot *boot;
	size_t count;
	bool off; /* ringtail.flight=off: start none */
};

/* Read the files of DIR, by name; it need not exist.  A file that cannot be read is a flight with an error. */
int rt_flight_boot_files(struct rt_flight_boots *boots, const char *dir, struct rt_err *err);
/*
 * Read ringtail.flight= of a kernel's command line: "off", or a preset or events with '+' between them, then options, all
 * separated by commas: "crash,size=64M", "sched:sched_switch+irq:*,recoverable".  A value without events is a flight with an error.
 */
int rt_flight_boot_line(struct rt_flight_boots *boots, const char *line, struct rt_err *err);
void rt_flight_boots_free(struct rt_flight_boots *boots);

/* Write the file of flight NAME, or remove it.  -ENOENT: there is none. */
int rt_flight_boot_keep(const char *dir, const char *name, const char *const *words, size_t count,
			struct rt_err *err);
int rt_flight_boot_forget(const char *dir, const char *name);

#endif
