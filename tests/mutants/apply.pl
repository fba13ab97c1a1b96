#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# apply.pl LIST NAME DIRECTORY - put the mutant NAME of LIST into the sources in DIRECTORY.
# A mutant is a few lines: "== NAME", "file: PATH", "what: TEXT", "caught by: WHO", then what is
# replaced ("-") and by what ("+"), exactly, once.
use strict;
use warnings;

my ($list, $name, $dir) = @ARGV;
my ($in, $file, @hunks) = (0, undef);
open(my $f, '<', $list) or die "$list: $!\n";
while (<$f>) {
	chomp;
	if (/^== (.*)/) { $in = $1 eq $name; next }
	next unless $in;
	if (/^file: (.*)/) { $file = $1 }
	elsif (/^-(.*)/) {
		push @hunks, [ '', '' ] if !@hunks || $hunks[-1][1] ne '';
		$hunks[-1][0] .= "$1\n";
	} elsif (/^\+(.*)/) { $hunks[-1][1] .= "$1\n" }
}
die "no mutant $name in $list\n" unless $file && @hunks;
open($f, '<', "$dir/$file") or die "$dir/$file: $!\n";
my $text = do { local $/; <$f> };
for (@hunks) {
	my ($old, $new) = @$_;
	$old =~ s/\n$// unless index($text, $old) >= 0;	# the last line may go on
	$new =~ s/\n$// unless $old =~ /\n$/;
	my $at = index($text, $old);
	die "$name: not found in $file: $old\n" if $at < 0;
	die "$name: more than once in $file: $old\n" if index($text, $old, $at + 1) >= 0;
	substr($text, $at, length $old) = $new;
}
open($f, '>', "$dir/$file") or die "$dir/$file: $!\n";
print $f $text;
close $f;
