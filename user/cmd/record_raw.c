// SPDX-License-Identifier: GPL-2.0
#include "cmd/record_raw.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

int rt_record_raw_check(const struct rt_recording_options *opt, const struct rt_event_list *list,
			struct rt_err *err)
{
	struct stat st;
	size_t i;

	if (!opt->raw)
		return 0;
	if (!strcmp(opt->path, "-") || (!stat(opt->path, &st) && !S_ISREG(st.st_mode)))
		return rt_err_set(
			err, EINVAL,
			"--raw writes a regular file, which 'ringtail data FILE -o -' can "
			"turn into a stream: give -o a file, or leave out --raw");
	if (opt->level)
		return rt_err_set(err, EINVAL,
				  "--raw writes the rings as they are, -z compresses them: use one "
				  "of them, or compress the file afterwards");
	if (opt->threads)
		return rt_err_set(err, EINVAL,
				  "--raw needs only one thread: leave out --threads or --raw");
	if (opt->count_threads)
		return rt_err_set(err, EINVAL,
				  "--raw writes events without counting those of threads: leave "
				  "out -s or --raw");
	for (i = 0; i < list->count; i++)
		if (list->specs[i].later)
			return rt_err_set(err, EINVAL,
					  "--raw does not record tracepoints of modules that are "
					  "loaded later: leave out '%s' or --raw",
					  list->specs[i].text);
	return 0;
}
