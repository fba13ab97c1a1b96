#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0
#
# report-normal.pl - bring the text of `report --stdio` into an order that does not depend on how
# equal values are sorted.
#
# Lines with equal percentages may change places, with their call graphs.  In a call graph, each
# line becomes the whole path that leads to it, and the paths are sorted.
use strict;
use warnings;

my (@entries, @path);

sub text_of {
	my ($entry) = @_;
	return join("\n", $entry->{text}, sort @{ $entry->{graph} });
}

sub flush_entries {
	my @texts = map { { value => $_->{value}, text => text_of($_) } } @entries;
	@texts = sort { $b->{value} <=> $a->{value} || $a->{text} cmp $b->{text} } @texts;
	print "$_->{text}\n" for @texts;
	@entries = ();
	@path = ();
}

while (my $line = <STDIN>) {
	chomp $line;
	$line =~ s/\s+$//;
	if ($line =~ /^# \(.*\)$/) {
		print "# (tip)\n"; # perf prints a random one
	} elsif ($line =~ /^#/) {
		flush_entries();
		print "$line\n";
	} elsif ($line =~ /^\s{1,9}([\d.]+)%/) {
		push @entries, { text => $line, value => $1, graph => [] };
		@path = ();
	} elsif (@entries && $line =~ /^ {11}([\d.]+%?)$/) { # a stack of the flat style
		@path = ([ 11, $1 ]);
		push @{ $entries[-1]{graph} }, "\t$1";
	} elsif (@entries && $line =~ /^[\d.]+%? \S/) { # of the folded style
		push @{ $entries[-1]{graph} }, "\t$line";
	} elsif (@entries && $line =~ /^[ |]*$/) {
		next; # bars only
	} elsif (@entries && $line =~ /^([ |]*)(?:--([\d.]+%?)--|(---))?(.*)$/) {
		my ($bars, $value, $start, $name) = ($1, $2, $3, $4);
		# Names below a value begin 10 columns behind its bar, whatever its length.
		$name =~ s/^\[\.\.\.\] \(inlined\)$/[...]/; # perf reads memory that it did not set
		my $column = length($bars) + (defined $value ? 10 : $start ? 3 : 0);
		@path = grep { $_->[0] < $column } @path if defined $value;
		push @path, [ $column, defined $value ? "$value $name" : $name ];
		push @{ $entries[-1]{graph} }, "\t" . join(' > ', map { $_->[1] } @path);
	} else {
		flush_entries();
		print "$line\n";
	}
}
flush_entries();
