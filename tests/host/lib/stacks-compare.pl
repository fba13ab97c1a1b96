#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# stacks-compare.pl PERF OURS - two texts of the same samples, each with its stack.
#
# A stack is complete if it has the frame where a thread begins, which is the last but for
# what called that in Go.  Prints how many samples
# there are, how many stacks are complete in PERF and in OURS, of how many that are complete in
# PERF a frame is missing in OURS, and how many in OURS have a frame at -1.

use strict;
use warnings;

my $begins = qr/^(?:_start|_dl_start_user|thread_start|_{0,2}clone3?|runtime\.(?:goexit|mstart|rt0_go)(?:\.abi0)?)$/;

sub stacks {
	my ($file) = @_;
	open my $text, '<', $file or die "$file: $!\n";
	local $/ = '';
	my @stacks;
	while (<$text>) {
		my ($head, @frames) = split /\n/;
		push @stacks, [map { /^\s*([0-9a-f]+) (.*?)(?:\+0x[0-9a-f]+)? \(/ ? "$1 $2" : $_ } @frames];
	}
	return @stacks;
}

sub complete {
	my ($stack) = @_;
	return grep { /^\S+ (.*)/ && $1 =~ $begins } @$stack;
}

# Whether all of the first are among the second, in their order.
sub within {
	my ($few, $many) = @_;
	my $i = 0;
	for (@$many) { $i++ if $i < @$few && $_ eq $few->[$i] }
	return $i == @$few;
}

my @perf = stacks($ARGV[0]);
my @ours = stacks($ARGV[1]);
my ($by_perf, $by_us, $differ, $nowhere) = (0) x 4;
for my $i (0 .. $#perf) {
	my $our = $ours[$i] // [];
	$by_us++ if complete($our);
	$nowhere++ if grep /^f{16} /, @$our;
	next unless complete($perf[$i]);
	$by_perf++;
	$differ++ unless within($perf[$i], $our);
}
printf "%d %d %d %d %d\n", scalar @perf, $by_perf, $by_us, $differ, $nowhere;
