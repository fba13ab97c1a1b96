/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring of a process's threads in <linux/sched.h>.  Without it the anchor leads to the first
 * thread of each process only.
 */
#ifndef RT_COMPAT_TASK_H
#define RT_COMPAT_TASK_H

#include <linux/sched.h>
#ifdef RT_HAVE_THREAD_NODE
#ifdef RT_HAVE_SCHED_SIGNAL_H
#include <linux/sched/signal.h>
#endif
#define rt_compat_threads_link offsetof(struct task_struct, thread_node)
#define rt_compat_threads_head offsetof(struct signal_struct, thread_head)
#else
#define rt_compat_threads_link 0
#define rt_compat_threads_head 0
#endif

/* 3.14 */
#ifndef for_each_thread
#define for_each_thread(process, thread)     \
	for ((thread) = (process); (thread); \
	     (thread) = next_thread(thread) == (process) ? NULL : next_thread(thread))
#endif

#ifndef __pa_symbol
#define __pa_symbol(x) __pa(x)
#endif

#endif
