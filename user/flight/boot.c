// SPDX-License-Identifier: GPL-2.0
#include "flight/boot.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "flight/preset.h"

#define FILE_MAX  65536
#define PARAMETER "ringtail.flight="

static int no_memory(struct rt_err *err)
{
	return rt_err_set(err, ENOMEM, "out of memory");
}

/* --- the list ---------------------------------------------------------------------- */

static struct rt_flight_boot *new_boot(struct rt_flight_boots *boots, const char *name)
{
	struct rt_flight_boot *grown =
		realloc(boots->boot, (boots->count + 1) * sizeof(*boots->boot));

	if (!grown)
		return NULL;
	boots->boot = grown;
	grown += boots->count;
	memset(grown, 0, sizeof(*grown));
	grown->name = strdup(name);
	if (!grown->name)
		return NULL;
	boots->count++;
	return grown;
}

/* PREFIX and the first LENGTH bytes of WORD. */
static int add_word(struct rt_flight_boot *b, const char *prefix, const char *word, size_t length)
{
	char **grown = realloc(b->words, (b->count + 2) * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	b->words = grown;
	b->words[b->count] = b->words[b->count + 1] = NULL;
	if (asprintf(&b->words[b->count], "%s%.*s", prefix, (int)length, word) < 0) {
		b->words[b->count] = NULL;
		return -ENOMEM;
	}
	b->count++;
	return 0;
}

void rt_flight_boots_free(struct rt_flight_boots *boots)
{
	size_t i, j;

	for (i = 0; i < boots->count; i++) {
		for (j = 0; j < boots->boot[i].count; j++)
			free(boots->boot[i].words[j]);
		free(boots->boot[i].words);
		free(boots->boot[i].error);
		free(boots->boot[i].name);
	}
	free(boots->boot);
	memset(boots, 0, sizeof(*boots));
}

/* --- files ------------------------------------------------------------------------- */

/* Lines that begin with '#' and empty ones say nothing. */
static int add_lines(struct rt_flight_boot *b, const char *text)
{
	size_t length;
	int ret = 0;

	for (; !ret && *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		if (length && *text != '#')
			ret = add_word(b, "", text, length);
	}
	return ret;
}

static int read_file(struct rt_flight_boots *boots, const char *dir, const char *name,
		     struct rt_err *err)
{
	struct rt_flight_boot *b = new_boot(boots, name);
	char *path, *text = NULL;
	size_t size;
	int ret;

	if (!b || asprintf(&path, "%s/%s", dir, name) < 0)
		return no_memory(err);
	ret = rt_file_read(path, FILE_MAX, &text, &size);
	if (!ret)
		ret = add_lines(b, text);
	else if (asprintf(&b->error, "cannot read '%s': %s", path, strerror(-ret)) < 0)
		b->error = NULL;
	else
		ret = 0;
	free(text);
	free(path);
	return ret ? no_memory(err) : 0;
}

/* A file that an editor or a package manager has put aside is none of ours: no flight has such a name. */
static int is_flight(const struct dirent *entry)
{
	const char *name = entry->d_name;
	size_t length = strlen(name);

	return *name != '.' && name[length - 1] != '~' && !strstr(name, ".dpkg-") &&
	       !strstr(name, ".rpm");
}

int rt_flight_boot_files(struct rt_flight_boots *boots, const char *dir, struct rt_err *err)
{
	struct dirent **entry;
	int count = scandir(dir, &entry, is_flight, alphasort), i, ret = 0;

	if (count < 0 && errno == ENOENT)
		return 0;
	if (count < 0)
		return rt_err_set(err, errno, "cannot read '%s': %s", dir, strerror(errno));
	for (i = 0; i < count; i++) {
		if (!ret)
			ret = read_file(boots, dir, entry[i]->d_name, err);
		free(entry[i]);
	}
	free(entry);
	return ret;
}

static char *path_of(const char *dir, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", dir, name) < 0 ? NULL : path;
}

static int make_directories(const char *dir)
{
	char *path = strdup(dir), *slash;
	int ret = path ? 0 : -ENOMEM;

	for (slash = path; !ret && slash;) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = 0;
		if (mkdir(path, 0755) && errno != EEXIST)
			ret = -errno;
		if (slash)
			*slash = '/';
	}
	free(path);
	return ret;
}

int rt_flight_boot_keep(const char *dir, const char *name, const char *const *words, size_t count,
			struct rt_err *err)
{
	char *path = path_of(dir, name);
	struct rt_text t;
	size_t i;
	int ret = 0;

	if (!path)
		return no_memory(err);
	rt_text_init(&t);
	rt_text_str(
		&t,
		"# The words of a \"ringtail flight start\", one on a line: 'ringtail flight boot' reads them.\n");
	for (i = 0; !ret && i < count; i++) {
		if (strchr(words[i], '\n') || *words[i] == '#' || !*words[i])
			ret = rt_err_set(err, EINVAL, "--boot cannot keep the word '%s'", words[i]);
		rt_text_str(&t, words[i]);
		rt_text_str(&t, "\n");
	}
	if (!ret && t.failed)
		ret = no_memory(err);
	if (!ret) {
		ret = make_directories(dir);
		if (!ret)
			ret = rt_file_write(path, t.base, t.len);
		if (ret)
			rt_err_set(err, -ret, "cannot write '%s': %s", path, strerror(-ret));
	}
	rt_text_free(&t);
	free(path);
	return ret;
}

int rt_flight_boot_forget(const char *dir, const char *name)
{
	char *path = path_of(dir, name);
	int ret;

	if (!path)
		return -ENOMEM;
	ret = unlink(path) ? -errno : 0;
	free(path);
	return ret;
}

/* --- the kernel's command line ------------------------------------------------------- */

/* The last one on the line, and its length; or NULL. */
static const char *find_value(const char *line, size_t *length)
{
	const char *found = NULL;

	for (; *line; line += strcspn(line, " \t\n")) {
		line += strspn(line, " \t\n");
		if (!strncmp(line, PARAMETER, strlen(PARAMETER)))
			found = line + strlen(PARAMETER);
	}
	if (found)
		*length = strcspn(found, " \t\n");
	return found;
}

static int add_events(struct rt_flight_boot *b, const char *text, size_t length)
{
	char *copy = strndup(text, length), *event, *rest = copy;
	int ret = copy ? 0 : -ENOMEM;

	if (!ret && rt_flight_preset(copy))
		ret = add_word(b, "--preset=", copy, length);
	else
		while (!ret && (event = strsep(&rest, "+")))
			ret = add_word(b, "--event=", event, strlen(event));
	free(copy);
	return ret;
}

int rt_flight_boot_line(struct rt_flight_boots *boots, const char *line, struct rt_err *err)
{
	struct rt_flight_boot *b;
	size_t length, part;
	const char *value = find_value(line, &length);
	int ret;

	if (!value)
		return 0;
	part = strcspn(value, ", \t\n");
	if (part == 3 && !strncmp(value, "off", 3)) {
		boots->off = true;
		return 0;
	}
	b = new_boot(boots, RT_FLIGHT_BOOT_NAME);
	if (b && !part) {
		b->error = strdup(PARAMETER " needs a preset or events, such as crash,size=64M");
		return b->error ? 0 : no_memory(err);
	}
	ret = b ? add_word(b, "", RT_FLIGHT_BOOT_NAME, strlen(RT_FLIGHT_BOOT_NAME)) : -ENOMEM;
	if (!ret)
		ret = add_events(b, value, part);
	while (!ret && part < length) {
		value += part + 1;
		length -= part + 1;
		part = strcspn(value, ", \t\n");
		if (part)
			ret = add_word(b, "--", value, part);
	}
	return ret ? no_memory(err) : 0;
}
