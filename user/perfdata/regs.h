/* SPDX-License-Identifier: GPL-2.0 */
/*
 * regs.h - names of architectures and of the registers in their samples.
 */
#ifndef RT_PERFDATA_REGS_H
#define RT_PERFDATA_REGS_H

#include "perfdata/feature.h"

/*
 * The architecture as perf groups them ("x86", "arm64", "arm", "powerpc", …), of the
 * file, or of this machine when the file does not say (env may be NULL too).
 */
const char *rt_env_arch(const struct rt_env *env);

/* The name of a bit of sample_regs_user/intr on that architecture; "unknown" if it has none. */
const char *rt_reg_name(const char *arch, unsigned bit);

#endif
