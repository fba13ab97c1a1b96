// SPDX-License-Identifier: GPL-2.0
// The page of `report --html`: navigation, tabs, tables, and what a part of the time changes in them.
(function () {
'use strict';

const { make, grouped, unpack } = window.ringtail;

// --- navigation ------------------------------------------------------------------

const nav = document.querySelector('nav');
for (const s of document.querySelectorAll('section[id]'))
	nav.append(make('a', { href: '#' + s.id }, s.querySelector('h2').textContent));

// --- tabs --------------------------------------------------------------------------

// Choosing an event in one section chooses it in the others.
const choosers = [], parts = [], tables = [];
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
	for (const t of tables) t.render();
}

// --- tables ------------------------------------------------------------------------

// Two decimals, as printf() rounds them: exact halves to the even digit.
function percent(part, whole) {
	const x = whole ? part * 100 / whole : 0, eighths = x * 8;
	if (eighths % 2 === 1 || eighths % 2 === -1) return (Math.floor(x * 100) + Math.floor(x * 100) % 2) / 100;
	return +x.toFixed(2);
}

const ROWS_SHOWN = 200; // of a table; more when they are asked for

function Table(table) {
	const body = table.tBodies[0], heads = Array.from(table.tHead.rows[0].cells), tab = table.closest('.tab');
	const isNumber = heads.map(h => h.classList.contains('n'));
	const numbers = heads.map((h, i) => i).filter(i => isNumber[i]);
	const event = tab.querySelector('h3').textContent, pattern = body.rows[0] && body.rows[0].cloneNode(true);
	const isShare = heads.map((h, i) => !!pattern && pattern.cells[i].classList.contains('share'));
	// The rows that are elements of the page, and those that follow as data.  `tr` is made when a row is shown.
	const rows = Array.from(body.rows, tr => ({ tr: tr, symbol: tr.dataset.symbol || '', cells: Array.from(tr.cells, c => c.textContent) }));
	const more = tab.querySelector('script.rows');
	for (const r of more ? JSON.parse(more.textContent) : []) rows.push({ tr: null, symbol: r[0], cells: r.slice(1) });
	rows.forEach(function (row, i) {
		row.at = i;
		row.empty = false;
		row.found = true;
		row.whole = numbers.map(c => row.cells[c]);
		row.text = row.cells.join(' ').toLowerCase();
	});
	const graph = Array.from(document.querySelectorAll('#flamegraph .tab')).find(t => t.querySelector('h3').textContent === event);
	let limit = ROWS_SHOWN;

	function setCell(cell, text) {
		const span = cell.querySelector('span'), bar = cell.querySelector('rect');
		(span || cell).textContent = text;
		if (bar) bar.setAttribute('width', parseFloat(text));
	}
	function element(row) {
		if (!row.tr) {
			row.tr = pattern.cloneNode(true);
			row.tr.removeAttribute('data-symbol');
			if (row.symbol) row.tr.dataset.symbol = row.symbol;
			row.cells.forEach((text, c) => setCell(row.tr.cells[c], text));
			row.shown = row.cells.slice();
		}
		row.shown = row.shown || row.whole.reduce((l, text, i) => { l[numbers[i]] = text; return l; }, row.cells.slice());
		for (const c of numbers) if (row.shown[c] !== row.cells[c]) setCell(row.tr.cells[c], row.shown[c] = row.cells[c]);
		if (graph && row.symbol && !row.tr.classList.contains('pick')) {
			row.tr.classList.add('pick');
			row.tr.title = 'show in the flame graph';
			row.tr.addEventListener('click', () => find(row.symbol));
		}
		return row.tr;
	}
	// Only the visible tab has rows: a browser is slow with tens of thousands of elements.
	function render() {
		const wanted = tab.hidden ? [] : rows.filter(r => !r.empty && r.found), part = wanted.slice(0, limit);
		body.replaceChildren(...part.map(element));
		rest.hidden = wanted.length === part.length;
		rest.textContent = 'Show more: ' + grouped(wanted.length - part.length) + ' rows are not shown';
		left.textContent = input.value && !tab.hidden ? grouped(wanted.length) + ' of ' + grouped(rows.length) + ' rows' : '';
	}
	this.render = render;

	const value = (row, i) => isNumber[i] ? parseFloat(row.cells[i]) : row.cells[i];
	function order(i, down) {
		rows.sort(function (a, b) {
			const l = value(a, i), r = value(b, i), first = l < r ? -1 : l > r ? 1 : 0;
			return (down ? -first : first) || a.at - b.at;
		});
	}
	function sort(i) {
		const sorted = heads[i].getAttribute('aria-sort');
		const down = sorted ? sorted === 'ascending' : isNumber[i];
		heads.forEach(h => h.removeAttribute('aria-sort'));
		heads[i].setAttribute('aria-sort', down ? 'descending' : 'ascending');
		order(i, down);
		render();
	}
	heads.forEach(function (h, i) {
		h.tabIndex = 0;
		h.addEventListener('click', () => sort(i));
		h.addEventListener('keydown', event => { if (event.key === 'Enter') sort(i); });
	});

	// A filter above the table, over all rows.
	const box = make('div', { class: 'filter' }), input = make('input', { type: 'search', placeholder: 'Filter', 'aria-label': 'filter the table' });
	const left = make('span', {}), rest = make('button', { type: 'button', class: 'rest' });
	input.addEventListener('input', function () {
		const words = input.value.toLowerCase();
		for (const row of rows) row.found = row.text.indexOf(words) >= 0;
		limit = ROWS_SHOWN;
		render();
	});
	rest.addEventListener('click', function () { limit += 5 * ROWS_SHOWN; render(); });
	box.append(input, left);
	table.parentNode.before(box);
	table.parentNode.after(rest);

	// A part of the time: NUMBER(row, column) and the total to which percentages refer.
	this.show = function (part) {
		for (const row of rows) {
			row.empty = !!part;
			numbers.forEach(function (c, i) {
				const n = part ? part.number(row.at, i, heads[c].classList.contains('count')) : 0;
				if (n) row.empty = false;
				row.cells[c] = !part ? row.whole[i] : isShare[c] ? percent(n, part.total).toFixed(2) + '%' : String(n);
			});
		}
		const by = heads.findIndex(h => h.hasAttribute('aria-sort'));
		if (by >= 0) order(by, heads[by].getAttribute('aria-sort') === 'descending');
		else if (part && numbers.length) order(numbers[0], true);
		else rows.sort((a, b) => a.at - b.at);
		render();
	};

	// A row of a function leads to its frames.
	function find(symbol) {
		const search = graph.querySelector('.flamebar input');
		choose(event);
		search.value = '^' + symbol.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + '$';
		search.dispatchEvent(new Event('input'));
		graph.scrollIntoView({ block: 'nearest' });
	}
	tables.push(this);
	render();
}

// --- a part of the time --------------------------------------------------------------

// The numbers of a row over time, added up: draw/slice_rows.h says how they are written.
function sums(text, count) {
	const out = new Float64Array(count + 1);
	const from = unpack(text);
	let slice = 0;
	while (from.more()) {
		slice += from.number();
		out[++slice] = from.number();
	}
	for (let i = 1; i <= count; i++) out[i] += out[i - 1];
	return out;
}

const element = document.getElementById('slices-data'), data = element && JSON.parse(element.textContent);
// The first part is drawn as fast as the next if its numbers are read while nothing else is to do.
const readers = [];
(window.requestIdleCallback || (f => setTimeout(f, 200)))(() => { for (const read of readers) read(); });

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
	function read() {
		if (rows || !event) return;
		total = sums(event.table[0], data.count);
		rows = event.table.slice(1).map(r => r.map(text => sums(text, data.count)));
	}
	readers.push(read);
	if (event) follow(tab, function (part) {
		read();
		table.show(part && {
			total: between(total, part) * event.unit,
			number: (row, column, count) => between(rows[row][column], part) * (count ? 1 : event.unit),
		});
	});
});
document.querySelectorAll('#flamegraph .tab').forEach(function (tab, i) {
	const event = data && data.events[i];
	let frames = null;
	function read() { frames = frames || event && event.graph.map(text => sums(text, data.count)); }
	readers.push(read);
	if (event) follow(tab, function (part) {
		read();
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
// "/" searches the flame graph, wherever the focus is.
document.addEventListener('keydown', function (event) {
	if (event.key !== '/' || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.target.localName === 'input') return;
	const search = document.querySelector('#flamegraph .tab:not([hidden]) .flamebar input');
	if (!search) return;
	event.preventDefault();
	search.focus();
	search.scrollIntoView({ block: 'nearest' });
});
document.addEventListener('keydown', function (event) {
	if (event.key === 'Escape' && !event.defaultPrevented && part && event.target.localName !== 'input') document.dispatchEvent(new Event('whole'));
});
})();
