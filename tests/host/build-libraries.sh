#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# build-libraries - what make says of libraries that are missing or too old, and what it makes
# an error.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

printf 'Name: libtraceevent\nDescription: an old one\nVersion: 1.1.1\n' >"$dir/libtraceevent.pc"
said=$(PKG_CONFIG_PATH=$dir make -n B="$dir/build" 2>&1)
is "$?" 2 "a library that is too old stops the build"
like "$said" 'library libtraceevent is version 1\.1\.1; 1\.5 or later is needed' "its version and the one needed are named"
rm "$dir/libtraceevent.pc"
said=$(PKG_CONFIG_LIBDIR=$dir make -n B="$dir/build" 2>&1)
is "$?" 2 "so do libraries that are missing"
like "$said" 'missing library libelf: *Debian package libelf-dev' "with their packages"
unlike "$said" 'urcu' "and nothing is asked for that is not used"
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\ncase $* in *ncursesw*) exit 1 ;; esac\nexec pkg-config "$@"\n' >"$dir/without"
chmod +x "$dir/without"
said=$(make -n B="$dir/build" PKG_CONFIG="$dir/without" 2>&1)
is "$?" 0 "without ncurses the program is built"
unlike "$said" 'RT_NCURSES|ncurses' "without the browser"

# What a user builds, whatever the tests around say.
said=$(env -u WERROR make -n V=1 B="$dir/build" 2>&1)
unlike "$said" '-Werror( |$)' "a warning does not stop a user's build"
like "$(make -n V=1 WERROR=1 B="$dir/build" 2>&1)" '-Werror( |$)' "it stops that of the tests"
said=$(make -n V=1 STATIC=1 B="$dir/build" 2>&1)
like "$said" " -static .*-o $dir/build/static/ringtail" "a static program is linked in a directory of its own"
unlike "$said" " -o $dir/build/(obj|ringtail)" "from objects of its own"

gcc -D_GNU_SOURCE -Iuser -o "$dir/screen" -x c - user/browse/screen.c user/base/error.c <<'END' || exit 1
#include "browse/screen.h"
int main(void)
{
	struct rt_err err = { "" };
	int ret = rt_screen_open(stdout, &err);

	puts(err.text);
	return ret == 0 || rt_screen_possible();
}
END
said=$("$dir/screen")
is "$?" 0 "a program without the browser refuses to open it"
like "$said" 'built without ncurses; install libncurses-dev' "and says what to install"
done_testing
