// SPDX-License-Identifier: GPL-2.0
/* build_id.c - the table of build-ids: in the header of a file, or one record each in a pipe. */
#include "perfdata/read/internal.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

int rt_build_id_add(struct rt_reader *r, const struct rt_build_id_entry *entry)
{
	struct rt_env *env = &r->env;
	struct rt_build_id_entry *list;
	size_t n = env->build_id_count;

	if (!(n & (n - 1))) {
		list = realloc(env->build_ids, (n ? 2 * n : 1) * sizeof(*list));
		if (!list)
			return -ENOMEM;
		env->build_ids = list;
	}
	env->build_ids[env->build_id_count++] = *entry;
	return 0;
}

/* perf 2.6.33 wrote entries without the pid. */
struct old_entry {
	struct rt_perf_record_header hdr;
	uint8_t build_id[24];
	char filename[];
};

static int add_entry(struct rt_reader *r, const uint8_t *data,
		     const struct rt_perf_record_header *h, bool old)
{
	size_t name = old ? offsetof(struct old_entry, filename) :
			    offsetof(struct rt_perf_record_build_id, filename);
	struct rt_build_id_entry e = { .misc = h->misc, .pid = -1 };
	const uint8_t *id;

	if (h->size < name)
		return -EBADMSG;
	if (old) {
		id = data + offsetof(struct old_entry, build_id);
		if (h->misc == RT_MISC_GUEST_USER || h->misc == RT_MISC_GUEST_KERNEL)
			e.pid = 0;
	} else {
		id = data + offsetof(struct rt_perf_record_build_id, build_id);
		e.pid = (int32_t)load32(data + offsetof(struct rt_perf_record_build_id, pid),
					r->swapped);
	}
	e.id.len = RT_BUILDID_MAX;
	if (h->misc & RT_MISC_BUILD_ID_SIZE && id[RT_BUILDID_MAX] <= RT_BUILDID_MAX)
		e.id.len = id[RT_BUILDID_MAX];
	memcpy(e.id.data, id, RT_BUILDID_MAX);
	e.filename = rt_arena_strn(&r->arena, (const char *)data + name, h->size - name);
	return e.filename ? rt_build_id_add(r, &e) : -ENOMEM;
}

static int read_table(struct rt_reader *r, const uint8_t *pos, const uint8_t *end, bool old)
{
	struct rt_perf_record_header h;
	int ret;

	while (pos < end) {
		if ((size_t)(end - pos) < sizeof(h))
			return -EBADMSG;
		h = load_header(pos, r->swapped);
		if (h.size < sizeof(h) || h.size > (size_t)(end - pos))
			return -EBADMSG;
		ret = add_entry(r, pos, &h, old);
		if (ret)
			return ret;
		pos += h.size;
	}
	return 0;
}

/*
 * The kernel's entry is the first.  If an old entry is read as a new one, its name lacks four
 * letters.
 */
static bool is_old(const uint8_t *pos, const uint8_t *end)
{
	static const char cut[] = "nel.kallsyms]";
	size_t name = offsetof(struct rt_perf_record_build_id, filename);

	return (size_t)(end - pos) >= name + sizeof(cut) - 1 &&
	       !memcmp(pos + name, cut, sizeof(cut) - 1);
}

int rt_feature_build_id(struct rt_reader *r, struct rt_cursor *c)
{
	return read_table(r, c->pos, c->end, is_old(c->pos, c->end));
}

const struct rt_buildid *rt_env_build_id(const struct rt_env *env, const char *filename)
{
	size_t i;

	for (i = 0; i < env->build_id_count; i++)
		if (!strcmp(env->build_ids[i].filename, filename))
			return &env->build_ids[i].id;
	return NULL;
}
