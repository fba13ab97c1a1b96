// SPDX-License-Identifier: GPL-2.0
/*
 * build: -s
 *
 * user-probed-stripped - user-probed without a symbol table.
 */
#include "user-probed.c"
