// SPDX-License-Identifier: GPL-2.0
/* codefile.c - see codefile.h */
#include "symbols/unwind/codefile.h"

#include <dwarf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/unwind/cfi.h"
#include "symbols/internal.h"
#include "symbols/locate.h"
#include "symbols/vdso.h"

#define PAGE_MAX 65536 /* the largest page in which code is mapped */

static int map_file(struct rt_codefile *c, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *p;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size) {
		close(fd);
		return -ENOENT;
	}
	p = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return -errno;
	c->bytes = p;
	c->size = st.st_size;
	c->mapped = true;
	return rt_elf_open_memory(&c->elf, p, c->size);
}

static void drop_bytes(struct rt_codefile *c)
{
	rt_elf_close(&c->elf);
	if (c->mapped)
		munmap((void *)c->bytes, c->size);
	else
		free((void *)c->bytes);
	c->bytes = NULL;
	c->size = 0;
	c->mapped = false;
}

/* Whether the recording's vdso is this process's own. */
static bool is_own_vdso(const struct rt_object *obj, const struct rt_elf *e)
{
	struct rt_buildid id;

	if (!obj->given.len)
		return true;
	/* If the recording has a build-id, perf looks only in its cache. */
	if (obj->syms->opt.perf_only)
		return false;
	return !rt_elf_buildid(e, &id) && rt_buildid_equal(&id, &obj->given);
}

/* perf's order for code: the build-id cache, then the file itself. */
static bool open_bytes(struct rt_codefile *c, struct rt_object *obj)
{
	static const enum rt_locate_place places[] = { RT_LOCATE_CACHE, RT_LOCATE_PATH };
	char path[RT_SYMBOLS_PATH];
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (!rt_locate(obj, places[i], path))
			continue;
		if (map_file(c, path) == 0) {
			c->path = rt_symbols_str(obj->syms, path);
			return true;
		}
		drop_bytes(c);
	}
	if (obj->kind != RT_OBJECT_VDSO || obj->syms->opt.no_live_kernel)
		return false;
	c->bytes = rt_vdso_copy(&c->size);
	if (c->bytes && !rt_elf_open_memory(&c->elf, (char *)c->bytes, c->size) &&
	    is_own_vdso(obj, &c->elf))
		return true;
	drop_bytes(c);
	return false;
}

static void read_segments(struct rt_codefile *c)
{
	size_t n, i;
	GElf_Phdr ph;

	if (elf_getphdrnum(c->elf.elf, &n) || !n)
		return;
	c->segment = calloc(n, sizeof(*c->segment));
	for (i = 0; c->segment && i < n && gelf_getphdr(c->elf.elf, i, &ph); i++)
		if (ph.p_type == PT_LOAD)
			c->segment[c->segments++] =
				(struct rt_segment){ ph.p_vaddr, ph.p_offset, ph.p_filesz,
						     ph.p_flags & PF_X };
	if (c->segments)
		c->first_vaddr = c->segment[0].vaddr;
}

/* The size in bytes of a value of this encoding in .eh_frame_hdr; 0: unknown. */
static unsigned int encoded_size(uint8_t encoding)
{
	if (encoding == DW_EH_PE_omit)
		return 0;
	switch (encoding & 0x0f) {
	case DW_EH_PE_udata2:
	case DW_EH_PE_sdata2:
		return 2;
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4:
		return 4;
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
	case DW_EH_PE_absptr:
		return 8;
	default:
		return 0;
	}
}

/* version, three encodings, pointer to .eh_frame, number of entries, the table */
static void read_frame_hdr(struct rt_codefile *c)
{
	uint8_t head[4];
	unsigned int pointer, count;
	uint32_t count4 = 0;
	GElf_Shdr shdr;

	if (!rt_elf_section(&c->elf, ".eh_frame_hdr", &shdr, NULL) || !shdr.sh_offset ||
	    !rt_codefile_read(c, shdr.sh_addr, head, sizeof(head)))
		return;
	pointer = encoded_size(head[1]);
	count = encoded_size(head[2]);
	if (!pointer || !count ||
	    !rt_codefile_read(c, shdr.sh_addr + sizeof(head) + pointer, &count4, sizeof(count4)))
		return;
	c->frame_hdr_vaddr = shdr.sh_addr;
	c->frame_table_vaddr = shdr.sh_addr + sizeof(head) + pointer + count;
	c->frame_count = count4;
	c->has_frame_hdr = true;
}

static void codefile_free(struct rt_codefile *c)
{
	rt_cfi_free(c->cfi);
	drop_bytes(c);
	free(c->segment);
	free(c);
}

const struct rt_codefile *rt_codefile_of(struct rt_object *obj)
{
	struct rt_codefile *c = __atomic_load_n(&obj->code, __ATOMIC_ACQUIRE);

	if (c)
		return c;
	rt_object_load(obj);
	pthread_mutex_lock(&obj->lock);
	c = obj->code;
	if (!c && (c = calloc(1, sizeof(*c))) != NULL) {
		obj->free_code = codefile_free;
		c->elf.fd = -1;
		c->is_vdso = obj->kind == RT_OBJECT_VDSO;
		if ((obj->kind == RT_OBJECT_USER || obj->kind == RT_OBJECT_VDSO) &&
		    open_bytes(c, obj)) {
			read_segments(c);
			read_frame_hdr(c);
			c->cfi = rt_cfi_new(&c->elf, c->path);
		}
		__atomic_store_n(&obj->code, c, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&obj->lock);
	return c;
}

bool rt_codefile_read(const struct rt_codefile *c, uint64_t vaddr, void *to, size_t size)
{
	unsigned int i;

	for (i = 0; i < c->segments; i++) {
		const struct rt_segment *s = &c->segment[i];
		uint64_t at = vaddr - s->vaddr;

		if (vaddr < s->vaddr || at >= s->size || s->size - at < size)
			continue;
		if (s->offset > c->size || at > c->size - s->offset ||
		    c->size - s->offset - at < size)
			return false;
		memcpy(to, c->bytes + s->offset + at, size);
		return true;
	}
	return false;
}

bool rt_codefile_read_mapped(const struct rt_codefile *c, uint64_t addr, uint64_t start,
			     uint64_t pgoff, void *to, size_t size)
{
	uint64_t at = addr - start + (c->is_vdso ? 0 : pgoff);

	if (!c->bytes || at > c->size || c->size - at < size)
		return false;
	memcpy(to, c->bytes + at, size);
	return true;
}

/* Mappings begin and end at page boundaries; segments need not. */
static bool shares_page(const struct rt_segment *s, uint64_t offset)
{
	return offset + PAGE_MAX > s->offset && offset < s->offset + s->size + PAGE_MAX;
}

uint64_t rt_codefile_bias(const struct rt_codefile *c, uint64_t ip, uint64_t start, uint64_t pgoff)
{
	uint64_t offset = ip - start + (c->is_vdso ? 0 : pgoff);
	const struct rt_segment *s, *end, *found = NULL;

	if (!c->segments)
		return ip - offset;
	end = c->segment + c->segments;
	/* Two segments may share a page of the file, which is then mapped twice: prefer .text. */
	for (s = c->segment; s < end && !found; s++)
		if (s->exec && offset >= s->offset && offset - s->offset < s->size)
			found = s;
	for (s = c->segment; s < end && !found; s++)
		if (s->exec && shares_page(s, offset))
			found = s;
	for (s = c->segment; s < end && !found; s++)
		if (offset >= s->offset && offset - s->offset < s->size)
			found = s;
	return found ? ip - (offset - found->offset + found->vaddr) : ip - offset;
}
