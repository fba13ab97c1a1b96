#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0
#
# perfdata-hit.pl SEED FILE COPY - copy a file and change eight of its bytes at random.
use strict;
use warnings;

my ($seed, $in, $out) = @ARGV;
srand $seed;
open my $from, '<:raw', $in or die "$in: $!\n";
my $bytes = do { local $/; <$from> };
substr($bytes, int rand length $bytes, 1) = chr int rand 256 for 1 .. 8;
open my $to, '>:raw', $out or die "$out: $!\n";
print $to $bytes;
