/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tap.h - the few functions that a C test needs to print TAP.
 *
 * A test calls ok() for each thing it checks and ends with `return tap_done();`.
 * The plan is printed last, so that a test that dies early has none and fails.
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed;

static inline int __attribute__((format(printf, 4, 5)))
tap_point(int good, const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", good ? "" : "not ", ++tap_count);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	if (!good) {
		tap_failed++;
		printf("# failed at %s:%d\n", file, line);
	}
	fflush(stdout);
	return good;
}

#define ok(cond, ...) tap_point(!!(cond), __FILE__, __LINE__, __VA_ARGS__)

/* Compare two values; show both if they differ. */
#define is_int(got, want, ...)                                                \
	do {                                                                  \
		long long got_ = (long long)(got), want_ = (long long)(want); \
		if (!ok(got_ == want_, __VA_ARGS__))                          \
			printf("# got %lld, want %lld\n", got_, want_);       \
	} while (0)

#define is_str(got, want, ...)                                                               \
	do {                                                                                 \
		const char *got_ = (got), *want_ = (want);                                   \
		if (!ok(got_ && !strcmp(got_, want_), __VA_ARGS__))                          \
			printf("# got  '%s'\n# want '%s'\n", got_ ? got_ : "(null)", want_); \
	} while (0)

static inline int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

#endif
