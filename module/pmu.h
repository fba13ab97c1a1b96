/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_PMU_H
#define RT_PMU_H

/* At load and unload: counters for CPUs that come later. */
int rt_pmu_init(void);
void rt_pmu_exit(void);

#endif
