// SPDX-License-Identifier: GPL-2.0
#include "base/size.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int rt_size_parse(struct rt_size *size, const char *text)
{
	static const char units[] = "BKMG";
	const char *unit;
	char *end;

	errno = 0;
	size->number = strtoull(text, &end, 10);
	unit = *end && !end[1] ? strchr(units, toupper((unsigned char)*end)) : NULL;
	if (errno || !isdigit((unsigned char)*text) || !size->number || (*end && !unit))
		return -EINVAL;
	size->shift = unit ? 10 * (int)(unit - units) : -1;
	return 0;
}
