// SPDX-License-Identifier: GPL-2.0
/* kallsyms.c - see kallsyms.h */
#include "host/kallsyms.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/readahead.h"

uint8_t rt_kallsyms_binding(char type)
{
	if (type == 'W')
		return STB_WEAK;
	return isupper((unsigned char)type) ? STB_GLOBAL : STB_LOCAL;
}

uint8_t rt_kallsyms_elf_type(char type)
{
	return (type | 0x20) == 't' || (type | 0x20) == 'w' ? STT_FUNC : STT_OBJECT;
}

bool rt_kallsyms_wanted(char type)
{
	switch (type | 0x20) {
	case 't':
	case 'w':
	case 'd':
	case 'b':
		return true;
	default:
		return false;
	}
}

static int hex_value(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Parse "ffff800080010000 T _stext" or "... t name\t[module]"; a 0 stands at `end`. */
static bool parse(char *line, char *end, struct rt_kallsym *sym)
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
	sym->module = NULL;
	/* Only lines of a module's symbols end with ]. */
	tab = end[-1] == ']' ? strchr(sym->name, '\t') : NULL;
	if (tab) {
		*tab++ = '\0';
		sym->module = tab;
	}
	return true;
}

/* Parse the complete lines of buf[0..len); *used gets the bytes they took. */
static int each_line(char *buf, size_t len, int (*fn)(void *, struct rt_kallsym *), void *arg,
		     size_t *used)
{
	struct rt_kallsym sym;
	char *at = buf, *end;
	int ret = 0;

	while (!ret && (end = memchr(at, '\n', buf + len - at)) != NULL) {
		*end = '\0';
		if (parse(at, end, &sym))
			ret = fn(arg, &sym);
		at = end + 1;
	}
	*used = at - buf;
	return ret;
}

int rt_kallsyms_read(const char *path, int (*fn)(void *arg, struct rt_kallsym *sym), void *arg)
{
	char rest[RT_READAHEAD_FRONT + 1] = "", *piece;
	size_t left = 0, len, used;
	struct rt_readahead *r;
	int ret = 0;

	r = rt_readahead_open(path, &ret);
	if (!r)
		return ret;
	while (!ret && (piece = rt_readahead_next(r, &len))) {
		/* Put the line that the previous piece cut off in front of this one. */
		piece -= left;
		len += left;
		memcpy(piece, rest, left);
		ret = each_line(piece, len, fn, arg, &used);
		left = len - used;
		if (left > RT_READAHEAD_FRONT)
			left = 0; /* no symbol is that long */
		memcpy(rest, piece + len - left, left);
	}
	if (!ret)
		ret = rt_readahead_error(r);
	if (!ret && left) {
		rest[left] = '\n';
		ret = each_line(rest, left + 1, fn, arg, &used);
	}
	rt_readahead_close(r);
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

/* --- per-CPU variables that are linked at 0 --------------------------------------- */

struct per_cpu {
	const char *name;
	uint64_t address, end;
	bool found;
};

static int match_per_cpu(void *arg, struct rt_kallsym *sym)
{
	struct per_cpu *p = arg;

	if ((sym->type | 0x20) != 'a' || sym->module)
		return 0;
	if (!strcmp(sym->name, "__per_cpu_end"))
		p->end = sym->address;
	if (!strcmp(sym->name, p->name)) {
		p->address = sym->address;
		p->found = true;
	}
	return 0;
}

int rt_kallsyms_per_cpu(const char *path, const char *name, uint64_t *address)
{
	struct per_cpu p = { .name = name };
	int ret = rt_kallsyms_read(path, match_per_cpu, &p);

	if (ret < 0)
		return ret;
	*address = p.address;
	return p.found && p.address < p.end ? 0 : -ENOENT;
}
