// SPDX-License-Identifier: GPL-2.0
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int rt_err_set(struct rt_err *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (err) {
		va_start(ap, fmt);
		vsnprintf(err->text, sizeof(err->text), fmt, ap);
		va_end(ap);
		err->where[0] = 0;
	}
	return code > 0 ? -code : code;
}

int rt_err_prefix(struct rt_err *err, int code, const char *fmt, ...)
{
	char old[RT_ERR_LEN];
	va_list ap;
	size_t len;

	if (err) {
		memcpy(old, err->text, sizeof(old));
		va_start(ap, fmt);
		vsnprintf(err->text, sizeof(err->text), fmt, ap);
		va_end(ap);
		len = strlen(err->text);
		snprintf(err->text + len, sizeof(err->text) - len, ": %s", old);
	}
	return code > 0 ? -code : code;
}
