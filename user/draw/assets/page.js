// SPDX-License-Identifier: GPL-2.0
// The page of `report --html`: navigation, tabs, tables, and what a part of the time changes in them.
(function () {
'use strict';

const { make, grouped } = window.ringtail;

// --- navigation ------------------------------------------------------------------

const nav = document.querySelector('nav');
for (const s of document.querySelectorAll('section[id]'))
	nav.append(make('a', { href: '#' + s.id }, s.querySelector('h2').textContent));

// --- tabs --------------------------------------------------------------------------

// Choosing an event in one section chooses it in the others.
const choosers = [], parts = [];
for (const section of document.querySelectorAll('section')) {
	const tabs = Array.from(section.querySelectorAll(':scope > .tab'));
	if (!tabs.length) continue;
	const list = make('div', { class: 'tabs', role: 'tablist' });
	const names = tabs.map(t => t.querySelector('h3').textContent);
	const buttons = tabs.map(function (tab, i) {
		const b = make('button', { type: 'button', role: 'tab', title: names[i] }, names[i]);
		b.addEventListener('click', () => choose(names[i]));
		b.addEventListener('keydown', function (event) {
			const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0, next = buttons[i + step];
			if (step && next) { next.focus(); next.click(); }
		});
		return b;
	});
	list.append(...buttons);
	if (tabs.length > 1) tabs[0].before(list);
	section.classList.add('tabbed');
	// A single event needs its name where others are left out.
	if (tabs.length === 1 && section.id === 'values') section.classList.add('named');
	choosers.push(function (name) {
		const at = names.indexOf(name);
		if (at < 0) return;
		tabs.forEach(function (tab, i) {
			tab.hidden = i !== at;
			buttons[i].setAttribute('aria-selected', String(i === at));
			buttons[i].tabIndex = i === at ? 0 : -1;
		});
		for (const svg of tabs[at].querySelectorAll('svg.flame')) svg.dispatchEvent(new Event('show'));
	});
	choosers[choosers.length - 1](names[0]);
}
function choose(name) {
	for (const c of choosers) c(name);
	showParts();
}

// --- tables ------------------------------------------------------------------------

// Two decimals, as printf() rounds them: exact halves to the even digit.
function percent(part, whole) {
	const x = whole ? part * 100 / whole : 0, eighths = x * 8;
	if (eighths % 2 === 1 || eighths % 2 === -1) return (Math.floor(x * 100) + Math.floor(x * 100) % 2) / 100;
	return +x.toFixed(2);
}

function Table(table) {
	const body = table.tBodies[0], heads = Array.from(table.tHead.rows[0].cells);
	const numbers = heads.map((h, i) => i).filter(i => heads[i].classList.contains('n'));
	const rows = Array.from(body.rows, (tr, i) => ({ tr: tr, at: i, empty: false, found: true,
		whole: numbers.map(c => tr.cells[c].textContent) }));
	const event = table.closest('.tab').querySelector('h3').textContent;

	const value = function (row, i) {
		const text = row.tr.cells[i].textContent;
		return heads[i].classList.contains('n') ? parseFloat(text) : text;
	};
	function order(i, down) {
		rows.sort(function (a, b) {
			const l = value(a, i), r = value(b, i), first = l < r ? -1 : l > r ? 1 : 0;
			return (down ? -first : first) || a.at - b.at;
		});
		body.append(...rows.map(r => r.tr));
	}
	function sort(i) {
		const sorted = heads[i].getAttribute('aria-sort');
		const down = sorted ? sorted === 'ascending' : heads[i].classList.contains('n');
		heads.forEach(h => h.removeAttribute('aria-sort'));
		heads[i].setAttribute('aria-sort', down ? 'descending' : 'ascending');
		order(i, down);
	}
	heads.forEach(function (h, i) {
		h.tabIndex = 0;
		h.addEventListener('click', () => sort(i));
		h.addEventListener('keydown', event => { if (event.key === 'Enter') sort(i); });
	});

	// A filter above the table.
	const box = make('div', { class: 'filter' }), input = make('input', { type: 'search', placeholder: 'Filter', 'aria-label': 'filter the table' });
	const left = make('span', {});
	function hide() {
		for (const row of rows) row.tr.hidden = row.empty || !row.found;
		left.textContent = input.value ? grouped(rows.filter(r => !r.tr.hidden).length) + ' of ' + grouped(rows.length) + ' rows' : '';
	}
	input.addEventListener('input', function () {
		const words = input.value.toLowerCase();
		for (const row of rows) row.found = words === '' || row.tr.textContent.toLowerCase().indexOf(words) >= 0;
		hide();
	});
	box.append(input, left);
	table.parentNode.before(box);

	// A part of the time: NUMBER(row, column) and the total to which percentages refer.
	function setCell(cell, text) {
		const span = cell.querySelector('span'), bar = cell.querySelector('rect');
		(span || cell).textContent = text;
		if (bar) bar.setAttribute('width', parseFloat(text));
	}
	this.show = function (part) {
		for (const row of rows) {
			row.empty = !!part;
			numbers.forEach(function (c, i) {
				const n = part ? part.number(row.at, i, heads[c].classList.contains('count')) : 0;
				if (n) row.empty = false;
				setCell(row.tr.cells[c], !part ? row.whole[i] : row.tr.cells[c].classList.contains('share') ? percent(n, part.total).toFixed(2) + '%' : String(n));
			});
		}
		hide();
		const by = heads.findIndex(h => h.hasAttribute('aria-sort'));
		if (by >= 0) order(by, heads[by].getAttribute('aria-sort') === 'descending');
		else if (part && numbers.length) order(numbers[0], true);
		else { rows.sort((a, b) => a.at - b.at); body.append(...rows.map(r => r.tr)); }
	};

	// A row of a function leads to its frames.
	const graph = Array.from(document.querySelectorAll('#flamegraph .tab')).find(t => t.querySelector('h3').textContent === event);
	for (const row of graph ? rows : []) {
		const symbol = row.tr.dataset.symbol;
		if (!symbol) continue;
		row.tr.classList.add('pick');
		row.tr.title = 'show in the flame graph';
		row.tr.addEventListener('click', function () {
			const search = graph.querySelector('.flamebar input');
			choose(event);
			search.value = '^' + symbol.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + '$';
			search.dispatchEvent(new Event('input'));
			graph.scrollIntoView({ block: 'nearest' });
		});
	}
}

// --- a part of the time --------------------------------------------------------------

// The numbers of a row over time, added up: draw/slice_rows.h says how they are written.
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', digit = new Uint8Array(128);
for (let i = 0; i < 64; i++) digit[DIGITS.charCodeAt(i)] = i;
function sums(text, count) {
	const out = new Float64Array(count + 1);
	let at = 0, slice = 0;
	function number() {
		let n = 0, scale = 1, d;
		do {
			d = digit[text.charCodeAt(at++)];
			n += (d & 31) * scale;
			scale *= 32;
		} while (d & 32);
		return n;
	}
	while (at < text.length) {
		slice += number();
		out[++slice] = number();
	}
	for (let i = 1; i <= count; i++) out[i] += out[i - 1];
	return out;
}

const element = document.getElementById('slices-data'), data = element && JSON.parse(element.textContent);
const between = (list, part) => list[part.to] - list[part.from];
let part = null;

// One table or graph of an event; SHOW is called when its tab is visible and the part has changed.
function follow(tab, show) {
	let shown = null;
	parts.push(function () {
		if (tab.hidden || shown === part) return;
		shown = part;
		show(part);
	});
}
function showParts() { for (const p of parts) p(); }

document.querySelectorAll('#table .tab').forEach(function (tab, i) {
	const table = new Table(tab.querySelector('.table')), event = data && data.events[i];
	let total = null, rows = null;
	if (event) follow(tab, function (part) {
		if (!rows) {
			total = sums(event.table[0], data.count);
			rows = event.table.slice(1).map(r => r.map(text => sums(text, data.count)));
		}
		table.show(part && {
			total: between(total, part) * event.unit,
			number: (row, column, count) => between(rows[row][column], part) * (count ? 1 : event.unit),
		});
	});
});
document.querySelectorAll('#flamegraph .tab').forEach(function (tab, i) {
	const event = data && data.events[i];
	let frames = null;
	if (event) follow(tab, function (part) {
		frames = frames || event.graph.map(text => sums(text, data.count));
		tab.querySelector('svg.flame').dispatchEvent(new CustomEvent('part', {
			detail: part && { weights: frames.map(f => between(f, part) * event.unit), name: part.name },
		}));
	});
});

// What is shown, and the way back.
const notes = Array.from(document.querySelectorAll('#table, #flamegraph'), function (section) {
	const note = make('p', { class: 'part' }), text = make('span', {}), back = make('button', { type: 'button' }, 'Show everything');
	note.hidden = true;
	note.append(text, back);
	section.querySelector('.about').after(note);
	back.addEventListener('click', () => document.dispatchEvent(new Event('whole')));
	return function () {
		note.hidden = !part;
		text.textContent = part ? part.text : '';
		text.title = part ? part.command : '';
	};
});

// Sent by the timeline; null is everything.
document.addEventListener('part', function (event) {
	const next = event.detail;
	if (!data || (next && part && next.from === part.from && next.to === part.to) || next === part) return;
	part = next;
	for (const n of notes) n();
	showParts();
});
document.addEventListener('keydown', function (event) {
	if (event.key === 'Escape' && !event.defaultPrevented && part && event.target.localName !== 'input') document.dispatchEvent(new Event('whole'));
});
})();
