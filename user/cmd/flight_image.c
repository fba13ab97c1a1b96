// SPDX-License-Identifier: GPL-2.0
/* flight_image.c - sessions in a memory image: say what was found, write a file for each. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "cmd/flight_image.h"
#include "flight/extract.h"

/* --- what the dump holds ----------------------------------------------------------- */

static void tell_image(const struct rt_image *image)
{
	const struct rt_memory *m = image->memory;

	printf("%s: %" PRIu64 " pages", m->format, m->pages);
	if (m->missing)
		printf(", %" PRIu64 " missing", m->missing);
	printf("; %zu session%s\n", image->sessions, image->sessions == 1 ? "" : "s");
	if (image->damaged)
		printf("  %zu damaged or foreign structures passed over\n", image->damaged);
	if (image->left_out)
		printf("  %zu sub-buffers beyond the first %u left out\n", image->left_out,
		       RT_IMAGE_SUBBUFS_MAX);
}

static int refuse(const struct rt_image *image, const struct rt_flight_asked *a, struct rt_err *err)
{
	if (!image->sessions && image->other_major)
		return rt_err_set(
			err, EPROTONOSUPPORT,
			"the dump has rings of format %u.%u; this ringtail reads %u: use the ringtail of "
			"the machine that crashed",
			image->other_major, image->other_minor, RT_ABI_MAJOR);
	if (!image->sessions && image->memory->missing)
		return rt_err_set(err, ENODATA,
				  "no rings of ringtail in this dump, of which %" PRIu64
				  " pages are missing",
				  image->memory->missing);
	if (!image->sessions)
		return rt_err_set(
			err, ENODATA,
			"no rings of ringtail in this dump: nothing was being recorded, or the "
			"file is no dump of a machine's memory");
	if (a->session > image->sessions)
		return rt_err_set(err, EINVAL, "--session %u: the dump has %zu", a->session,
				  image->sessions);
	return 0;
}

/* --- extracting -------------------------------------------------------------------- */

static int extract_session(const struct rt_image *image, size_t number, const char *path,
			   const struct rt_flight_asked *a, struct rt_err *err)
{
	struct rt_flight_options opt = {
		.path = path,
		.kallsyms = a->kallsyms,
		.recovered = a->recovered,
		.argc = a->argc,
		.argv = a->argv,
	};
	struct rt_flight_found found;
	int ret;

	ret = rt_flight_extract(image, &image->session[number], &opt, &found, err);
	if (!ret && !a->quiet) {
		printf("%zu: ", number + 1);
		rt_flight_print(image, &image->session[number], &found, stdout);
		if (path)
			printf("  written to %s: %" PRIu64 " samples\n", path, found.samples);
	}
	rt_flight_found_free(&found);
	return ret;
}

static int extract_all(const struct rt_image *image, const struct rt_flight_asked *a,
		       struct rt_err *err)
{
	const char *output = a->output ? a->output : "perf.data";
	unsigned int written = 0;
	char path[4096];
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < image->sessions; i++) {
		if (a->session && a->session != i + 1)
			continue;
		if (!written++)
			snprintf(path, sizeof(path), "%s", output);
		else
			snprintf(path, sizeof(path), "%s.%u", output, written);
		ret = extract_session(image, i, a->dry_run ? NULL : path, a, err);
	}
	return ret;
}

int rt_flight_image_write(const struct rt_image *image, const struct rt_flight_asked *a,
			  struct rt_err *err)
{
	int ret;

	if (!a->quiet)
		tell_image(image);
	ret = refuse(image, a, err);
	return ret ? ret : extract_all(image, a, err);
}
