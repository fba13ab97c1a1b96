// SPDX-License-Identifier: GPL-2.0
/* readahead.c - see readahead.h */
#include "base/readahead.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST_PIECE 16384
#define PIECE	    65536
#define PIECES	    4

struct piece {
	size_t len;
	char bytes[RT_READAHEAD_FRONT + PIECE + 1];
};

struct rt_readahead {
	int fd, error;
	bool started, threaded;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool stop;
	unsigned int read, taken; /* number of pieces, by the thread and by the caller */
	struct piece piece[PIECES];
};

/* Read as much as fits, up to the end: one read() of a proc file returns only about a page. */
static void fill(struct rt_readahead *r, struct piece *p, size_t size)
{
	ssize_t got;

	p->len = 0;
	while (p->len < size) {
		got = read(r->fd, p->bytes + RT_READAHEAD_FRONT + p->len, size - p->len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			r->error = -errno;
		if (got <= 0)
			return;
		p->len += (size_t)got;
	}
}

static void *reader(void *arg)
{
	struct rt_readahead *r = arg;
	struct piece *p;

	pthread_mutex_lock(&r->lock);
	do {
		while (r->read - r->taken == PIECES && !r->stop)
			pthread_cond_wait(&r->changed, &r->lock);
		if (r->stop)
			break;
		p = &r->piece[r->read % PIECES];
		pthread_mutex_unlock(&r->lock);
		fill(r, p, PIECE);
		pthread_mutex_lock(&r->lock);
		r->read++;
		pthread_cond_signal(&r->changed);
	} while (p->len);
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

struct rt_readahead *rt_readahead_open(const char *path, int *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct rt_readahead *r;

	if (fd < 0) {
		*err = -errno;
		return NULL;
	}
	r = malloc(sizeof(*r));
	if (!r) {
		close(fd);
		*err = -ENOMEM;
		return NULL;
	}
	r->fd = fd;
	r->error = 0;
	r->started = r->threaded = r->stop = false;
	r->read = r->taken = 0;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	return r;
}

void rt_readahead_close(struct rt_readahead *r)
{
	if (r->threaded) {
		pthread_mutex_lock(&r->lock);
		r->stop = true;
		pthread_cond_signal(&r->changed);
		pthread_mutex_unlock(&r->lock);
		pthread_join(r->thread, NULL);
	}
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
	close(r->fd);
	free(r);
}

static struct piece *next_of_thread(struct rt_readahead *r)
{
	struct piece *p;

	pthread_mutex_lock(&r->lock);
	r->taken++;
	pthread_cond_signal(&r->changed);
	while (r->read == r->taken)
		pthread_cond_wait(&r->changed, &r->lock);
	p = &r->piece[r->taken % PIECES];
	pthread_mutex_unlock(&r->lock);
	return p;
}

char *rt_readahead_next(struct rt_readahead *r, size_t *len)
{
	struct piece *p = &r->piece[0];

	if (!r->started) {
		r->started = true;
		fill(r, p, FIRST_PIECE);
		r->read = 1;
	} else {
		/* If no thread can be started, read here; it only takes longer. */
		if (!r->threaded && r->read == 1)
			r->threaded = !pthread_create(&r->thread, NULL, reader, r);
		if (r->threaded) {
			p = next_of_thread(r);
		} else {
			r->read = 2;
			fill(r, p, PIECE);
		}
	}
	*len = p->len;
	return p->len ? p->bytes + RT_READAHEAD_FRONT : NULL;
}

int rt_readahead_error(const struct rt_readahead *r)
{
	return r->error;
}
