// SPDX-License-Identifier: GPL-2.0
/* signing.c - Secure Boot, and whether this kernel would accept our module's signature. */
#include "doctor/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum {
	MODULE_LIMIT = 64 << 20,
	KEYS_LIMIT = 1 << 20,
	EFI_VARIABLE_ATTRIBUTES = 4, /* bytes in front of an EFI variable's value */
};

#define EFI_GLOBAL_GUID "8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define SIGNATURE_MAGIC "~Module signature appended~\n"
#define DKMS_KEY_DEBIAN "/var/lib/dkms/mok.pub"
#define DKMS_KEY_UBUNTU "/var/lib/shim-signed/mok/MOK.der"

static bool secure_boot_on(struct rt_doctor *m, bool *known)
{
	char path[PATH_MAX], *data;
	size_t size;
	bool on;

	*known = false;
	if (rt_file_read(rt_host_path(&m->host, path, "/sys/firmware/efi/efivars/SecureBoot-%s",
				      EFI_GLOBAL_GUID),
			 4096, &data, &size) < 0)
		return false;
	*known = true;
	on = size > EFI_VARIABLE_ATTRIBUTES && data[EFI_VARIABLE_ATTRIBUTES] == 1;
	free(data);
	return on;
}

static bool has_efi(struct rt_doctor *m)
{
	char path[PATH_MAX];

	return rt_file_exists(rt_host_path(&m->host, path, "/sys/firmware/efi"));
}

/*
 * Whether the kernel accepts only signed modules: by its own setting, or because it is locked down.
 */
static bool signatures_enforced(struct rt_doctor *m)
{
	char path[PATH_MAX], line[128];

	if (!rt_file_line(rt_host_path(&m->host, path, "/sys/module/module/parameters/sig_enforce"),
			  line, sizeof(line)) &&
	    line[0] == 'Y')
		return true;
	return !rt_file_line(rt_host_path(&m->host, path, "/sys/kernel/security/lockdown"), line,
			     sizeof(line)) &&
	       (strstr(line, "[integrity]") || strstr(line, "[confidentiality]"));
}

/*
 * Find the common name of the signer in the PKCS#7 block at the end of a module.  It is the value
 * after the attribute type 2.5.4.3, which DER writes as 06 03 55 04 03, then a string tag, then its
 * length.
 */
static bool signer_name(const char *data, size_t size, char *name, size_t room)
{
	static const char common_name[] = { 6, 3, 0x55, 4, 3 };
	const size_t magic = sizeof(SIGNATURE_MAGIC) - 1;
	const char *at;
	size_t len;

	if (size < magic || memcmp(data + size - magic, SIGNATURE_MAGIC, magic))
		return false;
	snprintf(name, room, "an unnamed key");
	/* The block has a few hundred bytes; nothing before it can be the signer. */
	len = size < 4096 ? size : 4096;
	at = memmem(data + size - len, len, common_name, sizeof(common_name));
	if (!at || at + 7 > data + size)
		return true;
	len = (unsigned char)at[6];
	if (at + 7 + len <= data + size && len < room) {
		memcpy(name, at + 7, len);
		name[len] = 0;
	}
	return true;
}

static bool key_enrolled(struct rt_doctor *m, const char *name)
{
	char path[PATH_MAX], *keys;
	bool found;

	if (rt_file_read(rt_host_path(&m->host, path, "/proc/keys"), KEYS_LIMIT, &keys, NULL) < 0)
		return false;
	found = strstr(keys, name) != NULL;
	free(keys);
	return found;
}

/* The number of certificates in the kernel's keyrings: built in, from the firmware, or enrolled. */
static int keys_trusted(struct rt_doctor *m)
{
	char path[PATH_MAX], *keys, *at;
	int n = 0;

	if (rt_file_read(rt_host_path(&m->host, path, "/proc/keys"), KEYS_LIMIT, &keys, NULL) < 0)
		return 0;
	for (at = keys; (at = strstr(at, " asymmetri")); at++)
		n++;
	free(keys);
	return n;
}

static void advise_enrolling(struct rt_doctor *m, struct rt_finding *f)
{
	char path[PATH_MAX];
	const char *key = DKMS_KEY_DEBIAN;

	if (rt_file_exists(rt_host_path(&m->host, path, DKMS_KEY_UBUNTU)))
		key = DKMS_KEY_UBUNTU;
	rt_finding_fix(f, "mokutil --import %s   # then reboot and confirm in the blue screen",
		       key);
}

bool rt_signature_refused(struct rt_doctor *m, const char *path, struct rt_finding *f)
{
	char name[128], *data;
	size_t size, len = strlen(path);
	bool is_signed;

	if (!signatures_enforced(m))
		return false;
	/* The signature of a compressed module is inside; only the kernel could check it. */
	if (len < 3 || strcmp(path + len - 3, ".ko"))
		return false;
	if (rt_file_read(path, MODULE_LIMIT, &data, &size) < 0)
		return false;
	is_signed = signer_name(data, size, name, sizeof(name));
	free(data);
	if (!is_signed) {
		rt_finding_set(
			f, RT_VERDICT_FAIL,
			"installed but not signed, and this kernel takes only signed modules");
		rt_finding_fix(
			f, "dkms remove ringtail/%s --all; dkms install ringtail/%s   # signs it",
			RT_VERSION, RT_VERSION);
		return true;
	}
	if (key_enrolled(m, name))
		return false;
	rt_finding_set(f, RT_VERDICT_FAIL, "signed by '%s', a key this kernel does not trust",
		       name);
	advise_enrolling(m, f);
	return true;
}

void rt_check_secure_boot(struct rt_doctor *m, struct rt_finding *f)
{
	bool known, on = secure_boot_on(m, &known);
	const char *rule = signatures_enforced(m) ? "only signed modules are taken" :
						    "unsigned modules are taken";

	/* A machine with EFI whose variables are not mounted may have it on. */
	rt_finding_set(f, known || !has_efi(m) ? RT_VERDICT_OK : RT_VERDICT_UNCHECKED,
		       "%s; %s; %d keys enrolled",
		       on	  ? "on" :
		       known	  ? "off" :
		       has_efi(m) ? "its EFI variable cannot be read" :
				    "this machine has no EFI",
		       rule, keys_trusted(m));
}
