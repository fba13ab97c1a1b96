#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# check: aside=1
#
# Torture of the ring on the host: two million records, or as long as the level says;
# --long makes it a thousand million.

set -u
cd "$(dirname "$0")/../.." || exit 1
make -s build/torture/ring || exit 1
seed=$(date +%s)
echo "# seed $seed"
case ${RT_LEVEL:-default} in
default) set -- --records 2000000 ;;
all) set -- --seconds "$RT_SECONDS" ;;
long) set -- --long ;;
esac
exec build/torture/ring --seed "$seed" --cpus $(($(nproc) < 4 ? 2 : $(nproc) / 2)) "$@"
