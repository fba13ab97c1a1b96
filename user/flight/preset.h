/* SPDX-License-Identifier: GPL-2.0 */
/* preset.h - lists of events with a name. */
#ifndef RT_FLIGHT_PRESET_H
#define RT_FLIGHT_PRESET_H

/* The events of a preset as -e takes them, NULL behind the last; or NULL: there is no such preset. */
const char *const *rt_flight_preset(const char *name);

#endif
