#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0
#
# diff-normal.pl - sort neighbouring lines of `diff` whose numbers are equal, or that have no value (N/A):
# their order is not defined.
use strict;
use warnings;

my ($numbers, @lines) = ('');

sub flush_lines {
	print sort @lines;
	@lines = ();
}

while (my $line = <STDIN>) {
	my ($value) = $line =~ m{^((?:[-+\s\d.,%()/*=]|N/A)*)};
	$value = 'N/A' if $value =~ m{N/A};
	flush_lines() if $line =~ /^#/ || $line !~ /\S/ || $value ne $numbers;
	$numbers = $value;
	push @lines, $line;
}
flush_lines();
