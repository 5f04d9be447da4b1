// The playground: node test.mjs BIN PTO.WASM PAGE.HTML OUT. What the tools of pto.wasm print and write are the bytes of the native ones in
// BIN, on 100 programs and the cases with data; the page works in Chromium. Screenshots go to OUT. Closes with "N passed, M failed".
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {messages} from './src/lsp.js';
import {run, text_of} from './src/tools.js';

const here = path.dirname(fileURLToPath(import.meta.url)), root = path.resolve(here, '../..');
const puppeteer = createRequire(path.join(here, '../web/package.json'))('puppeteer-core');
const [bin, wasm, html, out] = process.argv.slice(2).map(each => path.resolve(each));
mkdirSync(out, {recursive: true});
const scratch = mkdtempSync(path.join(os.tmpdir(), 'pto-playground-'));

let passed = 0, failed = 0;
const check = (name, good, ...more) => {
  if (good) return void ++passed;
  ++failed;
  console.log(`FAILED ${name}`, ...more);
};

// ---- the same bytes

const kFiles = 100;
const names_below = folder => readdirSync(folder, {recursive: true}).map(String).sort();
const bytes_equal = (a, b) => a !== undefined && b !== undefined && Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0;

function first_difference(a, b) {
  const [left, right] = [a, b].map(each => text_of(each ?? new Uint8Array()).split('\n'));
  const at = left.findIndex((line, i) => line !== right[i]);
  return at < 0 ? `${left.length} and ${right.length} lines` : `line ${at + 1}: ${left[at].slice(0, 160)} | ${right[at]?.slice(0, 160)}`;
}

// The first command of a golden test, when it needs nothing but the file: arguments, with output as JSON.
function command_of(name, text) {
  const words = (/^\/\/ RUN: (pto-(?:as|sim) .*?)\s*(?:2?>.*|[|&].*)?$/m.exec(text)?.[1] ?? '').split(/\s+/);
  for (const option of ['--report', '--diagnostics', '-o']) {
    const at = words.indexOf(option);
    if (at > 0) words.splice(at, 2);
  }
  if (!words.includes('%s') || words.includes('--prove') || words.some(word => /%t|[;<$`'"]|\.(toml|npy|bin|json)\b/.test(word))) return null;
  words.push('--diagnostics', 'json', ...(words[0] === 'pto-sim' ? ['--report', 'json'] : ['-o', 'made']));
  return words.map(word => word === '%s' ? path.basename(name) : word);
}

// What a program printed, wrote and said when it ended, natively and here.
function compare(of, words, files, stdin = '') {
  const folder = mkdtempSync(path.join(scratch, 'native-'));
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), {recursive: true});
    writeFileSync(path.join(folder, name), bytes);
  }
  const begin = performance.now();
  const native = spawnSync(path.join(bin, words[0]), words.slice(1), {cwd: folder, input: stdin, env: {LC_ALL: 'C.UTF-8'}, maxBuffer: 1 << 30});
  const middle = performance.now();
  const here = run(module, words, files, stdin);
  times.native += middle - begin;
  times.wasm += performance.now() - middle;
  const differences = [];
  if (native.status !== here.code) differences.push(`exit code ${native.status} and ${here.code}: ${text_of(here.err).slice(-300)}`);
  if (!bytes_equal(native.stdout, here.out)) differences.push(`standard output, ${first_difference(native.stdout, here.out)}`);
  if (!bytes_equal(native.stderr, here.err)) differences.push(`standard error, ${first_difference(native.stderr, here.err)}`);
  for (const name of new Set([...names_below(folder).filter(each => statSync(path.join(folder, each)).isFile()), ...Object.keys(here.files)])) {
    let bytes;
    try { bytes = readFileSync(path.join(folder, name)); } catch { /* it is here alone */ }
    if (!bytes_equal(bytes, here.files[name])) differences.push(`${name}, ${first_difference(bytes, here.files[name])}`);
  }
  check(`${of}: ${words.join(' ')}`, differences.length === 0, differences.join('; '));
}

function same_bytes() {
  const tests = path.join(root, 'asm-tests'), found = {'pto-as': [], 'pto-sim': []};
  for (const name of names_below(tests).filter(each => each.endsWith('.pto') && statSync(path.join(tests, each)).size < 1 << 17)) {
    const text = readFileSync(path.join(tests, name)), words = command_of(name, text.toString());
    if (words) found[words[0]].push([name, words, {[path.basename(name)]: text}]);
  }
  const some = (all, count) => Array.from({length: Math.min(count, all.length)}, (_, i) => all[Math.floor(i * all.length / Math.min(count, all.length))]);
  const runs = some(found['pto-sim'], kFiles / 2), texts = some(found['pto-as'], kFiles - runs.length);
  for (const each of [...texts, ...runs]) compare(...each);
  check(`${kFiles} programs`, texts.length + runs.length === kFiles, texts.length, runs.length);
  for (const example of readdirSync(path.join(tests, 'examples'), {withFileTypes: true}).filter(each => each.isDirectory())) {
    const folder = path.join(tests, 'examples', example.name);
    const files = Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(path.join(folder, name))]));
    compare(example.name, ['pto-as', `${example.name}.pto`, '-o', 'made'], files);
    compare(example.name, ['pto-dis', 'made'], {made: run(module, ['pto-as', `${example.name}.pto`, '-o', 'made'], files).files.made});
    compare(example.name, ['pto-sim', 'case.toml', '--report', 'json', '--diagnostics', 'json', '--html', 'run.html', '--trace', 'trace.json', '--stats', 'stats.json'], files);
  }
  const example = name => readFileSync(path.join(tests, 'examples', name, `${name}.pto`));
  const lines = example('attention').toString().split('\n'), at = word => ({line: lines.findIndex(each => each.includes(word)), character: lines.find(each => each.includes(word)).indexOf(word) + 2});
  for (const word of ['pto.tmatmul', '%c0'])
    compare(`hover over ${word}`, ['pto-lsp'], {}, messages('attention.pto', lines.join('\n'), {target: 'a2a3'}, 'textDocument/hover', at(word)));
  const few = {'kernel.pto': readFileSync(path.join(tests, 'sweep/gemm.pto')), 'gemm.toml': readFileSync(path.join(tests, 'sweep/gemm.toml'), 'utf8').replace('gemm.pto', 'kernel.pto'),
    'few.toml': 'case = "gemm.toml"\nmode = "time"\nbest = "cycles"\n[grid]\nM = [32]\nN = [32]\nK = [64]\nTM = [16, 32]\nTN = [16, 32]\nTK = [32, 64]\n'};
  compare('a sweep', ['pto-sim', 'sweep', 'few.toml', '--jobs', '1'], few);
  compare('two ranks', ['pto-sim', 'vector_add.pto', '--ranks', '2', '--blocks', '4', '--threads', '1', ...['a', 'b', 'c'].flatMap(name => ['--arg', `${name}=f32[128x64]:1`])], {'vector_add.pto': example('vector_add')});
  compare('a proof', ['pto-sim', 'prove', 'vector_add.pto'], {'vector_add.pto': example('vector_add')});
  compare('a profile', ['pto-sim', 'profile', 'vector_add.pto', '--jobs', '1'], {'vector_add.pto': example('vector_add')});
  for (const words of [['pto-sim', 'vector_add.pto', '--threads', '4'], ['pto-sim', 'vector_add.pto', '--threads=2'], ['pto-sim', 'sweep', 'few.toml', '-j2'], ['pto-sim', 'profile', 'vector_add.pto', '--jobs', '3']]) {
    const refused = run(module, words, {});
    check(`${words.join(' ')} is refused by name`, refused.code === 3 && /(--threads|--jobs|-j) \d: there is one thread here/.test(text_of(refused.err)), refused.code, text_of(refused.err));
  }
  const proved = run(module, ['pto-as', '--prove', 'vector_add.pto'], {'vector_add.pto': example('vector_add')});
  check('pto-as --prove asks pto-sim', proved.code === 0 && text_of(proved.out).includes('proved: '), proved.code, text_of(proved.out), text_of(proved.err));
  console.log(`${kFiles} programs and 5 cases: ${Math.round(times.native)} ms native, ${Math.round(times.wasm)} ms as WebAssembly`);
}

// ---- the page

const browser_of = () => puppeteer.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu']});

async function open(browser, {width = 1280, height = 900, theme = 'light'} = {}) {
  const page = await browser.newPage();
  const faults = [];
  page.on('console', message => ['error', 'warn'].includes(message.type()) && faults.push(message.text()));
  page.on('pageerror', error => faults.push(String(error)));
  page.on('request', request => request.url() !== pathToFileURL(html).href && !/^(data|blob|about):/.test(request.url()) && faults.push(`asks for ${request.url()}`));
  await page.setViewport({width, height});
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: theme}]);
  const begin = Date.now();
  await page.goto(pathToFileURL(html).href);
  await page.waitForSelector('html[data-ready]', {timeout: 60_000});
  return {page, faults, took: Date.now() - begin};
}

const state = page => page.$eval('#state', each => each.textContent);
const problems = page => page.$$eval('#problems li', all => all.map(each => ({line: Number(each.dataset.line), text: each.textContent})));
async function checked(page, act) {
  const before = await page.$eval('html', each => Number(each.dataset.checked ?? 0));
  await act();
  await page.waitForFunction(than => Number(document.documentElement.dataset.checked ?? 0) > than, {timeout: 30_000}, before);
}
async function ran(page, act) {
  const before = await page.$eval('html', each => Number(each.dataset.runs ?? 0));
  await act();
  await page.waitForFunction(than => Number(document.documentElement.dataset.runs ?? 0) > than, {timeout: 60_000}, before);
}
// Sets the cursor behind `text` in the editor.
const cursor_behind = (page, text) => page.evaluate(text => {
  const view = window.playground.view(), at = view.state.doc.toString().indexOf(text) + text.length;
  view.dispatch({selection: {anchor: at}, scrollIntoView: true});
  view.focus();
  return view.state.doc.lineAt(at).number;
}, text);

async function is_used(browser) {
  const {page, faults, took} = await open(browser);
  const loaded = await page.evaluate(() => window.playground.loaded);
  console.log(`page: ${(statSync(html).size / 1e6).toFixed(2)} MB, wasm ${(statSync(wasm).size / 1e6).toFixed(2)} MB; compiled in ${Math.round(loaded.compiled)} ms, ready in ${Math.round(loaded.ready)} ms, ${took} ms from opening it`);
  check('it is ready in 20 seconds, also on a busy machine', took < 20_000, took);
  check('the example has no problem', (await problems(page)).length === 0, await problems(page));
  const line = await cursor_behind(page, 'pto.tadd');
  await checked(page, () => page.keyboard.type('x'));
  let said = await problems(page);
  check('a mistake is said on its line', said.length > 0 && said[0].line === line && said[0].text.includes('pto.taddx'), said, line);
  check('and marked there', await page.$$eval('.cm-lintRange-error', all => all.map(each => each.textContent).join(' ')).then(text => text.includes('pto.taddx')));
  await page.screenshot({path: path.join(out, 'mistake.png')});
  await page.click('#run');
  await page.waitForFunction(() => !document.getElementById('run').disabled);
  check('a run says it too', (await problems(page)).some(each => each.line === line));
  await cursor_behind(page, 'pto.taddx');
  await checked(page, () => page.keyboard.press('Backspace'));
  check('it goes when it is mended', (await problems(page)).length === 0, await problems(page));
  for (const [word, said] of [['pto.tadd', 'dst = src0 + src1'], ['%x', 'chosen by the planner']]) {
    await page.mouse.move(2, 2);
    await page.waitForFunction(() => !document.querySelector('.hover'), {timeout: 10_000});
    await cursor_behind(page, 'pto.tadd');
    const spot = await page.evaluate(word => {
      const view = window.playground.view(), line = view.state.doc.lineAt(view.state.selection.main.head);
      const {left, top, bottom} = view.coordsAtPos(line.from + line.text.indexOf(word) + 1, 1);
      return {x: left + 2, y: (top + bottom) / 2};
    }, word);
    await page.mouse.move(spot.x, spot.y, {steps: 3});
    const told = await page.waitForFunction(text => document.querySelector('.hover')?.textContent.includes(text), {timeout: 20_000}, said).then(() => true, () => false);
    check(`the mouse over ${word} shows what it is`, told, await page.$$eval('.hover', all => all.map(each => each.textContent)));
    await page.screenshot({path: path.join(out, `hover-${word.replace(/\W/g, '')}.png`)});
  }
  await page.mouse.move(2, 2);
  await ran(page, () => page.click('#run'));
  check('a run tells the cycles', /^ok: [\d,]+ cycles/.test(await state(page)), await state(page));
  check('and whether values agree', (await page.$eval('#report', each => each.textContent)).includes('c: 8,192 elements agree exactly'));
  check('and shows values', (await page.$$eval('#report .values summary', all => all.map(each => each.textContent))).some(each => each.startsWith('c: f4 128 x 64')));
  await page.click('[data-view=timeline]');
  const frame = await (await page.waitForSelector('#timeline iframe')).contentFrame();
  await frame.waitForSelector('#timeline-frame canvas', {timeout: 30_000});
  check('the timeline has rows', (await frame.evaluate(() => window.ptoTimeline.rows())).includes('MTE2'));
  check('and instructions', await frame.evaluate(() => { const input = document.getElementById('search'); input.value = 'tadd'; input.dispatchEvent(new Event('input')); return window.ptoTimeline.hits(); }) === 8);
  await page.click('[data-view=terminal]');
  for (const [command, answer] of [['pto-sim case.toml --report none -q', '$ pto-sim'], ['pto-as vector_add.pto -o k.bin', '$ pto-as'], ['pto-dis k.bin', 'pto.tadd'], ['pto-as --explain E0111', 'E0111'],
    ['pto-sim case.toml --threads 8', '--threads 8: there is one thread here\nexit code 3'], ['pto-sim nowhere.pto', 'cannot read nowhere.pto: No such file or directory\nexit code 2'], ['pto-sim case.toml --mode nonsense', 'exit code 2'], ['ls', 'k.bin']]) {
    await page.$eval('#log', each => each.replaceChildren());
    await page.type('#command', command);
    await page.keyboard.press('Enter');
    const got = await page.waitForFunction(text => !document.getElementById('run').disabled && document.getElementById('log').textContent.includes(text), {timeout: 30_000}, answer).then(() => true, () => false);
    check(`the command line answers ${command}`, got, await page.$eval('#log', each => each.textContent.slice(0, 400)));
  }
  for (const example of await page.$$eval('#example option', all => all.map(each => each.value))) {
    await checked(page, () => page.select('#example', example));
    await ran(page, () => page.click('#run'));
    check(`${example} runs`, (await state(page)).startsWith('ok: '), await state(page), await problems(page));
  }
  await checked(page, () => page.select('#example', 'vector_add'));
  await checked(page, () => page.evaluate(() => {
    const view = window.playground.view(), text = view.state.doc.toString(), from = text.lastIndexOf('return');
    view.dispatch({changes: {from, insert: `%forever = arith.constant 1000000000000 : index
  scf.for %turn = %c0 to %forever step %c1 {
  }
  `}});
  }));
  await page.click('#run');
  await page.waitForSelector('#stop:not([hidden])');
  await page.click('#stop');
  await page.waitForFunction(() => document.getElementById('state').textContent === 'stopped', {timeout: 10_000});
  check('a long run can be stopped', await page.$eval('#run', each => !each.disabled));
  check('no error and no request while it is used', faults.length === 0, faults);
  await page.close();
}

async function looks(browser) {
  for (const [width, theme] of [[1280, 'light'], [1280, 'dark'], [390, 'dark'], [390, 'light']]) {
    const {page, faults} = await open(browser, {width, theme});
    const of = `${width} pixels, ${theme}`;
    await ran(page, () => page.click('#run'));
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
    check(`${of}: fits`, await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth) <= 0);
    check(`${of}: theme`, (await page.evaluate(() => getComputedStyle(document.body).backgroundColor) === 'rgb(255, 255, 255)') === (theme === 'light'));
    check(`${of}: one view at a time`, await page.$$eval('.view', all => all.filter(each => each.offsetHeight > 0).length) === 1);
    await page.screenshot({path: path.join(out, `report-${width}-${theme}.png`), fullPage: width < 500});
    await page.click('[data-view=timeline]');
    const frame = await (await page.waitForSelector('#timeline iframe')).contentFrame();
    await frame.waitForSelector('#timeline-frame canvas', {timeout: 30_000});
    check(`${of}: the timeline is in view`, await frame.waitForFunction(() => Math.abs(document.getElementById('timeline').getBoundingClientRect().top) < 120, {timeout: 5000}).then(() => true, () => false));
    check(`${of}: the theme of the timeline`, await frame.evaluate(() => document.documentElement.dataset.theme) === theme);
    await page.screenshot({path: path.join(out, `timeline-${width}-${theme}.png`), fullPage: width < 500});
    check(`${of}: no error and no request`, faults.length === 0, faults);
    await page.close();
  }
}

const times = {native: 0, wasm: 0};
const module = await WebAssembly.compile(readFileSync(wasm));
try {
  same_bytes();
  const browser = await browser_of();
  try {
    await is_used(browser);
    await looks(browser);
  } finally {
    await browser.close();
  }
} finally {
  rmSync(scratch, {recursive: true});
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
