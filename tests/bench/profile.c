// SPDX-License-Identifier: GPL-2.0
/* profile FILE - read a recording with all its stacks and do nothing with them. */
#include <stdio.h>

#include "profile/profile.h"

static int count(void *arg, const struct rt_profile_sample *s, struct rt_err *err)
{
	++*(unsigned long *)arg;
	return 0;
}

int main(int argc, char **argv)
{
	static struct rt_profile_options opt = { .stack.max = RT_FRAMES_DEFAULT };
	struct rt_profile *profile;
	unsigned long samples = 0;
	struct rt_err err;
	int ret;

	ret = rt_profile_open(&opt, argc > 1 ? argv[1] : NULL, &profile, &err);
	if (!ret) {
		ret = rt_profile_read(profile, count, &samples, &err);
		rt_profile_close(profile);
	}
	if (ret)
		fprintf(stderr, "%s\n", err.text);
	printf("%lu samples\n", samples);
	return ret != 0;
}
