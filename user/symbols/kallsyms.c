// SPDX-License-Identifier: GPL-2.0
/* kallsyms.c - see kallsyms.h */
#include "symbols/kallsyms.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than any line; a longer one is cut into pieces that are no symbols. */
#define CHUNK (256 * 1024)

uint8_t rt_kallsyms_binding(char type)
{
	if (type == 'W')
		return STB_WEAK;
	return isupper((unsigned char)type) ? STB_GLOBAL : STB_LOCAL;
}

uint8_t rt_kallsyms_elf_type(char type)
{
	return strchr("tTwW", type) ? STT_FUNC : STT_OBJECT;
}

bool rt_kallsyms_wanted(char type)
{
	return type && strchr("TtWwDdBb", type);
}

static int hex_value(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "ffff800080010000 T _stext" or "... t name\t[module]", without its newline. */
static bool parse(char *line, struct rt_kallsym *sym)
{
	char *p = line, *tab;
	int digit;

	sym->address = 0;
	for (; (digit = hex_value(*p)) >= 0; p++)
		sym->address = sym->address << 4 | (uint64_t)digit;
	if (p == line || p[0] != ' ' || !p[1] || p[2] != ' ')
		return false;
	sym->type = p[1];
	sym->name = p + 3;
	tab = strchr(sym->name, '\t');
	if (tab)
		*tab++ = '\0';
	sym->module = tab;
	return true;
}

/* The whole lines of buf[0..len); how many bytes they took in *used. */
static int each_line(char *buf, size_t len, int (*fn)(void *, struct rt_kallsym *), void *arg,
		     size_t *used)
{
	struct rt_kallsym sym;
	char *at = buf, *end;
	int ret = 0;

	while (!ret && (end = memchr(at, '\n', buf + len - at)) != NULL) {
		*end = '\0';
		if (parse(at, &sym))
			ret = fn(arg, &sym);
		at = end + 1;
	}
	*used = at - buf;
	return ret;
}

int rt_kallsyms_read(const char *path, int (*fn)(void *arg, struct rt_kallsym *sym), void *arg)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = 0;
	char *buf = malloc(CHUNK + 1);
	size_t have = 0, used;
	ssize_t got = 0;

	if (fd < 0 || !buf) {
		ret = fd < 0 ? -errno : -ENOMEM;
		goto out;
	}
	while (!ret && (got = read(fd, buf + have, CHUNK - have)) > 0) {
		have += got;
		ret = each_line(buf, have, fn, arg, &used);
		if (!used && have == CHUNK)
			used = have;
		memmove(buf, buf + used, have - used);
		have -= used;
	}
	if (got < 0 && !ret)
		ret = -errno;
	if (!ret && have) {
		buf[have] = '\n';
		ret = each_line(buf, have + 1, fn, arg, &used);
	}
out:
	if (fd >= 0)
		close(fd);
	free(buf);
	return ret;
}

struct wanted {
	const char *name;
	uint64_t address;
};

static int match(void *arg, struct rt_kallsym *sym)
{
	struct wanted *w = arg;

	if (!strchr("TtWw", sym->type) || sym->module || strcmp(sym->name, w->name))
		return 0;
	w->address = sym->address;
	return 1;
}

int rt_kallsyms_address(const char *path, const char *name, uint64_t *address)
{
	struct wanted w = { name, 0 };
	int ret = rt_kallsyms_read(path, match, &w);

	if (ret < 0)
		return ret;
	*address = w.address;
	return ret ? 0 : -ENOENT;
}
