/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_CMD_SCRIPT_LOSSES_H
#define RT_CMD_SCRIPT_LOSSES_H

#include "perfdata/read/reader.h"

/* Warn about every loss that the records of the file report. */
void rt_script_say_losses(const struct rt_reader *reader);

#endif
