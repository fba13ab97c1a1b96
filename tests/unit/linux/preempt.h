/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's header of this name, for tests of module/compat/: the count is a number. */
#ifndef RT_TEST_PREEMPT_H
#define RT_TEST_PREEMPT_H

#define CONFIG_PREEMPT_COUNT	 1
#define preempt_count()		 test_preempted
#define preempt_enable_notrace() (test_preempted--)

static int test_preempted;

#endif
