#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# DKMS, the real one, with trees of its own: the module is built, signed with DKMS's key
# and installed for a kernel it supports, and skipped for others without an error that
# would stop a kernel's installation.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/headers.sh

# DKMS reads its settings from /etc/dkms only: lay ours over it, in a mount namespace.
if [ -z "${RT_DKMS-}" ]; then
	rm -rf "$SCRATCH"
	RT_DKMS=1 exec unshare --mount --propagation private "$0"
fi
mkdir -p "$SCRATCH"/{etc,dkms,lib/"$KRELEASE"}
cat >"$SCRATCH/etc/framework.conf" <<TEXT
dkms_tree="$SCRATCH/dkms"
source_tree="$SCRATCH/usr/src"
install_tree="$SCRATCH/lib"
sign_file="$KDIR/scripts/sign-file"
mok_signing_key="$SCRATCH/mok.key"
mok_certificate="$SCRATCH/mok.pub"
TEXT
mount --bind "$SCRATCH/etc" /etc/dkms || exit 1

quietly() { "$@" >/dev/null 2>&1; }
dkms_said() { # OUTPUT: that, and the end of its build's log
	diag "$1"
	diag "$(tail -n 20 "$SCRATCH/dkms/$id/build/make.log")"
}

version=$(sed -n 's/^VERSION := //p' Makefile)
id=ringtail/$version
is "$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)" "$version" "dkms.conf and Makefile agree on the version"

is "$(sed -n 's/^NO_WEAK_MODULES="\(.*\)"/\1/p' dkms.conf)" yes "no other kernel gets this module by symbol versions"

ok "make install-dkms" make -s install-dkms DESTDIR="$SCRATCH"
ok "dkms add" quietly dkms add "$id"
out=$(dkms install "$id" -k "$KRELEASE" --kernelsourcedir "$KDIR" --no-depmod 2>&1)
is $? 0 "dkms install, for a kernel that is supported" || dkms_said "$out"
like "$(dkms status "$id" 2>&1)" "$KRELEASE, $(uname -m): installed" "dkms status says so"
installed=$(find "$SCRATCH/lib/$KRELEASE" -name 'ringtail.ko*')
like "$(modinfo "$installed")" "vermagic: +$KRELEASE " "the module is there"
like "$(modinfo "$installed")" "sig_key: +[0-9A-F]" "signed"
is "$(modinfo -F sig_key "$installed" | tr -d :)" \
	"$(openssl x509 -inform DER -in "$SCRATCH/mok.pub" -noout -serial | cut -d= -f2)" "with DKMS's own key"

# What it says if a module is loaded already: in use by a flight, another version, this one.
root=$SCRATCH/root
mkdir -p "$root/sys/module/ringtail"
said() { # VERSION USERS
	echo "$1" >"$root/sys/module/ringtail/version"
	echo "$2" >"$root/sys/module/ringtail/refcnt"
	"$SCRATCH/dkms/$id/source/share/dkms/post-install" "$root"
}
like "$(said 0.0.9 1)" "^ringtail: version 0.0.9 stays loaded, .*to change to $version: ringtail flight stop, then modprobe -r" "a flight keeps the older one loaded"
like "$(said 0.0.9 0)" "^ringtail: version 0.0.9 is loaded; to change to $version: modprobe -r" "nothing uses the older one"
is "$(said "$version" 0)" "" "the same version: nothing to say"
is "$("$SCRATCH/dkms/$id/source/share/dkms/post-install" "$SCRATCH/none")" "" "nor if none is loaded"

skipped() { # WHAT KERNEL KDIR
	dkms build "$id" -k "$2" --kernelsourcedir "$3" >/dev/null 2>&1
	is $? 77 "$1: skipped"
	unlike "$(dkms status "$id" 2>&1)" "$2" "and leaves no trace"
}
skipped "a kernel older than any that is tested" 3.16.0-11-test "$KDIR"
for config in KPROBES TRACEPOINTS PERF_EVENTS; do
	lacking=$(headers_copy "$config")
	sed -i "/^CONFIG_$config=/d" "$lacking/.config"
	skipped "a kernel without CONFIG_$config" "6.1.0-$config-test" "$lacking"
done

ok "dkms remove" quietly dkms remove "$id" --all
is "$(dkms status "$id" 2>&1)" "" "and it is gone"
is "$(find "$SCRATCH/lib" -name 'ringtail.ko*')" "" "so is the module"
ok "make uninstall-dkms" make -s uninstall-dkms DESTDIR="$SCRATCH"
fails "and the sources" [ -e "$SCRATCH/usr/src/ringtail-$version" ]

# From a source tree: that of the archive.
ok "make dist" make -s dist B="$SCRATCH/dist"
tar -xf "$SCRATCH/dist/ringtail-$version.tar.gz" -C "$SCRATCH"
ok "dkms add of a source tree" quietly dkms add "$SCRATCH/ringtail-$version"
like "$(dkms status "$id" 2>&1)" "$id: added" "dkms status says so"
# A second build takes minutes; the sources are those that the first one had.
if [ "${RT_LEVEL:-all}" != default ]; then
	out=$(dkms build "$id" -k "$KRELEASE" --kernelsourcedir "$KDIR" 2>&1)
	is $? 0 "dkms build" || dkms_said "$out"
	like "$(dkms status "$id" 2>&1)" "$KRELEASE, $(uname -m): built" "dkms status says so"
fi

done_testing
