// SPDX-License-Identifier: GPL-2.0
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>

#include <uapi/ringtail.h>

#include "device.h"
#include "info.h"
#include "rings.h"
#include "session.h"

/*
 * The file mode already keeps everyone but root out; a root that was stripped
 * of its capabilities (a container, a confined service) is kept out here.
 * capable() asks in the initial user namespace: root inside one of its own is
 * nobody here.
 */
static int device_open(struct inode *inode, struct file *file)
{
	struct rt_session *session;

	if (!perfmon_capable())
		return -EPERM;
	session = rt_session_new();
	if (!session)
		return -ENOMEM;
	file->private_data = session;
	return nonseekable_open(inode, file);
}

/* Also when the agent is killed: everything it armed goes with it. */
static int device_release(struct inode *inode, struct file *file)
{
	rt_session_free(file->private_data);
	return 0;
}

static int device_mmap(struct file *file, struct vm_area_struct *vma)
{
	return rt_rings_map(file->private_data, vma);
}

static __poll_t device_poll(struct file *file, poll_table *table)
{
	struct rt_session *session = file->private_data;

	poll_wait(file, &session->wait, table);
	return rt_rings_ready(session) ? EPOLLIN | EPOLLRDNORM : 0;
}

static long device_ioctl(struct file *file, unsigned int number, unsigned long argument)
{
	if (number == RT_IOC_INFO)
		return rt_info_call((void __user *)argument);
	return rt_session_call(file->private_data, number, (void __user *)argument);
}

static const struct file_operations device_operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.mmap = device_mmap,
	.poll = device_poll,
	.unlocked_ioctl = device_ioctl,
	/* The structs are laid out alike for 32-bit programs. */
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = RT_DEVICE_NAME,
	.fops = &device_operations,
	.mode = 0600,
};

int rt_device_init(void)
{
	return misc_register(&device);
}

void rt_device_exit(void)
{
	misc_deregister(&device);
}
