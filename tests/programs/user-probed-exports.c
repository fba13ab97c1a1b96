// SPDX-License-Identifier: GPL-2.0
/*
 * build: -s -rdynamic
 *
 * user-probed-exports - user-probed without a symbol table, but with dynamic symbols.
 */
#include "user-probed.c"
