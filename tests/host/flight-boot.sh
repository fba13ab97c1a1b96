#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# What starts flights at boot, as `make install` leaves it: the unit, the init script, initramfs-tools' hook and dracut's module are
# well formed and name the program where it is.  tests/vm/flight-session.sh runs what they run.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s install-user DESTDIR="$work" PREFIX="$work/prefix" >"$work/log" 2>&1
is $? 0 "make install-user" || diag "$(tail -n 5 "$work/log")"
root=$work
program=$work/prefix/bin/ringtail
mkdir -p "$(dirname "$program")"
cp "$work$program" "$program"

unit=$root/usr/lib/systemd/system/ringtail-flight.service
is "$(sed -n 's/^ExecStart=//p' "$unit")" "$program flight boot" "the unit names the program"
if command -v systemd-analyze >/dev/null; then
	is "$(systemd-analyze verify --man=no "$unit" 2>&1 | grep ringtail-flight)" "" "systemd finds no mistake in the unit"
else
	skip "systemd finds no mistake in the unit" "systemd is not installed here"
fi
for file in "$work$work/prefix/share/ringtail/init/ringtail-flight" "$root/usr/share/initramfs-tools/hooks/ringtail" \
	"$root/usr/lib/dracut/modules.d/90ringtail/module-setup.sh"; do
	ok "${file##*"$work"/}: it names the program" grep -qF "$program" "$file"
done
for file in "$work$work/prefix/share/ringtail/init/ringtail-flight" "$root"/usr/share/initramfs-tools/{hooks,scripts/init-premount}/ringtail \
	"$root/usr/lib/dracut/modules.d/90ringtail/ringtail-flight.sh"; do
	ok "${file##*"$work"/}: a shell reads it" sh -n "$file"
done
is "$("$root/usr/share/initramfs-tools/hooks/ringtail" prereqs)" "" "initramfs-tools: the hook tells what it needs before it"
is "$("$root/usr/share/initramfs-tools/scripts/init-premount/ringtail" prereqs)" "" "and the script"
(. "$root/usr/lib/dracut/modules.d/90ringtail/module-setup.sh" && check)
is $? 255 "dracut: without flights the module is left out"
like "$("$work$work/prefix/share/ringtail/init/ringtail-flight" land 2>&1)" 'usage: .* start\|stop' "the init script says what it can do"

# The words of the kernel's command line, by what flight boot does with them where there is no module.
boot() { echo "$1" >"$work/cmdline"; build/ringtail flight boot --directory "$work/none" --cmdline "$work/cmdline" 2>&1; }
is "$(boot 'quiet ro')" "no flight is to be started at boot" "nothing on the command line"
is "$(boot 'ringtail.flight=off')" "ringtail.flight=off: no flight is started" "off"
is "$(boot 'ringtail.flight=')" "ringtail: ringtail.flight= needs a preset or events, such as crash,size=64M" "no value"
like "$(boot 'ringtail.flight=crash,loud')" "unknown option.*loud|no option .*loud|--loud" "an option that does not exist"
# What cannot be read is named, and does not keep the others from starting.
mkdir -p "$work/flights/a-directory"
printf '%s\n' -e no:such >"$work/flights/z-file"
said=$(build/ringtail flight boot --directory "$work/flights" --cmdline "$work/cmdline" 2>&1)
is $? 1 "a directory among the files"
like "$said" "cannot read '$work/flights/a-directory': Is a directory" "is named"
like "$said" "flight boot: 'z-file' does not run" "the next flight is tried"
echo 'ringtail.flight=' >"$work/cmdline"
like "$(build/ringtail flight boot --directory "$work/flights" --cmdline "$work/cmdline" 2>&1)" "flight boot: 'z-file' does not run" \
	"also behind a command line without events"
ok "make uninstall takes it away" make -s uninstall DESTDIR="$work" PREFIX="$work/prefix"
ok "all of it" [ ! -e "$unit" ]
done_testing
