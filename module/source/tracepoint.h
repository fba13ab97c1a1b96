/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_TRACEPOINT_H
#define RT_TRACEPOINT_H

extern const struct rt_source rt_tracepoint_source;

#endif
