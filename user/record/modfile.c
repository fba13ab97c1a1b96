// SPDX-License-Identifier: GPL-2.0
#include "record/modfile.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The value of name=… in .modinfo; NULL if there is none. */
static char *find_name(Elf_Data *data)
{
	const char *text = data->d_buf, *end = text + data->d_size, *stop;

	for (; text < end; text = stop + 1) {
		stop = memchr(text, 0, end - text);
		if (!stop)
			return NULL;
		if (!strncmp(text, "name=", 5))
			return strdup(text + 5);
	}
	return NULL;
}

static char *name_inside(int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Elf_Scn *section = NULL;
	const char *called;
	GElf_Shdr header;
	Elf_Data *data;
	char *name = NULL;
	size_t strings;

	if (elf && !elf_getshdrstrndx(elf, &strings))
		while (!name && (section = elf_nextscn(elf, section))) {
			called = gelf_getshdr(section, &header) ?
					 elf_strptr(elf, strings, header.sh_name) :
					 NULL;
			if (!called || strcmp(called, ".modinfo"))
				continue;
			data = elf_getdata(section, NULL);
			name = data && data->d_buf ? find_name(data) : NULL;
		}
	elf_end(elf);
	return name;
}

/* The kernel build derives the module name from the file name: snd-pcm.ko.xz holds snd_pcm. */
static char *name_outside(const char *path)
{
	const char *base = strrchr(path, '/'), *end;
	char *name, *c;

	base = base ? base + 1 : path;
	end = strstr(base, ".ko");
	if (!end || end == base)
		return NULL;
	name = strndup(base, end - base);
	for (c = name; c && *c; c++)
		if (*c == '-')
			*c = '_';
	return name;
}

char *rt_modfile_name(void *data, const char *path, struct rt_err *err)
{
	/* O_NONBLOCK: opening a FIFO must not wait for its writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *name = NULL;
	struct stat st;

	(void)data;
	if (fd < 0) {
		rt_err_set(err, errno, "cannot open %s: %s", path, strerror(errno));
		return NULL;
	}
	elf_version(EV_CURRENT);
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		name = name_inside(fd);
		if (!name)
			name = name_outside(path);
	}
	close(fd);
	if (!name)
		rt_err_set(err, EINVAL, "%s is no kernel module", path);
	return name;
}
