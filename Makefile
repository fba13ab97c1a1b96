# SPDX-License-Identifier: GPL-2.0
#
# make                 the user program, build/ringtail
# make module KDIR=…   ringtail.ko for one kernel, build/module/<release>/ringtail.ko
# make help            everything else

VERSION := 0.1.0

# Where things are built.  Variants get directories of their own, so that their
# objects never mix with the ordinary ones.
B ?= build
ifeq ($(SAN),1)
O := $(B)/san
else ifeq ($(FUZZ),1)
O := $(B)/fuzz
else ifeq ($(STATIC),1)
O := $(B)/static
else
O := $(B)
endif

CC         ?= gcc
ifneq ($(CROSS_COMPILE),)
CC         := $(CROSS_COMPILE)gcc
endif
ifeq ($(FUZZ),1)
CC         := $(or $(shell command -v clang || command -v clang-14),clang)
endif
PKG_CONFIG ?= pkg-config
PREFIX     ?= /usr/local

ifneq ($(filter-out module% %-dkms uninstall lint% dist clean help,$(or $(MAKECMDGOALS),all)),)
include scripts/lib/libraries.mk
endif

# A compiler that is newer than the tree may warn of more.  scripts/check sets WERROR=1.
WARN     := -Wall -Wextra $(if $(filter 1,$(WERROR)),-Werror) -Wmissing-prototypes -Wstrict-prototypes -Wshadow \
	    -Wpointer-arith -Wwrite-strings -Wno-unused-parameter -Wno-missing-field-initializers
CFLAGS   ?= -O2 -g
CPPFLAGS += -D_GNU_SOURCE -DRT_VERSION='"$(VERSION)"' -Iinclude -Iinclude/uapi -Iuser -Imodule
ALL_CFLAGS := -std=gnu99 $(WARN) $(CFLAGS) $(LIB_CFLAGS)
ifeq ($(SAN),1)
ALL_CFLAGS += -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
ifeq ($(FUZZ),1)
ALL_CFLAGS += -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -O1
endif
ifeq ($(STATIC),1)
LDFLAGS += -static
endif

# The program is user/main.c over a library of everything else, so that unit
# tests link exactly what the program runs.
LIB_SRC  := $(sort $(filter-out user/main.c,$(shell find user -name '*.c')))
# Parts of the module that are also built, tested and fuzzed on the host.
LIB_SRC  += $(sort $(wildcard module/program/*.c module/watch/a64_*.c module/watch/x86_*.c))
# Scripts and styles of the pages that the program writes, as C source.
ASSETS   := $(sort $(wildcard user/draw/assets/*))
LIB_OBJ  := $(LIB_SRC:%.c=$(O)/obj/%.o) $(O)/obj/assets.o
$(O)/obj/module/%.o: ALL_CFLAGS += -std=gnu89 -Wdeclaration-after-statement
# user/base/memory.c notes what fails.
LIB_LIBS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray

TEST_SRC := $(sort $(wildcard tests/unit/*.c))
TESTS    := $(TEST_SRC:tests/unit/%.c=$(O)/unit/%)

# One short line a step; V=1 shows the commands.
ifeq ($(V),1)
say =
Q   =
else ifneq ($(findstring s,$(firstword -$(MAKEFLAGS))),)
say =
Q   = @
else
say = @printf '  %-7s %s\n' $(1) $(2)
Q   = @
endif

all: $(O)/ringtail

$(O)/ringtail: $(O)/obj/user/main.o $(O)/libringtail.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIB_LIBS) -lpthread

$(O)/libringtail.a: $(LIB_OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

$(O)/obj/%.o: %.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(O)/obj/assets.c: scripts/lib/embed.sh $(ASSETS)
	$(call say,EMBED,$@)
	@mkdir -p $(@D)
	$(Q)scripts/lib/embed.sh $(ASSETS) >$@

$(O)/obj/assets.o: $(O)/obj/assets.c Makefile
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Every system call that the C compiler's headers number.
$(O)/obj/syscalls.inc: Makefile
	@mkdir -p $(@D)
	$(Q)echo '#include <asm/unistd.h>' | $(CC) $(CPPFLAGS) -E -dM - | \
		sed -n 's/^#define __NR_\([a-z_][a-z0-9_]*\) .*/{ "\1", __NR_\1 },/p' | sort >$@.new
	@[ -s $@.new ] && mv $@.new $@

$(O)/obj/user/events/syscall_number.o: $(O)/obj/syscalls.inc
$(O)/obj/user/events/syscall_number.o: ALL_CFLAGS += -I$(O)/obj

$(O)/unit/%: tests/unit/%.c $(O)/libringtail.a
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests/unit $(ALL_CFLAGS) -MMD -MP $(LDFLAGS) -o $@ $< $(O)/libringtail.a $(LIB_LIBS) -lpthread

unit: $(TESTS)

# Compile all, link nothing: what another compiler says of the tree.
objects: $(O)/obj/user/main.o $(LIB_OBJ)

# Torture and host benchmarks: build/torture/NAME, build/bench/NAME
define HOST_PROGRAM
$$(O)/$(1)/%: tests/$(1)/%.c $$(O)/libringtail.a
	$$(call say,CC,$$<)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CPPFLAGS) -Itests/unit $$(ALL_CFLAGS) -MMD -MP $$(LDFLAGS) -o $$@ $$< $$(O)/libringtail.a $$(LIB_LIBS) -lpthread
endef
$(foreach d,torture bench,$(eval $(call HOST_PROGRAM,$(d))))
$(O)/bench/btf_parse: LIB_LIBS += -lbpf

# libFuzzer targets: make FUZZ=1 fuzz, then build/fuzz/target/NAME CORPUS…
FUZZERS := $(patsubst tests/fuzz/%.c,$(O)/target/%,$(sort $(wildcard tests/fuzz/*.c)))

$(O)/target/%: tests/fuzz/%.c $(O)/libringtail.a
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -fsanitize=fuzzer -MMD -MP -o $@ $< $(O)/libringtail.a $(LIB_LIBS) -lpthread

fuzz: $(FUZZERS)

-include $(shell find $(O)/obj $(O)/unit $(O)/torture $(O)/bench $(O)/target -name '*.d' 2>/dev/null)

# --- install ----------------------------------------------------------------------

MAN_PAGES := $(wildcard docs/man/*.1)
bindir    := $(DESTDIR)$(PREFIX)/bin
mandir    := $(DESTDIR)$(PREFIX)/share/man/man1
compdir   := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
udevdir   := $(DESTDIR)/usr/lib/udev/rules.d
# What starts flights at boot: where each system looks for it.  The script for old init systems is linked to /etc/init.d by hand.
unitdir   := $(DESTDIR)/usr/lib/systemd/system
initdir   := $(DESTDIR)$(PREFIX)/share/ringtail/init
ramfsdir  := $(DESTDIR)/usr/share/initramfs-tools
dracutdir := $(DESTDIR)/usr/lib/dracut/modules.d/90ringtail
BOOT_FILES = $(unitdir)/ringtail-flight.service $(initdir)/ringtail-flight $(ramfsdir)/hooks/ringtail \
	$(ramfsdir)/scripts/init-premount/ringtail $(dracutdir)/module-setup.sh $(dracutdir)/ringtail-flight.sh

install: install-user install-dkms

install-user: all
	install -D -m 755 $(O)/ringtail $(bindir)/ringtail
	install -d $(mandir)
	install -m 644 $(MAN_PAGES) $(mandir)
	install -D -m 644 share/bash-completion/ringtail $(compdir)/ringtail
	install -D -m 644 share/udev/60-ringtail.rules $(udevdir)/60-ringtail.rules
	install -D -m 644 share/systemd/ringtail-flight.service $(unitdir)/ringtail-flight.service
	install -D -m 755 share/init/ringtail-flight $(initdir)/ringtail-flight
	install -D -m 755 share/initramfs-tools/hooks/ringtail $(ramfsdir)/hooks/ringtail
	install -D -m 755 share/initramfs-tools/scripts/init-premount/ringtail $(ramfsdir)/scripts/init-premount/ringtail
	install -D -m 755 share/dracut/90ringtail/module-setup.sh $(dracutdir)/module-setup.sh
	install -D -m 755 share/dracut/90ringtail/ringtail-flight.sh $(dracutdir)/ringtail-flight.sh
	sed -i 's,/usr/local/bin/ringtail,$(PREFIX)/bin/ringtail,' $(BOOT_FILES)

uninstall: uninstall-dkms
	rm -f $(bindir)/ringtail $(MAN_PAGES:docs/man/%=$(mandir)/%) $(compdir)/ringtail \
		$(udevdir)/60-ringtail.rules $(BOOT_FILES)

# --- the rest ---------------------------------------------------------------------

lint: lint-module
	scripts/lib/lint.sh

include module/module.mk

clean:
	rm -rf $(B)

help:
	@echo 'make                     build the user program: $(B)/ringtail'
	@echo 'make SAN=1               the same under ASan and UBSan: $(B)/san/ringtail'
	@echo 'make STATIC=1            without shared libraries: $(B)/static/ringtail'
	@echo 'make unit [SAN=1]        build the unit tests'
	@echo 'make objects             compile everything, link nothing'
	@echo 'make FUZZ=1 fuzz         build the fuzz targets: $(B)/fuzz/target/'
	@echo 'make module KDIR=DIR [ARCH=A CROSS_COMPILE=P]'
	@echo '                         build ringtail.ko for the kernel whose headers are in DIR'
	@echo 'make install, uninstall  program, man pages, completion, udev rule, DKMS registration'
	@echo 'make lint                style and static checks'
	@echo 'make dist                a source archive'
	@echo 'make clean'
	@echo
	@echo 'Variables: PREFIX=$(PREFIX) DESTDIR= CC= CFLAGS= B=$(B) V=1 WERROR=1'
	@echo 'Tests: scripts/check.  A first look: scripts/demo.'

.PHONY: all unit objects fuzz install install-user uninstall lint clean help
.DELETE_ON_ERROR:
