// SPDX-License-Identifier: GPL-2.0
/* 4.2: sockets have cookies */
#include <net/sock.h>

u64 rt_probe(struct sock *sk);
u64 rt_probe(struct sock *sk)
{
	return atomic64_read(&sk->sk_cookie);
}
