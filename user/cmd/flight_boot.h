/* SPDX-License-Identifier: GPL-2.0 */
/* flight_boot.h - the service that starts flights at boot. */
#ifndef RT_CMD_FLIGHT_BOOT_H
#define RT_CMD_FLIGHT_BOOT_H

#include <stdbool.h>

/* Have the service run at each boot; false: this machine has none, or it cannot be enabled. */
bool rt_flight_boot_enable(void);

#endif
