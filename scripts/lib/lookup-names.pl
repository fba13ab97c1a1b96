#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0
#
# lookup-names.pl [ROOT] - the names that the module looks up in the kernel (module/kernel/lookup.h), one a line: read from the
# source, for the table of docs/safety.md.
#
# A call has the name itself, or an element of an array or a macro that has names.  What else a call has is an error, unless
# %given says that the name comes from elsewhere.

use strict;
use warnings;
use File::Find;

my $root = shift // '.';
my $lookups = qr/rt_lookup_(?:name|callable|function)/;

# FILE ARGUMENT: who gives the name.
my %given = (
	'module/kernel/lookup.c name' => 'its callers',
	'module/kernel/lookup.c functions[i].name' => 'the table of that file, read below',
	'module/source/kprobe_check.c function' => 'the user, who probes that function',
	'module/session/side.c function' => 'the calls of side_listen(), read below',
);

my (%code, %names, $bad);
find({ no_chdir => 1, wanted => sub {
	return unless m{\.[ch]$};
	open my $in, '<', $_ or die "lookup-names.pl: $_: $!\n";
	local $/;
	my $text = <$in>;
	$text =~ s{/\*.*?\*/}{ }gs;
	(my $path = $_) =~ s{^\Q$root\E/}{};
	$code{$path} = $text;
} }, "$root/module");
die "lookup-names.pl: no module below $root\n" unless %code;

# The strings of all definitions of a macro, wherever it is defined.
sub macro {
	my ($name) = @_;
	my @found;
	for my $text (values %code) {
		push @found, $1 =~ /"([^"]+)"/g while $text =~ /^#define\s+\Q$name\E\s+((?:.*\\\n)*.*)$/mg;
	}
	return @found;
}

# The strings of an initialiser, also those behind macros.
sub initialiser {
	my ($list) = @_;
	my @found = $list =~ /"([^"]+)"/g;
	(my $rest = $list) =~ s/"[^"]*"//g;
	push @found, macro($_) for grep { !/^RT_LOOKUP_/ } $rest =~ /\b([A-Z][A-Z0-9_]+)\b/g;
	return @found;
}

sub named {
	my ($path, @found) = @_;
	$names{$_} = 1 for @found;
	return @found;
}

for my $path (sort keys %code) {
	my $text = $code{$path};
	while ($text =~ /\b$lookups\(([^(),]+)/g) {
		my $argument = $1;
		$argument =~ s/^\s+|\s+$//g;
		next if $argument =~ /^(const )?char \*/ || $given{"$path $argument"}; # a declaration, or not ours
		next if $argument =~ /^"([^"]+)"$/ && named($path, $1);
		next if $argument =~ /^[A-Z][A-Z0-9_]+$/ && named($path, macro($argument));
		next if $argument =~ /^(\w+)\[\w+\]$/ && $text =~ /\b\Q$1\E\[\][^=;]*=\s*\{(.*?)\};/s && named($path, initialiser($1));
		print STDERR "lookup-names.pl: $path: where does '$argument' get its names?\n";
		$bad = 1;
	}
	# A lookup that is handed on: compat calls it with a name.
	while ($text =~ /\b(\w+)\(rt_lookup_callable\)/g) {
		my $macro = $1;
		my $found = 0;
		for (values %code) {
			while (/^#define\s+\Q$macro\E\((\w+)\)\s+((?:.*\\\n)*.*)$/mg) {
				my ($find, $body) = ($1, $2);
				$found += named($path, $1) while $body =~ /\b\Q$find\E\("([^"]+)"\)/g;
			}
		}
		next if $found;
		print STDERR "lookup-names.pl: $path: $macro() has no names\n";
		$bad = 1;
	}
}

# The two tables.
my $table = $code{'module/kernel/lookup.c'} // '';
my $ok = $table =~ /\bfunctions\[\] = \{(.*?)\n\};/s && named('', initialiser($1));
my $side = $code{'module/session/side.c'} // '';
my $listens = 0;
$listens += named('', $1) while $side =~ /\bside_listen\([^,()]+(?:\[[^]]*\])?,\s*"([^"]+)"/g;
while ($side =~ /\bside_listen\([^,]+,\s*([A-Z][A-Z0-9_]+)\s*,/g) { $listens += named('', macro($1)) }
if (!$ok || !$listens) {
	print STDERR "lookup-names.pl: the table of lookup.c or the calls of side.c are not understood\n";
	$bad = 1;
}
print "$_\n" for sort keys %names;
exit($bad ? 1 : 0);
