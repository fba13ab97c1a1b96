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

/*
 * On older kernels (4.9, not 4.14) .modinfo has no name, but struct module does, behind its state and a list head; the kernel
 * takes it from there.  NULL if there is none.
 */
static char *find_name_in_struct(Elf_Data *data)
{
	enum { STATE_AND_LIST = 24, NAME_MAX_BYTES = 56 };
	const char *name = (const char *)data->d_buf + STATE_AND_LIST;
	size_t length;

	if (data->d_size < STATE_AND_LIST + NAME_MAX_BYTES)
		return NULL;
	length = strnlen(name, NAME_MAX_BYTES);
	if (!length || length == NAME_MAX_BYTES)
		return NULL;
	return strdup(name);
}

/* Ask FIND for the name in the section CALLED. */
static char *name_in_section(Elf *elf, const char *called, char *(*find)(Elf_Data *))
{
	Elf_Scn *section = NULL;
	const char *its_name;
	GElf_Shdr header;
	Elf_Data *data;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		its_name = gelf_getshdr(section, &header) ?
				   elf_strptr(elf, strings, header.sh_name) :
				   NULL;
		if (!its_name || strcmp(its_name, called))
			continue;
		data = elf_getdata(section, NULL);
		return data && data->d_buf ? find(data) : NULL;
	}
	return NULL;
}

static char *name_inside(int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	char *name = NULL;

	if (elf) {
		name = name_in_section(elf, ".modinfo", find_name);
		if (!name)
			name = name_in_section(elf, ".gnu.linkonce.this_module",
					       find_name_in_struct);
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
