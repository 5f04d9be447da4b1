// The playground: files in memory, an editor that checks what one types, runs and what they show.
import {autocompletion, closeBrackets} from '@codemirror/autocomplete';
import {defaultKeymap, history, historyKeymap, indentWithTab} from '@codemirror/commands';
import {bracketMatching} from '@codemirror/language';
import {lintGutter, setDiagnostics} from '@codemirror/lint';
import {highlightSelectionMatches, search, searchKeymap} from '@codemirror/search';
import {EditorState, Prec} from '@codemirror/state';
import {EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers} from '@codemirror/view';
import {colours, program, settings} from './language.js';
import {answer, messages} from './lsp.js';
import {elements} from './markdown.js';
import {Service, unpacked} from './service.js';
import {read as read_npy} from './npy.js';
import {bytes_of, text_of} from './tools.js';
import {words_of} from './words.js';

const $ = id => document.getElementById(id);
const root = document.documentElement;
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== ''));
  return element;
}

const state = {files: {}, open: '', texts: new Map(), checks: 0, running: false};
let checker, runner;

// ---- what is said

function say(text, kind = '') {
  $('state').textContent = text;
  $('state').title = text;
  $('state').className = kind;
}

const is_text = name => /\.(pto|toml|txt|md)$/.test(name);
const program_name = () => Object.keys(state.files).find(name => name.endsWith('.pto') && name === named_by_case()) ?? Object.keys(state.files).find(name => name.endsWith('.pto'));
const case_text = () => state.files['case.toml'] ? text_of(state.files['case.toml']) : '';
const named_by_case = () => /^program\s*=\s*"([^"]+)"/m.exec(case_text())?.[1];
const of_case = key => new RegExp(`^${key}\\s*=\\s*"([^"]+)"`, 'm').exec(case_text())?.[1];
const target = () => $('target').value || of_case('target');

// ---- files and the editor

const theme = EditorView.theme({
  '.cm-scroller': {fontFamily: 'inherit', lineHeight: '1.5'}, '.cm-gutters': {backgroundColor: 'var(--panel)', color: 'var(--dim)', borderRight: '1px solid var(--line)'},
  '.cm-activeLine, .cm-activeLineGutter': {backgroundColor: 'var(--panel)'}, '.cm-cursor': {borderLeftColor: 'var(--text)'},
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {backgroundColor: 'var(--mark) !important'}, '.cm-selectionMatch, .cm-searchMatch': {backgroundColor: 'var(--hit)'},
  '.cm-panels, .cm-tooltip': {backgroundColor: 'var(--panel)', color: 'var(--text)', borderColor: 'var(--line)'}, '.cm-diagnostic': {maxWidth: '560px', whiteSpace: 'pre-wrap'},
  '.cm-matchingBracket': {backgroundColor: 'var(--mark) !important'},
  '.cm-tooltip-autocomplete ul li[aria-selected]': {backgroundColor: 'var(--accent)', color: 'var(--back)'},
});

function fresh(name) {
  return EditorState.create({doc: text_of(state.files[name]), extensions: [
    lineNumbers(), highlightActiveLineGutter(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(), search({top: true}),
    autocompletion({override: [complete]}), lintGutter(), theme, colours, name.endsWith('.pto') ? [program, hoverTooltip(hover)] : settings, EditorView.contentAttributes.of({'aria-label': name}),
    Prec.highest(keymap.of([{key: 'Mod-Enter', run: () => (start_run(), true)}])), keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
    EditorView.updateListener.of(update => {
      if (!update.docChanged) return;
      state.files[name] = bytes_of(update.state.doc.toString());
      check_soon();
    }),
  ]});
}

let view = null;
function show_file(name) {
  if (view && state.open in state.files && state.open !== '') state.texts.set(state.open, view.state);
  state.open = name;
  const text = state.texts.get(name) ?? fresh(name);
  if (view) view.setState(text);
  else view = new EditorView({state: text, parent: $('editor')});
  draw_files();
  if (state.problems) show_problems(state.problems);
}

function draw_files() {
  const names = Object.keys(state.files).filter(is_text).sort((a, b) => b.endsWith('.pto') - a.endsWith('.pto') || a.localeCompare(b));
  $('files').replaceChildren(...names.map(name =>
    h('button', {type: 'button', role: 'tab', 'aria-selected': String(name === state.open), onclick: () => show_file(name)}, name)));
}

function put_files(files) {
  show_timeline(null);
  $('report').replaceChildren(h('p', {class: 'dim'}, 'Run shows what the program computes, how long it takes and what is wrong with it.'));
  state.files = files;
  state.texts.clear();
  state.open = '';
  state.problems = null;
  show_file(program_name() ?? Object.keys(files).find(is_text));
}

// ---- problems

// Places are bytes of the file; the editor counts UTF-16.
function place_in(text, from, to) {
  const bytes = bytes_of(text);
  if (bytes.length === text.length) return [from, to];
  const length = end => text_of(bytes.subarray(0, end)).length;
  return [length(from), length(to)];
}

function parsed(err) {
  const text = text_of(err).trim();
  if (!text.startsWith('[')) return {problems: [], rest: text};
  try {
    return {problems: JSON.parse(text), rest: ''};
  } catch {
    return {problems: [], rest: text};
  }
}

function marks_of(problems) {
  const text = view.state.doc.toString();
  return problems.filter(each => each.location?.line > 0 && each.file === state.open).map(each => {
    let [from, to] = place_in(text, each.location.begin ?? 0, each.location.end ?? 0);
    const line = view.state.doc.line(Math.min(each.location.line, view.state.doc.lines));
    if (from < line.from || from > line.to) [from, to] = [line.from, line.to];
    [from, to] = [from, to].map(at => Math.max(0, Math.min(at, text.length)));
    const actions = each.replacement ? [{name: `write ${each.replacement.text || 'nothing'}`, apply: () => mend(each)}] : [];
    return {from, to: Math.max(from, to), severity: each.severity === 'note' ? 'info' : each.severity, message: each.message + (each.help ? `\n${each.help}` : ''), source: each.id, actions};
  });
}

function mend(problem) {
  const at = problem.replacement.location, [from, to] = place_in(view.state.doc.toString(), at.begin, at.end);
  view.dispatch({changes: {from, to, insert: problem.replacement.text}});
}

function show_problems(problems) {
  state.problems = problems;
  view.dispatch(setDiagnostics(view.state, marks_of(problems)));
  $('problems').replaceChildren(...problems.slice(0, 50).map(each => h('li', {class: each.severity, 'data-line': String(each.location?.line ?? 0)},
    h('button', {type: 'button', onclick: () => go_to(each)}, h('span', {class: 'place'}, each.location?.line ? `${each.file}:${each.location.line}:${each.location.column ?? 1} ` : ''),
      `${each.message}${each.id ? ` [${each.id}]` : ''}`, h('span', {class: 'help'}, ...(each.help ? [each.help] : []))))));
}

function go_to(problem) {
  if (problem.file in state.files && problem.file !== state.open) show_file(problem.file);
  if (!problem.location?.line || problem.file !== state.open) return;
  const line = view.state.doc.line(Math.min(problem.location.line, view.state.doc.lines));
  view.dispatch({selection: {anchor: Math.min(line.from + (problem.location.column ?? 1) - 1, line.to)}, effects: EditorView.scrollIntoView(line.from, {y: 'center'})});
  view.focus();
}

let soon = 0;
function check_soon() {
  clearTimeout(soon);
  soon = setTimeout(check, 120);
}

async function check() {
  const name = program_name();
  if (!name || !checker) return;
  const wanted = ++state.checks;
  const options = Object.entries(choices()).flatMap(([name, value]) => [`--${name}`, value]);
  const result = await checker.run(['pto-as', name, '-o', 'checked.bin', '--diagnostics', 'json', '--max-errors', '50', ...options], {[name]: state.files[name]});
  if (wanted !== state.checks || !result) return;
  const {problems, rest} = parsed(result.err);
  show_problems(problems);
  const errors = problems.filter(each => each.severity === 'error').length;
  if (!state.running) {
    if (rest) say(rest.split('\n')[0], 'bad');
    else say(errors ? `${errors} error${errors === 1 ? '' : 's'}` : `checked in ${Math.max(1, Math.round(result.milliseconds))} ms`, errors ? 'bad' : '');
  }
  root.dataset.checked = String(state.checks);
}

// ---- what stands at a place: pto-lsp knows

const choices = () => Object.fromEntries(Object.entries({target: target(), level: of_case('level'), sync: of_case('sync')}).filter(([, value]) => value && !value.endsWith('.toml')));

async function hover(of, at) {
  const line = of.state.doc.lineAt(at), position = {line: line.number - 1, character: at - line.from};
  const result = await checker?.run(['pto-lsp'], {}, messages(state.open, of.state.doc.toString(), choices(), 'textDocument/hover', position));
  const found = result && answer(result.out);
  if (!found) return null;
  const place = ({line, character}) => of.state.doc.line(line + 1).from + character;
  return {pos: place(found.range.start), end: place(found.range.end), create: () => ({dom: h('div', {class: 'hover'}, elements(found.contents.value))})};
}

// ---- completion: words of this text and of the instruction table

let instructions = [];
function complete(context) {
  const word = context.matchBefore(/[%!]?[\w.]+/);
  if (!word || (word.from === word.to && !context.explicit)) return null;
  const names = word.text.startsWith('%') ? words_of(context.state.doc.toString(), word.from) : instructions;
  return {from: word.from, options: names.map(label => ({label})), validFor: /^[%!]?[\w.]*$/};
}

// ---- runs

function show_view(name) {
  for (const tab of $('views').children) tab.setAttribute('aria-selected', String(tab.dataset.view === name));
  for (const each of document.querySelectorAll('.view')) each.hidden = each.id !== name;
  if (name === 'terminal') $('command').focus({preventScroll: true});
}

function busy(running) {
  state.running = running;
  $('run').disabled = running;
  $('stop').hidden = !running;
}

// Buffers that the case neither reads nor writes: they are shown.
function results_of_case() {
  const names = [];
  for (const part of case_text().split(/^\[\[arg\]\]/m).slice(1)) {
    const name = /^name\s*=\s*"([^"]+)"/m.exec(part)?.[1];
    if (name && /^shape\s*=/m.test(part) && !/^output\s*=/m.test(part)) names.push(name);
  }
  return names;
}

async function start_run() {
  if (state.running || !runner) return;
  busy(true);
  say('running');
  const input = 'case.toml' in state.files ? 'case.toml' : program_name();
  const outputs = results_of_case(), chosen = $('target').value;
  const args = ['pto-sim', input, '--diagnostics', 'json', '--advice', '--html', 'run.html', ...(chosen ? ['--target', chosen] : []), ...outputs.flatMap(name => ['--out', `${name}=${name}.out.npy`])];
  const result = await runner.run(args, state.files);
  busy(false);
  if (!result) return say('stopped', 'bad');
  const {problems, rest} = parsed(result.err);
  show_problems(problems);
  const out = text_of(result.out);
  const values = Object.keys(result.files).filter(name => name.endsWith('.npy') && !(name in state.files));
  $('report').replaceChildren(...[out && h('pre', {}, out), rest && h('pre', {class: 'err'}, rest), ...problems.map(each => h('p', {}, `${each.file}:${each.location?.line ?? 0}: ${each.message} [${each.id}]`)),
    ...values.map(name => buffer(name.replace(/(\.out)?\.npy$/, ''), result.files[name]))].filter(Boolean));
  if (!$('report').childNodes.length) $('report').append(h('p', {class: 'dim'}, 'Nothing was printed.'));
  show_timeline(result.files['run.html']);
  const verdict = out.split('\n')[0] || (rest || problems[0]?.message || '').split('\n')[0];
  say(`${verdict} (${Math.max(1, Math.round(result.milliseconds))} ms)`, result.code === 0 ? 'good' : 'bad');
  root.dataset.runs = String(Number(root.dataset.runs ?? 0) + 1);
}

function buffer(name, bytes) {
  const data = read_npy(bytes);
  if (!data) return h('p', {class: 'dim'}, `${name}: ${bytes.length} bytes`);
  const more = data.columns > (data.rows[0]?.length ?? 0) ? ' ..' : '';
  return h('details', {class: 'values'}, h('summary', {}, `${name}: ${data.type} ${data.shape.join(' x ')}`), h('pre', {}, data.rows.map(row => row.join('  ') + more).join('\n')));
}

// The page begins with its timeline, as soon as it is seen.
const kGoToTimeline = `<script>{
  const go = () => document.querySelector('#timeline h2')?.scrollIntoView();
  if (innerWidth > 0) go();
  else addEventListener('resize', () => requestAnimationFrame(() => requestAnimationFrame(go)), {once: true});
}</script></body>`;

function show_timeline(page) {
  state.page = page;
  if (!page) return void $('timeline').replaceChildren(h('p', {class: 'dim'}, 'Run makes a timeline.'));
  const frame = h('iframe', {title: 'The run as a page', sandbox: 'allow-scripts'});
  frame.srcdoc = text_of(page).replace('<html lang="en">', `<html lang="en" data-choice="${current_theme()}">`)
    .replace(/<\/body>(?![^]*<\/body>)/, kGoToTimeline);
  $('timeline').replaceChildren(frame);
}

// ---- command line

const kHelp = 'pto-as, pto-sim, pto-dis with the options of their --help; ls, cat FILE, rm FILE, clear. Files are those of the tabs.\n';

async function command(line) {
  const words = line.match(/"[^"]*"|'[^']*'|\S+/g)?.map(word => word.replace(/^(["'])(.*)\1$/, '$2')) ?? [];
  const print = text => { $('log').append(text); $('log').scrollTop = $('log').scrollHeight; };
  print(`$ ${line}\n`);
  if (words.length === 0) return;
  if (words[0] === 'clear') return $('log').replaceChildren();
  if (words[0] === 'help') return print(kHelp);
  if (words[0] === 'ls') return print(Object.keys(state.files).sort().map(name => `${String(state.files[name].length).padStart(9)} ${name}\n`).join(''));
  if (words[0] === 'cat') return print(words.slice(1).map(name => name in state.files ? text_of(state.files[name]) : `cat: there is no ${name}\n`).join(''));
  if (words[0] === 'rm') { for (const name of words.slice(1)) delete state.files[name]; return draw_files(); }
  if (!/^pto-(as|sim|dis)$/.test(words[0])) return print(`there is no ${words[0]}\n${kHelp}`);
  busy(true);
  const result = await runner.run(words, state.files);
  busy(false);
  if (!result) return print('stopped\n');
  print(text_of(result.out) + text_of(result.err) + (result.code ? `exit code ${result.code}\n` : ''));
  for (const name of Object.keys(result.files)) if (!same(state.files[name], result.files[name])) state.texts.delete(name);
  const reopen = !same(state.files[state.open], result.files[state.open]);
  state.files = result.files;
  if (reopen && state.open in state.files) { const name = state.open; state.open = ''; show_file(name); }
  draw_files();
  root.dataset.commands = String(Number(root.dataset.commands ?? 0) + 1);
}
const same = (a, b) => a !== undefined && b !== undefined && a.length === b.length && a.every((byte, i) => byte === b[i]);

// ---- the page

const current_theme = () => root.dataset.choice ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
function use_theme() { root.dataset.theme = current_theme(); }

async function open_example(name) {
  const result = await checker.run(['pto-as', '--example', name, '--output-dir', 'example'], {});
  const files = {};
  for (const [path, content] of Object.entries(result.files)) files[path.replace(/^example\//, '')] = content;
  put_files(files);
  await check();
}

function wire() {
  $('example').addEventListener('change', () => open_example($('example').value));
  $('target').addEventListener('change', check);
  $('run').addEventListener('click', start_run);
  $('stop').addEventListener('click', () => runner.stop());
  $('theme').addEventListener('click', () => { root.dataset.choice = current_theme() === 'dark' ? 'light' : 'dark'; use_theme(); if (state.page) show_timeline(state.page); });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', use_theme);
  for (const tab of $('views').children) tab.addEventListener('click', () => show_view(tab.dataset.view));
  addEventListener('keydown', event => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) { event.preventDefault(); start_run(); } });
  const past = [];
  let back = 0;
  $('prompt').addEventListener('submit', event => {
    event.preventDefault();
    const line = $('command').value;
    if (state.running) return;
    past.push(line);
    back = past.length;
    $('command').value = '';
    command(line);
  });
  $('command').addEventListener('keydown', event => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    back = Math.max(0, Math.min(past.length, back + (event.key === 'ArrowUp' ? -1 : 1)));
    $('command').value = past[back] ?? '';
  });
}

async function start() {
  use_theme();
  const begin = performance.now();
  const module = await WebAssembly.compile(await unpacked($('wasm').textContent));
  const compiled = performance.now();
  const code = $('worker').textContent;
  [checker, runner] = [new Service(code, module), new Service(code, module)];
  const list = text_of((await checker.run(['pto-as', '--example', 'list'], {})).out);
  const names = list.split('\n').map(line => line.split(/\s/)[0]).filter(Boolean);
  $('example').replaceChildren(...names.map(name => h('option', {}, name)));
  wire();
  await open_example(names.includes('vector_add') ? ($('example').value = 'vector_add') : names[0]);
  $('run').disabled = false;
  const milliseconds = performance.now() - begin;
  Object.assign(window, {playground: {view: () => view, loaded: {compiled: compiled - begin, ready: milliseconds}, files: () => state.files}});
  say(`ready in ${Math.round(milliseconds)} ms`);
  root.dataset.ready = 'yes';
  const table = await checker.run(['pto-as', '--list-instructions', '--format', 'json'], {});
  try {
    instructions = names_in(JSON.parse(text_of(table.out)));
  } catch { /* completion has the words of the text then */ }
}
const names_in = rows => [...new Set((Array.isArray(rows) ? rows : rows.instructions ?? []).map(row => row.mnemonic ?? row.name).filter(Boolean))].sort();

start().catch(error => say(`the tools cannot run here: ${error.message ?? error}`, 'bad'));
