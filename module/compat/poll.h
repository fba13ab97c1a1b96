/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_POLL_H
#define RT_COMPAT_POLL_H

#include <linux/eventpoll.h>
#include <linux/poll.h>

/* 4.12: names of their own for epoll, with the same numbers. */
#ifndef EPOLLIN
#define EPOLLIN	    POLLIN
#define EPOLLRDNORM POLLRDNORM
#endif

#ifndef RT_HAVE_POLL_T
#define __poll_t unsigned int
#endif

#endif
