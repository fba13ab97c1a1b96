/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_SOURCES_H
#define RT_SOURCES_H

#include "event/event.h"

extern const struct rt_source *const rt_sources[RT_SOURCES];

#endif
