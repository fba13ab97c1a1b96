// SPDX-License-Identifier: GPL-2.0
#include "probe/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "host/buildid.h"
#include "host/ksyms.h"

#define STORE_DIRECTORY "/run/ringtail"
#define STORE_FILE	STORE_DIRECTORY "/probes"

enum {
	STORE_SIZE_MAX = 16 << 20,
	FIELDS = 6, /* of a line, separated by tabs */
};

/* --- this boot ------------------------------------------------------------------------ */

static void read_boot(const struct rt_host *host, char *out, size_t size)
{
	char path[PATH_MAX];

	if (rt_file_line(rt_host_path(host, path, "/proc/sys/kernel/random/boot_id"), out, size))
		strcpy(out, "-");
}

/* The build-id of a module in hexadecimal, "-" if it is not known. */
static void read_build_id(const struct rt_host *host, const char *module, char out[RT_BUILDID_HEX])
{
	struct rt_buildid id;
	int ret = !module || !strcmp(module, RT_KSYMS_KERNEL) ?
			  rt_host_kernel_buildid(host, &id) :
			  rt_host_module_buildid(host, module, &id);

	if (ret)
		strcpy(out, "-");
	else
		rt_buildid_hex(&id, out);
}

bool rt_stored_stale(const struct rt_stored *stored, const struct rt_host *host, struct rt_err *why)
{
	char boot[64], id[RT_BUILDID_HEX];

	read_boot(host, boot, sizeof(boot));
	if (strcmp(boot, stored->boot)) {
		rt_err_set(why, ESTALE, "the machine has booted since");
		return true;
	}
	read_build_id(host, stored->module, id);
	/* A module that is not loaded now may come back as it was. */
	if (strcmp(id, "-") && strcmp(stored->build_id, "-") && strcmp(id, stored->build_id)) {
		rt_err_set(why, ESTALE, "%s has build-id %s now, it had %s", stored->module, id,
			   stored->build_id);
		return true;
	}
	return false;
}

/* --- the file ------------------------------------------------------------------------- */

static void free_stored(struct rt_stored *stored)
{
	free(stored->group);
	free(stored->name);
	free(stored->boot);
	free(stored->module);
	free(stored->build_id);
	free(stored->definition);
}

/* Append a copy of the FIELDS texts. */
static int append(struct rt_store *store, const char *const *fields)
{
	struct rt_stored *list = realloc(store->list, (store->count + 1) * sizeof(*list));
	struct rt_stored new;

	if (!list)
		return -ENOMEM;
	store->list = list;
	new.group = strdup(fields[0]);
	new.name = strdup(fields[1]);
	new.boot = strdup(fields[2]);
	new.module = strdup(fields[3]);
	new.build_id = strdup(fields[4]);
	new.definition = strdup(fields[5]);
	if (!new.group || !new.name || !new.boot || !new.module || !new.build_id ||
	    !new.definition) {
		free_stored(&new);
		return -ENOMEM;
	}
	list[store->count++] = new;
	return 0;
}

static int parse(struct rt_store *store, char *text, struct rt_err *err)
{
	char *line, *next, *field;
	const char *fields[FIELDS];
	int n;

	for (line = text; *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = 0;
		for (n = 0; n < FIELDS && (field = strsep(&line, "\t")); n++)
			fields[n] = field;
		if (n < FIELDS || line)
			return rt_err_set(err, EINVAL, "%s is damaged; remove it to begin again",
					  STORE_FILE);
		if (append(store, fields))
			return rt_err_set(err, ENOMEM, "out of memory");
	}
	return 0;
}

/* Refuse what somebody else than root could have written. */
static int check_owner(const char *path, struct rt_err *err)
{
	struct stat st;

	if (stat(path, &st))
		return errno == ENOENT ? 0 :
					 rt_err_set(err, errno, "%s: %s", path, strerror(errno));
	if (st.st_uid || (st.st_mode & 022))
		return rt_err_set(err, EPERM,
				  "%s does not belong to root alone; remove it: definitions in it "
				  "are not trusted",
				  path);
	return 0;
}

static int take_lock(struct rt_store *store, struct rt_err *err)
{
	char path[PATH_MAX];

	rt_host_path(store->host, path, STORE_DIRECTORY);
	if (mkdir(path, 0700) && errno != EEXIST)
		return rt_err_set(err, errno, "%s: %s%s", path, strerror(errno),
				  errno == EACCES ? "; only root defines probes" : "");
	if (check_owner(path, err))
		return -EPERM;
	rt_host_path(store->host, path, STORE_DIRECTORY "/lock");
	store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (store->lock < 0 || flock(store->lock, LOCK_EX))
		return rt_err_set(err, errno, "%s: %s%s", path, strerror(errno),
				  errno == EACCES ? "; only root defines probes" : "");
	return 0;
}

int rt_store_open(struct rt_store *store, const struct rt_host *host, bool write,
		  struct rt_err *err)
{
	char path[PATH_MAX], *text;
	int ret = 0;

	memset(store, 0, sizeof(*store));
	store->host = host;
	store->lock = -1;
	if (write)
		ret = take_lock(store, err);
	if (!ret)
		ret = check_owner(rt_host_path(host, path, STORE_DIRECTORY), err);
	if (!ret) {
		rt_host_path(host, path, STORE_FILE);
		ret = rt_file_read(path, STORE_SIZE_MAX, &text, NULL);
		if (ret == -ENOENT)
			return 0;
		if (ret)
			rt_err_set(err, -ret, "%s: %s%s", path, strerror(-ret),
				   ret == -EACCES ? "; only root reads definitions" : "");
	}
	if (!ret) {
		ret = parse(store, text, err);
		free(text);
	}
	if (ret)
		rt_store_close(store);
	return ret;
}

void rt_store_close(struct rt_store *store)
{
	while (store->count)
		free_stored(&store->list[--store->count]);
	free(store->list);
	store->list = NULL;
	if (store->lock >= 0)
		close(store->lock);
	store->lock = -1;
}

int rt_store_save(const struct rt_store *store, struct rt_err *err)
{
	char path[PATH_MAX];
	struct rt_text text;
	size_t i;
	int ret;

	rt_text_init(&text);
	for (i = 0; i < store->count; i++) {
		const struct rt_stored *s = &store->list[i];

		rt_text_printf(&text, "%s\t%s\t%s\t%s\t%s\t%s\n", s->group, s->name, s->boot,
			       s->module, s->build_id, s->definition);
	}
	rt_host_path(store->host, path, STORE_FILE);
	ret = text.failed ? -ENOMEM : rt_file_write(path, text.base ? text.base : "", text.len);
	rt_text_free(&text);
	return ret ? rt_err_set(err, -ret, "%s: %s", path, strerror(-ret)) : 0;
}

/* --- definitions ------------------------------------------------------------------------ */

const struct rt_stored *rt_store_find(const struct rt_store *store, const char *name)
{
	size_t i, size;

	for (i = 0; i < store->count; i++) {
		size = strlen(store->list[i].group);
		if (!strncmp(name, store->list[i].group, size) && name[size] == ':' &&
		    !strcmp(name + size + 1, store->list[i].name))
			return &store->list[i];
	}
	return NULL;
}

static const struct rt_stored *find_pair(const struct rt_store *store, const char *group,
					 const char *name)
{
	size_t i;

	for (i = 0; i < store->count; i++)
		if (!strcmp(store->list[i].group, group) && !strcmp(store->list[i].name, name))
			return &store->list[i];
	return NULL;
}

char *rt_store_free_name(const struct rt_store *store, const char *group, const char *name,
			 const char *definition)
{
	const struct rt_stored *taken;
	char *next, *own = strdup(name);
	int n;

	for (n = 1; own; n++) {
		taken = find_pair(store, group, own);
		/* The same definition again is a mistake, which rt_store_add() names. */
		if (!taken || !strcmp(taken->definition, definition))
			return own;
		free(own);
		own = asprintf(&next, "%s_%d", name, n) < 0 ? NULL : next;
	}
	return NULL;
}

int rt_store_add(struct rt_store *store, const char *group, const char *name, const char *module,
		 const char *definition, struct rt_err *err)
{
	char boot[64], id[RT_BUILDID_HEX], *text = strdup(definition), *c;
	const char *fields[FIELDS] = { group, name, boot, module ? module : RT_KSYMS_KERNEL,
				       id,    text };
	int ret = 0;

	if (find_pair(store, group, name))
		ret = rt_err_set(err, EEXIST,
				 "there is a probe %s:%s already; remove it with --del %s:%s, "
				 "or choose a name: NAME=%.80s",
				 group, name, group, name, definition);
	read_boot(store->host, boot, sizeof(boot));
	read_build_id(store->host, module, id);
	for (c = text; c && *c; c++)
		if (*c == '\t' || *c == '\n')
			*c = ' ';
	if (!ret && (!text || append(store, fields)))
		ret = rt_err_set(err, ENOMEM, "out of memory");
	free(text);
	return ret;
}

void rt_store_remove(struct rt_store *store, size_t index)
{
	free_stored(&store->list[index]);
	store->count--;
	memmove(&store->list[index], &store->list[index + 1],
		(store->count - index) * sizeof(*store->list));
}
