// SPDX-License-Identifier: GPL-2.0
#include "record/user_markers.h"

#include <errno.h>

#include "record/user_code.h"
#include "symbols/sdt.h"

static int walk(const struct rt_sdt_list *list,
		int (*each)(void *arg, const struct rt_user_marker *marker), void *arg)
{
	struct rt_user_marker marker;
	size_t i;
	int ret = 0;

	for (i = 0; i < list->count && !ret; i++) {
		marker.provider = list->markers[i].provider;
		marker.name = list->markers[i].name;
		marker.args = list->markers[i].args;
		marker.offset = list->markers[i].offset;
		marker.semaphore = list->markers[i].semaphore;
		ret = each(arg, &marker);
	}
	return ret;
}

int rt_user_markers(const char *path, int (*each)(void *arg, const struct rt_user_marker *marker),
		    void *arg, struct rt_err *err)
{
	struct rt_user_code code;
	struct rt_sdt_list list;
	struct rt_elf e;
	int ret;

	/* This has the sentences for what is not a program. */
	ret = rt_user_code_open(&code, path, err);
	if (ret)
		return ret;
	ret = rt_elf_open(&e, path);
	if (!ret) {
		ret = rt_sdt_read(&e, &list);
		rt_elf_close(&e);
	}
	rt_user_code_close(&code);
	if (ret)
		return rt_err_set(err, -ret, ret == -ENOMEM ? "out of memory" : "cannot read %s",
				  path);
	ret = walk(&list, each, arg);
	rt_sdt_list_free(&list);
	return ret;
}
