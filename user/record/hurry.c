// SPDX-License-Identifier: GPL-2.0
#include "record/hurry.h"

#include <errno.h>
#include <sys/resource.h>

enum { RAISED = -10 };

#define CALM 1000000000ULL /* ns after the last urgent moment */

bool rt_hurry_update(struct rt_hurry *h, bool urgent, uint64_t now)
{
	int want = h->priority;

	if (!h->looked) {
		errno = 0;
		h->leave = getpriority(PRIO_PROCESS, 0) != 0 || errno;
		h->looked = true;
	}
	if (urgent) {
		h->since = now;
		want = RAISED;
	} else if (now - h->since >= CALM) {
		want = 0;
	}
	if (h->leave || want == h->priority)
		return false;
	h->leave = setpriority(PRIO_PROCESS, 0, want) != 0;
	if (!h->leave)
		h->priority = want;
	return !h->leave;
}
