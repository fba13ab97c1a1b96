// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/memory.h"

/* First bytes of dumps that only libkdumpfile reads, and of files that are no dumps. */
static const struct known {
	const char *bytes;
	size_t count;
	const char *name;
	bool dump;
} known[] = {
	{ "\xed\x23\x8f\x61\x73\x01\x19\xa8", 8, "LKCD", true },
	{ "DISKDUMP", 8, "diskdump", true },
	{ "PERFILE2", 8, "perf.data", false },
	{ "\x1f\x8b", 2, "gzip", false },
	{ "\xfd"
	  "7zXZ",
	  5, "xz", false },
	{ "\x28\xb5\x2f\xfd", 4, "zstd", false },
	{ "QFI\xfb", 4, "qcow2", false },
};

static int refuse_known(struct rt_bytes *b, struct rt_err *err)
{
	char first[16] = "";
	size_t i;

	b->read(b, 0, first, sizeof(first));
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (memcmp(first, known[i].bytes, known[i].count))
			continue;
		if (known[i].dump)
			return rt_err_set(
				err, EOPNOTSUPP,
				"a dump in the %s format, which needs libkdumpfile: build ringtail with it, "
				"or convert the dump with makedumpfile",
				known[i].name);
		return rt_err_set(
			err, EINVAL,
			strncmp(known[i].bytes, "PERFILE2", 8) ?
				"a %s file, not a dump; unpack it, or name the dump itself" :
				"a %s file, not a dump: 'ringtail script -i' and 'report -i' "
				"read it as it is",
			known[i].name);
	}
	return 0;
}

static void close_all(struct rt_bytes **bytes, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (bytes[i])
			bytes[i]->close(bytes[i]);
}

/* Replace flattened files by what they stand for. */
static int unflatten(struct rt_bytes **bytes, size_t count, bool *flat, struct rt_err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < count; i++) {
		if (!rt_bytes_is_flat(bytes[i]))
			continue;
		*flat = true;
		ret = rt_bytes_flat(bytes[i], &bytes[i], err);
	}
	return ret;
}

static int open_format(struct rt_bytes **bytes, size_t count, bool live, struct rt_memory **out,
		       struct rt_err *err)
{
	int ret = rt_memory_kdump(bytes, count, out, err);

	if (ret <= 0)
		return ret;
	if (count > 1)
		return rt_err_set(
			err, EINVAL,
			"several files are one dump only if it is a split kdump; name one");
	ret = rt_memory_elf(bytes[0], live, out, err);
	if (ret <= 0)
		return ret;
	ret = refuse_known(bytes[0], err);
	if (ret)
		return ret;
	if (bytes[0]->size == UINT64_MAX)
		return rt_err_set(err, EINVAL, "not a dump: neither ELF nor kdump, and no file");
	return rt_memory_raw(bytes[0], out, err);
}

int rt_memory_of(struct rt_bytes *const *given, size_t count, bool live, struct rt_memory **out,
		 struct rt_err *err)
{
	struct rt_bytes **bytes = malloc(count * sizeof(*bytes));
	bool flat = false;
	int ret;

	*out = NULL;
	if (!bytes)
		return rt_err_set(err, ENOMEM, "out of memory");
	memcpy(bytes, given, count * sizeof(*bytes));
	ret = unflatten(bytes, count, &flat, err);
	if (!ret)
		ret = open_format(bytes, count, live, out, err);
	if (ret && *out)
		(*out)->ops->close(*out);
	else if (ret)
		close_all(bytes, count);
	else if (flat)
		strncat((*out)->format, ", flattened",
			sizeof((*out)->format) - strlen((*out)->format) - 1);
	free(bytes);
	return ret;
}

static bool ends_in(const char *path, const char *name)
{
	size_t length = strlen(path), end = strlen(name);

	return length >= end && !strcmp(path + length - end, name);
}

/* Whether only libkdumpfile can read the file. */
static bool for_library(struct rt_bytes *b)
{
	char first[16] = "";
	size_t i;

	b->read(b, 0, first, sizeof(first));
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].dump && !memcmp(first, known[i].bytes, known[i].count))
			return true;
	return false;
}

int rt_memory_open(const char *const *path, size_t paths, struct rt_memory **out,
		   struct rt_err *err)
{
	struct rt_bytes **bytes = calloc(paths, sizeof(*bytes));
	size_t i;
	int ret = bytes ? 0 : rt_err_set(err, ENOMEM, "out of memory");

	for (i = 0; !ret && i < paths; i++)
		ret = rt_bytes_open(path[i], &bytes[i], err);
	if (!ret && paths == 1 && for_library(bytes[0])) {
		ret = rt_memory_library(path[0], out, err);
		if (ret <= 0) {
			close_all(bytes, paths);
			free(bytes);
			return ret ? rt_err_prefix(err, ret, "'%s'", path[0]) : 0;
		}
		ret = 0;
	}
	if (ret) {
		if (bytes)
			close_all(bytes, paths);
	} else {
		ret = rt_memory_of(bytes, paths, ends_in(path[0], "/kcore"), out, err);
		if (ret)
			rt_err_prefix(err, ret, "'%s'", path[0]);
	}
	free(bytes);
	return ret;
}
