/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included by its one user, not by compat.h.
 */
#ifndef RT_COMPAT_SOCK_H
#define RT_COMPAT_SOCK_H

#include <net/sock.h>

#ifdef RT_HAVE_SOCK_COOKIE
#define rt_compat_sock_cookie(sk) atomic64_read(&(sk)->sk_cookie)
#else
#define rt_compat_sock_cookie(sk) 0
#endif

#endif
