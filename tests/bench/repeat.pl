#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# repeat.pl FILE OUT EVENTS - a longer recording: FILE's samples over and over, each time
# later by the length of the recording, until there are EVENTS of them.
#
# Needs a little-endian file of events that all begin with the same identifier, ip, tid
# and time (what perf record writes with several events or -a).

use strict;
use warnings;

my ($in, $out, $want) = @ARGV;
use constant { HEADER => 104, SAMPLE => 9, ROUND => 68, IP => 1, TID => 2, TIME => 4, IDENTIFIER => 1 << 16 };

open my $file, '<:raw', $in or die "$in: $!\n";
my $data = do { local $/; <$file> };
my ($magic, $size, $attr_size, $attrs, $attrs_size, $at, $length) = unpack 'a8 Q<6', $data;
die "$in is not a perf.data file\n" unless $magic eq 'PERFILE2' && $size == HEADER;

# Where the time is in a sample: behind the header, in words.
my $sample_type = unpack 'Q<', substr $data, $attrs + 24, 8;
die "$in: samples without identifier, tid and time\n"
	unless ($sample_type & (IDENTIFIER | TID | TIME)) == (IDENTIFIER | TID | TIME);
my $time_at = 8 + 8 + ($sample_type & IP ? 8 : 0) + 8;

my (@head, @samples, $first, $last);
for (my $pos = $at; $pos < $at + $length;) {
	my ($type, $misc, $bytes) = unpack 'L< S< S<', substr $data, $pos, 8;
	my $record = substr $data, $pos, $bytes;
	if ($type == SAMPLE) {
		my $time = unpack 'Q<', substr $record, $time_at, 8;
		$first = $time if !defined $first || $time < $first;
		$last = $time if !defined $last || $time > $last;
		push @samples, [$time, $record];
	} elsif ($type < 64) {
		push @head, $record;
	}
	$pos += $bytes;
}
die "$in has no samples\n" unless @samples;
@samples = sort { $a->[0] <=> $b->[0] } @samples;

my $round = pack 'L< S< S<', ROUND, 0, 8;
my $span = $last - $first + 1000;
my $written = 0;
open my $new, '>:raw', $out or die "$out: $!\n";
print $new substr $data, 0, $at;
my $bytes = 0;
for (@head) { print $new $_; $bytes += length }
for (my ($n, $lap) = (0, 0); $n < $want; $lap++) {
	my $text = '';
	for (@samples) {
		last if $n++ >= $want;
		my $record = $_->[1];
		substr($record, $time_at, 8) = pack 'Q<', $_->[0] + $lap * $span;
		$text .= $record;
	}
	$text .= $round;
	print $new $text;
	$bytes += length $text;
}

# The header features move: their table is right behind the data, their places are absolute.
my $features = 0;
for my $word (unpack 'Q<4', substr $data, 72, 32) {
	for (; $word; $word &= $word - 1) { $features++ }
}
my $shift = $bytes - $length;
my $table = $at + $length;
for my $i (0 .. $features - 1) {
	my ($offset, $len) = unpack 'Q<2', substr $data, $table + 16 * $i, 16;
	print $new pack 'Q<2', $offset + $shift, $len;
}
print $new substr $data, $table + 16 * $features;
close $new or die "$out: $!\n";
open $new, '+<:raw', $out or die "$out: $!\n";
seek $new, 48, 0;
print $new pack 'Q<', $bytes;
close $new or die "$out: $!\n";
