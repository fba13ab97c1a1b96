#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC2154 # dracut sets initdir and moddir
#
# dracut: take the program, the module and the flights into the initramfs, if there are flights that begin at boot.

check() {
	[ -n "$(ls /etc/ringtail/flight.d 2>/dev/null)" ] || return 255
	require_binaries /usr/local/bin/ringtail modprobe || return 1
}

installkernel() {
	instmods ringtail
}

install() {
	inst /usr/local/bin/ringtail /usr/bin/ringtail
	inst_multiple modprobe mount umount
	inst_multiple /etc/ringtail/flight.d/*
	inst_hook pre-mount 10 "$moddir/ringtail-flight.sh"
}
