// SPDX-License-Identifier: GPL-2.0
/* elffile.c - see elffile.h */
#include "symbols/elffile.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Not in every zstd's stable interface: an upper bound over all frames of a file. */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

/* Modules have megabytes; do not believe a file that claims more. */
#define UNPACKED_MAX (1LL << 30)

static bool is_elf(const struct rt_elf *e)
{
	return e->elf && elf_kind(e->elf) == ELF_K_ELF;
}

static Elf_Scn *section_of_type(struct rt_elf *e, const char *name, GElf_Word type, size_t *index)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = rt_elf_section(e, name, &shdr, index);

	return scn && shdr.sh_type == type ? scn : NULL;
}

static int look_around(struct rt_elf *e)
{
	if (!is_elf(e) || !gelf_getehdr(e->elf, &e->ehdr) ||
	    elf_getshdrstrndx(e->elf, &e->shstrndx)) {
		rt_elf_close(e);
		return -ENOEXEC;
	}
	e->symtab = section_of_type(e, ".symtab", SHT_SYMTAB, NULL);
	e->dynsym = section_of_type(e, ".dynsym", SHT_DYNSYM, &e->dynsym_index);
	e->opd = section_of_type(e, ".opd", SHT_PROGBITS, &e->opd_index);
	return 0;
}

/* libdw unpacks gzip, bzip2 and xz, but zstd only in newer builds, so unpack zstd here. */
static void unpack_zstd(struct rt_elf *e)
{
	static const unsigned char magic[] = { 0x28, 0xb5, 0x2f, 0xfd };
	struct stat st;
	unsigned long long size;
	size_t got;
	char *packed;

	if (fstat(e->fd, &st) || st.st_size < (off_t)sizeof(magic) || st.st_size > UNPACKED_MAX)
		return;
	packed = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, e->fd, 0);
	if (packed == MAP_FAILED)
		return;
	size = memcmp(packed, magic, sizeof(magic)) ? 0 : ZSTD_decompressBound(packed, st.st_size);
	if (size && size <= UNPACKED_MAX && (e->image = malloc(size)) != NULL) {
		got = ZSTD_decompress(e->image, size, packed, st.st_size);
		if (!ZSTD_isError(got))
			e->elf = elf_memory(e->image, got);
	}
	munmap(packed, st.st_size);
}

int rt_elf_open(struct rt_elf *e, const char *path)
{
	struct stat st;

	memset(e, 0, sizeof(*e));
	elf_version(EV_CURRENT);
	/* A name from a recording may be a FIFO by now: never block. */
	e->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (e->fd < 0)
		return -errno;
	if (fstat(e->fd, &st) || !S_ISREG(st.st_mode)) {
		rt_elf_close(e);
		return -ENOEXEC;
	}
	e->elf = elf_begin(e->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (!is_elf(e)) {
		elf_end(e->elf);
		e->elf = dwelf_elf_begin(e->fd); /* unpacks */
	}
	if (!is_elf(e)) {
		elf_end(e->elf);
		e->elf = NULL;
		unpack_zstd(e);
	}
	return look_around(e);
}

int rt_elf_open_memory(struct rt_elf *e, char *image, size_t size)
{
	memset(e, 0, sizeof(*e));
	elf_version(EV_CURRENT);
	e->fd = -1;
	e->elf = elf_memory(image, size);
	return look_around(e);
}

int rt_elf_open_minidebug(struct rt_elf *e, const struct rt_elf *of)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = rt_elf_section(of, ".gnu_debugdata", &shdr, NULL);
	Elf_Data *data = scn && shdr.sh_type == SHT_PROGBITS ? elf_rawdata(scn, NULL) : NULL;

	memset(e, 0, sizeof(*e));
	e->fd = -1;
	if (!data || !data->d_buf || !data->d_size)
		return -ENOENT;
	/* libdw unpacks only files, so make one. */
	e->fd = syscall(SYS_memfd_create, "gnu_debugdata", 1 /* MFD_CLOEXEC */);
	if (e->fd < 0)
		return -errno;
	if (write(e->fd, data->d_buf, data->d_size) != (ssize_t)data->d_size) {
		rt_elf_close(e);
		return -EIO;
	}
	e->elf = dwelf_elf_begin(e->fd);
	return look_around(e);
}

void rt_elf_close(struct rt_elf *e)
{
	elf_end(e->elf);
	if (e->fd >= 0)
		close(e->fd);
	free(e->image);
	memset(e, 0, sizeof(*e));
	e->fd = -1;
}

const char *rt_elf_section_name(const struct rt_elf *e, const GElf_Shdr *shdr)
{
	const char *name = elf_strptr(e->elf, e->shstrndx, shdr->sh_name);

	return name ? name : "";
}

Elf_Scn *rt_elf_section(const struct rt_elf *e, const char *name, GElf_Shdr *shdr, size_t *index)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(e->elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, shdr) || strcmp(rt_elf_section_name(e, shdr), name))
			continue;
		if (index)
			*index = elf_ndxscn(scn);
		return scn;
	}
	return NULL;
}

/* Read the build-id note from a section in which perf looks. */
static int buildid_in(const struct rt_elf *e, const char *name, struct rt_buildid *id)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = rt_elf_section(e, name, &shdr, NULL);
	Elf_Data *data =
		scn ? elf_getdata_rawchunk(e->elf, shdr.sh_offset, shdr.sh_size, ELF_T_NHDR) : NULL;

	/* libelf has swapped the notes of a foreign machine. */
	if (!scn || shdr.sh_type == SHT_NOBITS || !data)
		return -ENOENT;
	return rt_buildid_in_notes(id, data->d_buf, data->d_size);
}

int rt_elf_buildid(const struct rt_elf *e, struct rt_buildid *id)
{
	static const char *const places[] = { ".note.gnu.build-id", ".notes", ".note" };
	GElf_Shdr shdr;
	size_t i;

	memset(id, 0, sizeof(*id));
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (rt_elf_section(e, places[i], &shdr, NULL))
			return buildid_in(e, places[i], id);
	return -ENOENT;
}

int rt_buildid_of_file(struct rt_buildid *id, const char *path)
{
	struct rt_elf e;
	int err = rt_elf_open(&e, path);

	memset(id, 0, sizeof(*id));
	if (err)
		return err;
	err = rt_elf_buildid(&e, id);
	rt_elf_close(&e);
	return err;
}

const char *rt_elf_debuglink(const struct rt_elf *e)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = rt_elf_section(e, ".gnu_debuglink", &shdr, NULL);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;

	if (!data || !data->d_buf || !memchr(data->d_buf, '\0', data->d_size))
		return NULL;
	return data->d_buf;
}

bool rt_elf_segment_delta(const GElf_Phdr *ph, uint64_t vaddr, uint64_t *delta)
{
	uint64_t size = ph->p_memsz > ph->p_filesz ? ph->p_memsz : ph->p_filesz;

	if (ph->p_type != PT_LOAD || vaddr < ph->p_vaddr || vaddr - ph->p_vaddr >= size)
		return false;
	*delta = ph->p_vaddr - ph->p_offset;
	return true;
}

bool rt_elf_vaddr_delta(const struct rt_elf *e, uint64_t vaddr, uint64_t *delta)
{
	size_t i, n;
	GElf_Phdr ph;

	if (elf_getphdrnum(e->elf, &n))
		return false;
	for (i = 0; i < n && gelf_getphdr(e->elf, i, &ph); i++)
		if (rt_elf_segment_delta(&ph, vaddr, delta))
			return true;
	return false;
}
