// SPDX-License-Identifier: GPL-2.0
#include "symbols/sdt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOTE_NAME "stapsdt"
#define NOTE_TYPE 3

void rt_sdt_list_free(struct rt_sdt_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		free(list->markers[i].provider);
		free(list->markers[i].name);
		free(list->markers[i].args);
	}
	free(list->markers);
	memset(list, 0, sizeof(*list));
}

/* The next NUL-terminated text of the note; NULL if it has no end. */
static const char *take_text(const char **at, const char *end)
{
	const char *text = *at, *nul = text < end ? memchr(text, 0, end - text) : NULL;

	if (!nul)
		return NULL;
	*at = nul + 1;
	return text;
}

/* An address in memory as an offset in the file; 0 if the file has nothing there. */
static uint64_t in_file(const struct rt_elf *e, uint64_t address)
{
	uint64_t delta;

	return address && rt_elf_vaddr_delta(e, address, &delta) ? address - delta : 0;
}

static int add_marker(const struct rt_elf *e, struct rt_sdt_list *list, const char *desc,
		      size_t size)
{
	size_t word = gelf_getclass(e->elf) == ELFCLASS32 ? 4 : 8, i;
	const char *at = desc + 3 * word, *end = desc + size, *provider, *name, *args;
	uint64_t address[3] = { 0 }; /* of the instruction, of .stapsdt.base, of the semaphore */
	struct rt_sdt *bigger, *marker;
	GElf_Shdr base;

	if (size < 3 * word)
		return 0;
	for (i = 0; i < 3; i++)
		memcpy(&address[i], desc + i * word, word);
	provider = take_text(&at, end);
	name = provider ? take_text(&at, end) : NULL;
	args = name ? take_text(&at, end) : NULL;
	if (!args)
		return 0;
	/* If the file was moved in memory after it was linked (prelink), this section tells how far. */
	if (address[1] && rt_elf_section(e, ".stapsdt.base", &base, NULL)) {
		address[0] += base.sh_addr - address[1];
		address[2] += address[2] ? base.sh_addr - address[1] : 0;
	}
	if (!in_file(e, address[0]))
		return 0;
	bigger = realloc(list->markers, (list->count + 1) * sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	list->markers = bigger;
	marker = &bigger[list->count++];
	marker->provider = strdup(provider);
	marker->name = strdup(name);
	marker->args = strdup(args);
	marker->offset = in_file(e, address[0]);
	marker->semaphore = in_file(e, address[2]);
	return marker->provider && marker->name && marker->args ? 0 : -ENOMEM;
}

int rt_sdt_read(const struct rt_elf *e, struct rt_sdt_list *out)
{
	size_t at = 0, next, name_at, desc_at;
	Elf_Data *data;
	GElf_Nhdr note;
	GElf_Shdr shdr;
	Elf_Scn *scn;

	memset(out, 0, sizeof(*out));
	scn = rt_elf_section(e, ".note.stapsdt", &shdr, NULL);
	data = scn && shdr.sh_type == SHT_NOTE ? elf_getdata(scn, NULL) : NULL;
	while (data && (next = gelf_getnote(data, at, &note, &name_at, &desc_at)) > 0) {
		const char *buf = data->d_buf;

		if (note.n_type == NOTE_TYPE && note.n_namesz == sizeof(NOTE_NAME) &&
		    !memcmp(buf + name_at, NOTE_NAME, sizeof(NOTE_NAME)) &&
		    add_marker(e, out, buf + desc_at, note.n_descsz)) {
			rt_sdt_list_free(out);
			return -ENOMEM;
		}
		at = next;
	}
	return 0;
}
