// SPDX-License-Identifier: GPL-2.0
/*
 * build: -static -no-pie
 *
 * user-probed-static - user-probed without libraries, at fixed addresses.
 */
#include "user-probed.c"
