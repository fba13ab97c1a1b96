#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0
#
# lint-tree.pl [--root DIR] [--rule NAME]… - the rules of the tree that no compiler checks.
#
#	layers		every include agrees with scripts/lib/layers.txt; the table has no cycle
#	headers		one header of each folder of user/ says what lives there, and "May use:" as the
#			table has it
#	cycles		no group of files includes itself in a circle
#	versions	RT_HAVE_* appears only in module/compat/
#	printing	libraries of user/ neither print nor exit
#	citations	functions, macros, structs and files cited in comments and docs exist
#	callers		a function of a header has a caller outside tests, or a reason in uncalled.txt
#	tags		a struct tag, enum tag or macro is defined in one place only; the program defines no
#			constant with a prefix of the contract
#
# Each finding is one line; the exit status says whether there was one.  tests/host/lint-rules.sh shows every
# rule failing.

use strict;
use warnings;
use File::Find;

my ($root, %only) = ('.');
while (@ARGV) {
	my $arg = shift @ARGV;
	if ($arg eq '--root') { $root = shift @ARGV }
	elsif ($arg eq '--rule') { $only{shift @ARGV} = 1 }
	else { die "lint-tree.pl: unknown option '$arg'\n" }
}
chdir $root or die "lint-tree.pl: $root: $!\n";

my $bad = 0;
sub complain { print STDERR "lint: @_\n"; $bad = 1 }

# --- the files -----------------------------------------------------------------------

my (%text, %code, %comments);	# by path: as it is; without comments and strings; comments only
sub load {
	my ($path) = @_;
	open my $in, '<:encoding(UTF-8)', $path or return;
	local $/;
	$text{$path} = <$in>;
}
find({ no_chdir => 1, wanted => sub {
	(my $path = $_) =~ s|^\./||;
	if (-d && $path =~ m{^(build|out|\.git)$}) { $File::Find::prune = 1; return }
	load($path) if -f && $path =~ m{^(module|user|include|tests)/.*\.[ch]$|^(docs/.*|[^/]*)\.md$|^scripts/lib/(layers|uncalled)\.txt$|^module/.*\.sh$|^scripts/(?!lib/lint-tree)[^.]*(\.sh|\.mk)?$|^tests/.*\.sh$|^Makefile$};
} }, '.');

for my $path (grep { /\.[ch]$/ } keys %text) {
	my ($code, $comments) = ('', '');
	# One pass over comments, strings and everything else; lines are kept.
	while ($text{$path} =~ m{\G(?:(/\*.*?\*/|//[^\n]*)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|([^/"']+|.))}gs) {
		if (defined $1) {
			$comments .= $1;
			(my $lines = $1) =~ s/[^\n]//g;
			$code .= " $lines";
		} elsif (defined $2) {
			$code .= '""';
		} else {
			$code .= $3;
			(my $lines = $3) =~ s/[^\n]//g;
			$comments .= $lines;
		}
	}
	($code{$path}, $comments{$path}) = ($code, $comments);
}
my @sources = sort grep { m{^(module|user|include)/} } keys %code;

sub line_of { my ($string, $at) = @_; return 1 + (substr($string, 0, $at) =~ tr/\n//) }

# --- includes -------------------------------------------------------------------------

# The file that PATH means by #include "NAME", or undef: a header of the system or of the build.
sub resolve {
	my ($path, $name) = @_;
	(my $dir = $path) =~ s|/[^/]*$||;
	my @from = $path =~ m{^module/} ? ("$dir/", 'module/', 'include/', 'include/uapi/')
					: ('user/', 'include/', 'include/uapi/', 'module/', "$dir/");
	for (@from) {
		my $file = "$_$name";
		1 while $file =~ s{[^/]+/\.\./}{};
		$file =~ s{(^|/)\./}{$1}g;
		return $file if exists $text{$file};
	}
	return undef;
}
my %includes;	# path => [ [line, file] … ]
for my $path (@sources) {
	while ($text{$path} =~ /^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]/mg) {
		my ($name, $line) = ($1, line_of($text{$path}, $-[0]));
		my $file = resolve($path, $name);
		push @{$includes{$path}}, [$line, $file] if $file;
	}
}

sub folder {
	my ($path) = @_;
	return 'uapi' if $path =~ m{^include/};
	return 'main' if $path eq 'user/main.c';
	$path =~ s|/[^/]*$||;
	$path =~ s{^(module/(?:compat|native))/.*}{$1};
	$path =~ s|^user/||;
	return $path;
}

my %may;	# folder => { folder => 1 … }, by layers.txt
sub read_layers {
	my @wrong;
	%may = ();
	my $line = 0;
	for (split /\n/, $text{'scripts/lib/layers.txt'} // '') {
		$line++;
		next if /^\s*(#|$)/;
		my ($name, $list) = /^(\S+):\s*(.*)$/ or push(@wrong, "layers.txt:$line: not FOLDER: FOLDER…"), next;
		for (split ' ', $list) {
			push @wrong, ("layers.txt:$line: $name may use $_, which is not defined above it") unless $may{$_};
		}
		$may{$name} = { map { $_ => 1 } $name, split ' ', $list };
	}
	return @wrong;
}

sub layers {
	complain($_) for read_layers();
	for my $path (@sources) {
		my $from = folder($path);
		complain("$path: the folder $from is not in scripts/lib/layers.txt"), next unless $may{$from};
		for (@{$includes{$path} // []}) {
			my ($at, $file) = @$_;
			my $to = folder($file);
			complain("$path:$at: $from may not include $file (scripts/lib/layers.txt)") unless $may{$from}{$to};
		}
	}
}

# One header of each folder of the program repeats its line, for those who read the header.
sub headers {
	read_layers();
	my %said;
	for my $path (grep { m{^user/.*\.h$} } @sources) {
		my ($list) = $comments{$path} =~ /May use:((?:[^.;]|\.h)*)[.;]/ or next;
		$list =~ s/\n \*//g;
		my $from = folder($path);
		complain("$path: $said{$from} says what $from may use already") if $said{$from};
		$said{$from} = $path;
		my $names = join ' ', sort grep { $_ ne 'nothing' } split /[\s,]+/, $list =~ s/^\s+//r;
		my $table = join ' ', sort grep { $_ ne $from } keys %{$may{$from} // {}};
		complain("$path: says that $from may use '$names', layers.txt says '$table'") if $names ne $table;
	}
	for my $from (sort keys %{{ map { folder($_) => 1 } grep { m{^user/.*/} } @sources }}) {
		complain("no header of user/$from says 'May use:'") unless $said{$from};
	}
}

# Tarjan's strongly connected components over the units: a .c with its .h is one.  A header called
# internal.h is the common inside of its folder; a header without a .c is no unit of its own.
sub cycles {
	my (%edge, %index, %low, %on, @stack, $next);
	(my $unit = sub { (my $u = $_[0]) =~ s/\.[ch]$//; $u });
	for my $path (grep { !m{/internal\.h$} } @sources) {
		$edge{$unit->($path)}{$unit->($_->[1])} = 1 for grep { $_->[1] !~ m{/internal\.h$} } @{$includes{$path} // []};
	}
	$next = 0;
	my $visit;
	$visit = sub {
		my ($v) = @_;
		$index{$v} = $low{$v} = $next++;
		push @stack, $v;
		$on{$v} = 1;
		for my $w (sort keys %{$edge{$v} // {}}) {
			if (!exists $index{$w}) {
				$visit->($w);
				$low{$v} = $low{$w} if $low{$w} < $low{$v};
			} elsif ($on{$w}) {
				$low{$v} = $index{$w} if $index{$w} < $low{$v};
			}
		}
		return if $low{$v} != $index{$v};
		my @group;
		while (1) {
			my $w = pop @stack;
			delete $on{$w};
			push @group, $w;
			last if $w eq $v;
		}
		@group = sort grep { exists $text{"$_.c"} } @group;
		complain("these files include each other in a circle: @group") if @group > 1;
	};
	no warnings 'recursion';
	for (sort keys %edge) { $visit->($_) unless exists $index{$_} }
}

sub versions {
	for my $path (grep { m{^(module|user)/} && !m{^module/compat/} } @sources) {
		while ($code{$path} =~ /\b(RT_HAVE_\w+)/g) {
			complain("$path:" . line_of($code{$path}, $-[0]) . ": $1 belongs to module/compat/");
		}
	}
}

sub printing {
	for my $path (grep { m{^user/} && !m{^user/(cmd|cli)/|^user/main\.c$} } @sources) {
		while ($code{$path} =~ /(?<![\w.>])(printf|vprintf|puts|putchar|perror|exit|abort|err|errx|warn|warnx)\s*\(|\b(stdout|stderr)\b/g) {
			my $what = $1 // $2;
			complain("$path:" . line_of($code{$path}, $-[0]) . ": a library neither prints nor exits: $what");
		}
	}
}

# Words that may be cited: everything that occurs outside comments.
my %words;
sub words {
	return if %words;
	for (values %code) { $words{$_} = 1 for /\b([A-Za-z_]\w*)\b/g }
	for my $path (grep { !/\.[ch]$/ && !/\.md$/ } keys %text) { $words{$_} = 1 for $text{$path} =~ /\b((?:RT|rt)_\w+)\b/g }
}

sub citations {
	words();
	my %base;
	for (keys %text) { (my $b = $_) =~ s|.*/||; $base{$b} = 1 }
	my %where = (%comments, map { $_ => $text{$_} } grep { /\.md$/ } keys %text);
	for my $path (sort grep { !m{^tests/} } keys %where) {
		my $said = $where{$path};
		while ($said =~ /(?<![\w-])(rt_[a-z0-9_]+[a-z0-9](?![\w*-])|RT_[A-Z0-9_]+[A-Z0-9](?![\w*]))/g) {
			my $word = $1;
			next if $words{$word} || $word =~ /_X$|_frob/i; # the examples of docs/compat.md
			# The beginning of a family, "rt_write_…", or a file or module of the tests.
			next if substr($said, $+[0], 3) =~ /^(\.|…|\*|_|\{)/ || -e "tests/modules/$word.c" || -e "tests/programs/$word.c";
			complain("$path:" . line_of($said, $-[0]) . ": cites $word, which does not exist");
		}
		next if $path =~ /\.md$/;
		while ($said =~ m{(?<![\w/.-])((?:[a-z0-9_]+/)*[a-z0-9_]+\.[ch])\b(?![\w-])}g) {
			my $name = $1;
			my ($line, $last) = (line_of($said, $-[0]), $name =~ m{([^/]*)$});
			next if $name =~ m{^(asm|linux|sys|net|trace|include|kernel|arch|drivers|fs|mm)/} || $base{$last};
			complain("$path:$line: cites $name, which does not exist");
		}
	}
}

sub callers {
	my (%declared, %used);
	for my $path (grep { /\.h$/ && !m{^include/} } @sources) {
		my $code = $code{$path};
		1 while $code =~ s/\{[^{}]*\}/;/s;	# bodies and members
		while ($code =~ /\b(rt_\w+)\s*\([^;{}]*\)[^;{}()]*;/g) { $declared{$1} //= $path }
	}
	# Everywhere a function's name stands, but where it is declared or defined.
	for my $path (@sources) {
		my $code = $code{$path};
		$code =~ s/^[A-Za-z_][^\n;{}()=]*?\b(rt_\w+)\s*\(//mg;
		$used{$_}++ for $code =~ /\b(rt_\w+)\b/g;
	}
	for (grep { m{^module/.*\.sh$} } keys %text) { $used{$_}++ for $text{$_} =~ /\b(rt_\w+)\b/g }
	my %excused;
	for (split /\n/, $text{'scripts/lib/uncalled.txt'} // '') {
		next if /^\s*(#|$)/;
		my ($name, $why) = /^(\w+)\s+(\S.*)$/ or complain("uncalled.txt: no reason: $_"), next;
		$excused{$name} = 1;
		complain("uncalled.txt: $name " . ($declared{$name} ? 'has a caller' : 'is not declared') . ': remove its line')
			if !$declared{$name} || $used{$name};
	}
	for (sort keys %declared) {
		complain("$declared{$_}: nobody calls $_() but tests, if anybody") unless $used{$_} || $excused{$_};
	}
}

sub tags {
	my %at;
	for my $path (@sources) {
		my $code = $code{$path};
		while ($code =~ /^[ \t]*(?:typedef\s+|static\s+(?:const\s+)?)?(struct|union|enum)\s+(rt_\w+)\s*\{/mg) { push @{$at{"$1 $2"}}, $path }
		while ($code =~ /^[ \t]*#[ \t]*define[ \t]+(RT_\w+)/mg) { push @{$at{$1}}, $path unless $path =~ m{^module/(compat|native)/|_port\.h$} }
	}
	for my $tag (sort keys %at) {
		my %seen = map { $_ => 1 } @{$at{$tag}};
		complain("$tag is defined in " . join(' and ', sort keys %seen)) if keys %seen > 1;
	}
	# RT_WORD_… of the contract is no prefix for constants of the program.
	my %contract;
	for my $path (grep { m{^include/} } @sources) {
		$contract{$1} //= $path while $code{$path} =~ /^[ \t]*(?:#[ \t]*define[ \t]+)?RT_([A-Z0-9]+)_\w+\b[ \t]*(?:=|,|\(|[0-9]|$)/mg;
	}
	for my $path (grep { m{^user/} } @sources) {
		while ($code{$path} =~ /^[ \t]*(?:#[ \t]*define[ \t]+(RT_([A-Z0-9]+)_\w+)[ \t]+\S|(RT_([A-Z0-9]+)_\w+)[ \t]*(?:=[^=]|,[ \t]*$))/mg) {
			my ($name, $word, $enum, $at) = ($1 // $3, $2 // $4, defined $3, $-[0]);
			next if $enum && substr($code{$path}, 0, $at) !~ /\benum\b[^{};]*\{[^{};]*$/s;
			complain("$path:" . line_of($code{$path}, $at) . ": $name has the prefix of $contract{$word}") if $contract{$word};
		}
	}
}

my @rules = (layers => \&layers, headers => \&headers, cycles => \&cycles, versions => \&versions, printing => \&printing,
	citations => \&citations, callers => \&callers, tags => \&tags);
while (my ($name, $run) = splice @rules, 0, 2) { $run->() if !%only || $only{$name} }
exit $bad;
