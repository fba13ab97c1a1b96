// SPDX-License-Identifier: GPL-2.0
/* A dump of any format made of arbitrary bytes, and everything that extracting reads in it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "flight/extract.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	struct rt_bytes bytes;
	const uint8_t *data;
};

static size_t read_input(struct rt_bytes *b, uint64_t at, void *to, size_t bytes)
{
	const struct input *in = (const struct input *)b;

	if (at >= b->size)
		return 0;
	if (bytes > b->size - at)
		bytes = b->size - at;
	memcpy(to, in->data + at, bytes);
	return bytes;
}

static void close_input(struct rt_bytes *b)
{
	free(b);
}

static struct rt_bytes *input_of(const uint8_t *data, size_t size)
{
	struct input *in = malloc(sizeof(*in));

	in->bytes = (struct rt_bytes){ .read = read_input, .close = close_input, .size = size };
	in->data = data;
	return &in->bytes;
}

static void extract(const struct rt_image *image)
{
	static const struct rt_flight_options look = { 0 };
	struct rt_flight_found found;
	struct rt_err err;
	size_t i;

	for (i = 0; i < image->sessions; i++) {
		if (!rt_flight_extract(image, &image->session[i], &look, &found, &err) &&
		    found.unknown > found.records)
			abort();
		rt_flight_found_free(&found);
	}
}

/* The first byte says whether the rest is one dump or the two parts of a split one. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rt_bytes *bytes[2];
	struct rt_memory *memory;
	struct rt_image image;
	struct rt_err err;
	size_t count, half;

	if (size < 2)
		return 0;
	count = data[0] & 1 ? 2 : 1;
	half = (size - 1) / count;
	bytes[0] = input_of(data + 1, half);
	if (count == 2)
		bytes[1] = input_of(data + 1 + half, size - 1 - half);
	if (rt_memory_of(bytes, count, data[0] & 2, &memory, &err))
		return 0;
	if (!rt_image_find(&image, memory, &err)) {
		extract(&image);
		rt_image_free(&image);
	}
	memory->ops->close(memory);
	return 0;
}
