#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# embed.sh FILE…: print C source that holds these files as struct rt_asset (user/draw/assets.h).
# Only od, sed and sha256sum are needed.

set -eu
echo '/* Made by scripts/lib/embed.sh. */'
echo '#include "draw/assets.h"'
for file; do
	name=$(basename "$file")
	symbol=$(printf %s "$name" | tr -c 'a-z0-9' _)
	echo "static const unsigned char ${symbol}_bytes[] = {"
	od -A n -v -t x1 "$file" | sed 's/ \(..\)/0x\1,/g'
	echo '0 };'
	sum=$(sha256sum "$file" | cut -c1-64 | sed 's/../0x&,/g')
	echo "const struct rt_asset rt_asset_$symbol = { \"$name\", (const char *)${symbol}_bytes,"
	echo "	sizeof(${symbol}_bytes) - 1, { $sum } };"
done
