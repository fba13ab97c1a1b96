/* SPDX-License-Identifier: GPL-2.0 */
/*
 * refusal.h - sentences for the module's reasons for refusing something.
 *
 * This folder has the words for the numbers of include/uapi.
 *
 * May use: uapi.
 */
#ifndef RT_ABI_REFUSAL_H
#define RT_ABI_REFUSAL_H

#include "ringtail.h"

/* A sentence that says why the module refused and what to do; in a static buffer. */
const char *rt_refusal_text(const struct rt_refusal *refusal, int code);

/* Why a program was refused: the middle of a sentence. */
const char *rt_program_reason(unsigned int reason);

/*
 * E2BIG if the user asked for a program that takes too long.  ENOEXEC for every other reason: such
 * a program is a bug of the code that generated it.
 */
int rt_program_errno(unsigned int reason);

#endif
