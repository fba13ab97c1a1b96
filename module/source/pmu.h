/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_PMU_H
#define RT_PMU_H

extern const struct rt_source rt_pmu_source;

/* At load and unload: try the hardware, and listen for CPUs that come online. */
int rt_pmu_init(void);
void rt_pmu_exit(void);

/* Why the kernel provides no hardware counter; 0: it does. */
int rt_pmu_error(void);

#endif
