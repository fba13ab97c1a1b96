/* SPDX-License-Identifier: GPL-2.0 */
/* Before 4.19. */
#include <linux/bitops.h>
