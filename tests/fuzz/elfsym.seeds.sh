#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# elfsym.seeds.sh DIRECTORY - small ELF files of every kind the reader knows.
set -e
out=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >a.c <<'C'
int data = 1;
static int hidden(int x) { return x + data; }
int seen(int x) { return hidden(x); }
int weak(int x) __attribute__((weak, alias("seen")));
C
cat >m.c <<'C'
#include <stdio.h>
int main(void) { puts("x"); return 0; }
C
cc -O1 -c -o "$out/object.o" a.c
cc -O1 -g -shared -fPIC -nostdlib -Wl,-z,max-page-size=4096 -Wl,--build-id -o "$out/library.so" a.c
cc -O1 -Wl,-z,max-page-size=4096 -o program m.c
strip -o "$out/program" program
objcopy --only-keep-debug program "$out/program.debug"
(cd "$out" && objcopy --add-gnu-debuglink=program.debug program linked)
strip -o mini "$out/library.so" --strip-debug
xz -f mini
objcopy --add-section .gnu_debugdata=mini.xz "$out/program" "$out/mini"
gzip -c "$out/object.o" >"$out/object.o.gz"
zstd -q -c "$out/object.o" >"$out/object.o.zst"
