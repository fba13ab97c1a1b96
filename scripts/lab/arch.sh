# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one program in several files
#
# arch.sh - everything that differs between architectures, as facts in one table, so
# that no other file asks which architecture it is on.

declare -A ARCH_FACTS=(
	# Debian's name, the kernel's name, the GNU triplet, and its form in package names
	[arm64.deb]=arm64
	[arm64.kernel]=arm64
	[arm64.triplet]=aarch64-linux-gnu
	[arm64.package]=aarch64-linux-gnu
	[x86_64.deb]=amd64
	[x86_64.kernel]=x86
	[x86_64.triplet]=x86_64-linux-gnu
	[x86_64.package]=x86-64-linux-gnu

	# the kernel image: make target, and where the build leaves it
	[arm64.image]=arch/arm64/boot/Image.gz
	[x86_64.image]=arch/x86/boot/bzImage

	# What QEMU boots when it emulates.  A bzImage unpacks itself, which takes an emulated
	# CPU longer than booting does, so x86 starts the ELF image through its PVH entry; only
	# the unpacker randomises addresses, so --kaslr takes vmlinuz.
	[arm64.boot]=vmlinuz
	[x86_64.boot]=vmlinux

	# QEMU: program, machine, CPU when emulated (also for a flavour that wants another),
	# first serial line.  cortex-a72 has a PMU, 6 breakpoints and 4 watchpoints, but no 16k
	# pages; -cpu max with real pointer authentication crawls.
	[arm64.qemu]=qemu-system-aarch64
	[arm64.machine]='virt,gic-version=max'
	[arm64.cpu]=cortex-a72
	[arm64.cpu-16k]='max,pauth-impdef=on'
	[arm64.console]=ttyAMA0
	[x86_64.qemu]=qemu-system-x86_64
	[x86_64.machine]=q35
	[x86_64.cpu]=max
	[x86_64.console]=ttyS0

	# How QEMU emulates.  With a thread for each x86 CPU it loses its way in code that is being
	# patched: a kernel that turns one of its static branches on and off while the other CPU runs
	# over it dies of a stray int3 within seconds, ringtail or not (QEMU 7.2 and 10.0, Linux 6.1 and
	# 7.2).  Probes are such patches.
	[arm64.accel]=tcg
	[x86_64.accel]='tcg,thread=single'

	# Further words for the kernel.  x86 tries its timer for a moment and panics if too few
	# ticks came, which on a busy host says nothing about the timer.
	[x86_64.append]=no_timer_check

	[arm64.other]=x86_64
	[x86_64.other]=arm64
)

# arch_fact ARCH FACT
arch_fact() { printf '%s' "${ARCH_FACTS[$1.$2]-}"; }

case $(uname -m) in
aarch64) HOST_ARCH=arm64 ;;
x86_64) HOST_ARCH=x86_64 ;;
*) rt_die "the lab runs on arm64 and x86_64 hosts, this is $(uname -m)" ;;
esac

# arch_check ARCH
arch_check() {
	[ -n "${ARCH_FACTS[$1.deb]-}" ] || rt_die "no architecture '$1'; there are arm64 and x86_64"
}
