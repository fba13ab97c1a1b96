/* SPDX-License-Identifier: GPL-2.0 */
/*
 * symbols_build.h - a scratch directory and programs compiled into it.
 */
#ifndef SYMBOLS_BUILD_H
#define SYMBOLS_BUILD_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch[] = "/tmp/rt-symbols-XXXXXX";

static inline void scratch_remove(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", scratch);
	if (system(command))
		perror(scratch);
}

/* Tell toolchains in the real home directory where they are. */
static inline void keep_toolchain(const char *variable, const char *directory)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", getenv("HOME") ? getenv("HOME") : "", directory);
	if (!access(path, F_OK))
		setenv(variable, path, 0);
}

/* Make the directory, change to it, and set HOME to it, so that no cache interferes. */
static inline void scratch_make(void)
{
	keep_toolchain("RUSTUP_HOME", ".rustup");
	keep_toolchain("CARGO_HOME", ".cargo");
	if (!mkdtemp(scratch) || chdir(scratch) || setenv("HOME", scratch, 1)) {
		perror(scratch);
		exit(1);
	}
	atexit(scratch_remove);
}

/* Run a shell command; true if it succeeds.  Shows its stderr. */
static inline int __attribute__((format(printf, 1, 2))) shell(const char *fmt, ...)
{
	char command[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	/* The sanitizer's options are for this test, not for the tools. */
	unsetenv("ASAN_OPTIONS");
	return system(command) == 0;
}

static inline int write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	return f && fputs(text, f) >= 0 && fclose(f) == 0;
}

#endif
