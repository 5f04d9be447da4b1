// Pages of kernels in Chromium: node test.mjs BIN [OUT]. No error, no request, everything fits, zoom, search, keys, themes and print
// work. Screenshots go to OUT. Closes with "N passed, M failed".
import {execFileSync} from 'node:child_process';
import {copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import puppeteer from 'puppeteer-core';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const bin = path.resolve(process.argv[2] ?? path.join(root, 'build/release/bin'));
const out = path.resolve(process.argv[3] ?? path.join(root, 'build/web'));
const scratch = mkdtempSync(path.join(os.tmpdir(), 'pto-web-'));
mkdirSync(out, {recursive: true});

let passed = 0, failed = 0;
const check = (name, good, ...more) => {
  if (good) return void ++passed;
  ++failed;
  console.log(`FAILED ${name}`, ...more);
};

const sim = (...args) => execFileSync(path.join(bin, 'pto-sim'), args, {cwd: path.join(root, 'asm-tests'), stdio: ['ignore', 'pipe', 'pipe']});
function page_of(name, ...args) {
  const file = path.join(scratch, `${name}.html`);
  sim(...args, '--report', 'none', '--html', file);
  return file;
}

// So many instructions on three pipes, in a loop.
function long_program(turns) {
  const tile = '!pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=64, v_row=8, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>';
  const file = path.join(scratch, 'long.pto');
  writeFileSync(file, `module attributes {pto.target_arch = "a2a3"} {
  func.func @long(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.entry} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %n = arith.constant ${turns} : index
    %v = pto.make_tensor_view %x, shape = [%c8, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
    %w = pto.make_tensor_view %y, shape = [%c8, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
    %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c8, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x64xf32>
    %q = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c8, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x64xf32>
    %a = pto.alloc_tile : ${tile}
    %b = pto.alloc_tile : ${tile}
    scf.for %i = %c0 to %n step %c1 {
      pto.tload ins(%p : !pto.partition_tensor_view<8x64xf32>) outs(%a : ${tile})
      pto.tadd ins(%a, %a : ${tile}, ${tile}) outs(%b : ${tile})
      pto.tstore ins(%b : ${tile}) outs(%q : !pto.partition_tensor_view<8x64xf32>)
    }
    return
  }
}
`);
  return file;
}

const browser = await puppeteer.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu']});

// Opens a page, watched: what it complains of and asks for.
async function open(file, {width = 1280, height = 900, theme = 'light'} = {}) {
  const page = await browser.newPage();
  const faults = [];
  page.on('console', message => ['error', 'warn'].includes(message.type()) && faults.push(message.text()));
  page.on('pageerror', error => faults.push(String(error)));
  page.on('request', request => request.url() !== pathToFileURL(file).href && !request.url().startsWith('data:') && faults.push(`asks for ${request.url()}`));
  await page.setViewport({width, height});
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: theme}]);
  const begin = Date.now();
  await page.goto(pathToFileURL(file).href);
  return {page, faults, took: Date.now() - begin};
}

const domain = page => page.evaluate(() => window.ptoTimeline.domain());
const span = async page => { const [from, to] = await domain(page); return to - from; };

async function looks(name, file, sections) {
  const {page, faults} = await open(file);
  for (const [width, theme] of [[1280, 'light'], [1280, 'dark'], [390, 'dark'], [390, 'light']]) {
    await page.setViewport({width, height: 900});
    await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: theme}]);
    if (width < 500) await page.reload();
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
    const of = `${name}, ${width} pixels, ${theme}`;
    const seen = await page.evaluate(() => ({
      sections: [...document.querySelectorAll('section')].map(each => each.id), wide: document.scrollingElement.scrollWidth - innerWidth,
      back: getComputedStyle(document.body).backgroundColor, blank: [...document.querySelectorAll('canvas')].filter(canvas => {
        const small = new OffscreenCanvas(64, 64).getContext('2d');
        small.drawImage(canvas, 0, 0, 64, 64);
        const {data} = small.getImageData(0, 0, 64, 64);
        return data.every((value, i) => value === data[i % 4]);
      }).length,
    }));
    check(`${of}: no error and no request`, faults.length === 0, faults);
    check(`${of}: sections`, sections.every(each => seen.sections.includes(each)), seen.sections);
    check(`${of}: fits`, seen.wide <= 0, seen.wide);
    check(`${of}: nothing is blank`, seen.blank === 0, seen.blank);
    check(`${of}: theme`, (seen.back === 'rgb(255, 255, 255)') === (theme === 'light'), seen.back);
    await page.screenshot({path: path.join(out, `${name}-${width}-${theme}.png`), fullPage: true});
  }
  await page.close();
}

async function timeline_works(file) {
  const {page, faults} = await open(file);
  await page.evaluate(() => document.querySelector('#timeline-frame').scrollIntoView({block: 'center'}));
  const whole = await span(page);
  const box = await (await page.$('#timeline-frame canvas')).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel({deltaY: -600});
  const near = await span(page);
  check('the wheel zooms', near < whole / 1.5, near, whole);
  const [before] = await domain(page);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 150, box.y + box.height / 2, {steps: 4});
  await page.mouse.up();
  const [after] = await domain(page);
  check('dragging moves', after > before, before, after);
  await page.focus('#timeline-frame canvas');
  await page.keyboard.press('0');
  check('0 shows all', Math.abs(await span(page) - whole) < 1);
  await page.keyboard.press('w');
  await page.keyboard.press('w');
  check('w zooms', await span(page) < whole / 2);
  const [left] = await domain(page);
  await page.keyboard.press('d');
  check('d moves', (await domain(page))[0] > left);
  await page.keyboard.press('/');
  await page.keyboard.type('tmatmul');
  check('the search finds all', await page.evaluate(() => window.ptoTimeline.hits()) === 2, await page.evaluate(() => window.ptoTimeline.hits()));
  await page.keyboard.press('Enter');
  const chosen = await page.evaluate(() => window.ptoTimeline.selected());
  check('Enter goes to the first', chosen?.line === 45, chosen);
  check('and the view', (await domain(page))[0] <= chosen.begin && chosen.begin <= (await domain(page))[1]);
  check('and the source', await page.evaluate(() => document.querySelector('tr.at')?.dataset.line) === '45');
  await page.keyboard.press('Enter');
  check('then the next line', (await page.evaluate(() => window.ptoTimeline.selected())).line === 85);
  await page.keyboard.press('Escape');
  check('Escape ends the search', await page.evaluate(() => window.ptoTimeline.hits()) === 0);
  await page.keyboard.press('0');
  check('flags of three cores, and signals between them, are drawn', await page.evaluate(() => window.ptoTimeline.flags()) === 16, await page.evaluate(() => window.ptoTimeline.flags()));
  check('rows in the order of the data flow', (await page.evaluate(() => window.ptoTimeline.rows())).slice(0, 12).join(' ') === 'path AIC 0 S MTE2 MTE1 M FIX AIV 0.0 S MTE2 V MTE3',
    await page.evaluate(() => window.ptoTimeline.rows()));
  const at = await page.evaluate(() => window.ptoTimeline.place(0, 1, 120));
  await page.mouse.move(box.x + at.x, box.y + at.y);
  check('a tip says what is there', (await page.$eval('.tip', tip => tip.hidden ? '' : tip.textContent)).includes('pto.tload'));
  await page.mouse.click(box.x + at.x, box.y + at.y);
  check('a click chooses', (await page.$eval('.detail', each => each.textContent)).includes('pto.tload, line'));
  await page.keyboard.press('.');
  check('full stop goes to the neighbour', (await page.evaluate(() => window.ptoTimeline.selected())).begin > 0);
  await page.$eval('tr.hot', row => row.click());
  check('a line of the source leads to the timeline', await page.evaluate(() => window.ptoTimeline.hits()) > 0);
  await page.click('#theme');
  check('the button makes it dark', await page.$eval('html', root => root.dataset.theme) === 'dark');
  check('no error while it is used', faults.length === 0, faults);
  await page.emulateMediaType('print');
  check('print leaves out what is for hands', await page.$eval('nav', nav => getComputedStyle(nav).display) === 'none');
  writeFileSync(path.join(out, 'printed.pdf'), await page.pdf({format: 'A4'}));
  check('it can be printed', statSync(path.join(out, 'printed.pdf')).size > 20_000);
  await page.close();
}

// Of 20,000 instructions: under 2 MB, open in time.
async function long_runs() {
  const file = page_of('long', long_program(6667), '--arg', 'x=f32[8x64]:1', '--arg', 'y=f32[8x64]');
  const size = statSync(file).size;
  check('20,000 instructions are under 2 MB', size < 2 << 20, size);
  const {page, faults, took} = await open(file);
  check('and open in 20 seconds, also on a busy machine', took < 20_000, took);
  check('without errors', faults.length === 0, faults);
  check('all of them are there', await page.evaluate(() => {
    const input = document.getElementById('search');
    input.value = 'tadd';
    input.dispatchEvent(new Event('input'));
    return window.ptoTimeline.hits();
  }) === 6667);
  console.log(`20,000 instructions: ${(size / 1e6).toFixed(2)} MB, open in ${took} ms`);
  await page.screenshot({path: path.join(out, 'long.png'), fullPage: true});
  await page.close();
}

// Of the planner's tiles: 32 x 128 numbers in f32 are 16 KiB. Attention works on the cube core and on both vector cores of its block.
async function memory_is_known(file) {
  const {page} = await open(file);
  const rows = await page.$$eval('#memory table tr', all => all.slice(1).map(row => [...row.children].map(cell => cell.textContent)));
  const right = rows.find(row => row[1] === 'L0B'), accumulator = rows.find(row => row[1] === 'L0C');
  check('L0B holds both right operands', right[2] === '32 KiB' && right[3] === '64 KiB', rows);
  check('L0C holds the scores', accumulator[2] === '16 KiB' && accumulator[5] === '2', rows);
  const cores = [...new Set(rows.map(row => row[0]))];
  check('memories of each kind of core are shown', cores.join() === 'AIC 0,AIV 0.0,AIV 0.1' && rows.filter(row => row[1] === 'UB').length === 2, rows);
  await page.evaluate(() => document.querySelector('#timeline-frame canvas').focus());
  await page.keyboard.press('w');
  check('the axis of the memory follows the timeline', await page.evaluate(() => document.querySelector('#memory .axis text').textContent) !== '0' ||
    await page.evaluate(() => document.querySelectorAll('#memory .axis .tick').length) > 0);
  await page.close();
}

// Matrices and vectors below their roofs: the shares are those of the numbers in the page, of 24 cubes and 48 vector units.
async function roofs_are_right(file) {
  const {page} = await open(file);
  const {chip, run} = await page.evaluate(() => JSON.parse(document.getElementById('data').textContent));
  const cycles = run.total_cycles - run.launch_cycles;
  const rows = await page.$$eval('#roofline table tr', all => all.slice(1).map(row => [...row.children].map(cell => cell.textContent)));
  const share = what => rows.find(row => row[0] === what)?.slice(1, 4);
  check('both kinds of work are there', chip.cube_ops > 0 && chip.vector_ops > 0, chip);
  for (const [what, rate, peak] of [['products of matrices', chip.cube_ops / cycles, 8192 * 24], ['elements of vectors', chip.vector_ops / cycles, 128 * 48]]) {
    const [ours, most, part] = share(what) ?? [];
    check(`${what}: rate, peak and share`, parseFloat(ours) === Number((rate * chip.clock_ghz).toFixed(1)) && parseFloat(most) === Number((peak * chip.clock_ghz).toFixed(0)) &&
      Math.abs(parseFloat(part) - 100 * rate / peak) <= 0.5 + 0.05 * 100 * rate / peak, rows, rate, peak);
  }
  check('a roof and a point for each', (await page.$$eval('#roofline svg .roof', all => all.map(each => each.textContent.split(' ')[0]))).join(' ') === 'cubes vector' &&
    (await page.$$('#roofline svg circle')).length === 2);
  await page.close();
}

// Three ranks: a button for each, behind it the page of that rank with its own number of cycles.
async function ranks_are_there() {
  const folder = path.join(scratch, 'ranks'), file = path.join(scratch, 'ranks.html');
  mkdirSync(folder);
  copyFileSync(path.join(root, 'asm-tests/ranks/put.pto'), path.join(folder, 'put.pto'));
  const array = (name, dtype, cells, rest) => `[[arg]]\nname = "${name}"\ndtype = "${dtype}"\nshape = [${cells}]\n${rest}`;
  writeFileSync(path.join(folder, 'case.toml'), ['program = "put.pto"\nranks = 3\n', array('x', 'f32', '1, 64', 'fill = "{rank}"\n'), array('window', 'f32', '1, 64', ''),
    array('signal', 'i32', '1', 'fill = 0\n'), array('y', 'f32', '1, 64', ''), ...['window', 'signal'].map(name => `[[arg]]\nname = "next_${name}"\npeer = "${name}@{next}"\n`)].join(''));
  sim(path.join(folder, 'case.toml'), '--report', 'none', '--html', file);
  for (const [width, theme] of [[1280, 'light'], [390, 'dark']]) {
    const {page, faults} = await open(file, {width, theme});
    const buttons = await page.$$('nav button');
    check('a button for each rank', buttons.length === 3, buttons.length);
    for (const button of buttons) {
      await button.click();
      const cycles = /rank \d+: ([\d,]+) cycles/.exec(await button.evaluate(each => each.textContent))?.[1];
      const frame = await (await page.$('iframe')).contentFrame();
      const shown = await frame.waitForFunction(text => document.querySelector('.tiles')?.textContent.includes(text), {timeout: 10_000}, cycles).then(() => true, () => false);
      check(`the page of a rank of ${cycles} cycles`, shown && (await frame.$$('#timeline svg')).length > 0 && await button.evaluate(each => each.getAttribute('aria-pressed')) === 'true');
    }
    check('no error, no request', faults.length === 0, faults);
    await page.screenshot({path: path.join(out, `ranks-${width}-${theme}.png`)});
    await page.close();
  }
}

// 16 passes of five steps: below their pipe, found by the search.
async function vector_functions(file) {
  const {page} = await open(file);
  const rows = await page.evaluate(() => window.ptoTimeline.rows());
  check('the inside of vector functions stands below V', rows.join(', ').includes('V, ld/st 1, ld/st 2, alu 1, alu 2, MTE3'), rows);
  await page.keyboard.press('/');
  await page.keyboard.type('vlds');
  check('its steps are found', await page.evaluate(() => window.ptoTimeline.hits()) === 16, await page.evaluate(() => window.ptoTimeline.hits()));
  await page.keyboard.press('Enter');
  check('and say where they are', (await page.$eval('.detail', each => each.textContent)).includes('in a vector function, ld/st'), await page.$eval('.detail', each => each.textContent));
  await page.screenshot({path: path.join(out, 'inside.png')});
  await page.close();
}

// Both on one scale; moving one moves the other.
async function two_timelines(file) {
  const {page, faults} = await open(file);
  const domains = () => page.evaluate(() => window.ptoTimelines.map(each => each.domain()));
  const same = ([[from, to], [left, right]]) => Math.abs(from - left) < 1 && Math.abs(to - right) < 1;
  const whole = await domains();
  check('two timelines have one scale', whole.length === 2 && same(whole), whole);
  await page.focus('#timeline-frame-b canvas');
  for (const key of ['w', 'w', 'd']) await page.keyboard.press(key);
  const near = await domains();
  check('and move together', same(near) && near[0][1] - near[0][0] < (whole[0][1] - whole[0][0]) / 2 && near[0][0] > 0, near);
  await page.focus('#timeline-frame-a canvas');
  await page.keyboard.press('0');
  check('both ways', same(await domains()) && (await domains())[1][0] === 0, await domains());
  check('without errors while they move', faults.length === 0, faults);
  await page.close();
}

async function strange_texts() {
  const program = path.join(scratch, 'strange.pto');
  writeFileSync(program, '// </script><script>document.title = "no"</script> <!-- \u2028 -->\n' + readFileSync(path.join(root, 'asm-tests/kernels/matmul_tile.a2a3.pto'), 'utf8'));
  const {page, faults} = await open(page_of('strange', program, '--mode', 'time', '--arg', 'a=f32[64x128]', '--arg', 'b=f32[128x64]', '--arg', 'c=f32[64x64]'));
  check('a text cannot leave its place', faults.length === 0 && (await page.title()).endsWith('pto-sim'), faults);
  check('and is shown', (await page.$eval('.source tbody', body => body.textContent)).includes('</script><script>'));
  await page.close();
}

try {
  const attention = page_of('attention', 'kernels/attention.a2a3.toml');
  await looks('attention', attention, ['verdict', 'timeline', 'source', 'memory', 'roofline', 'cores']);
  await timeline_works(attention);
  await memory_is_known(attention);
  await roofs_are_right(attention);
  const both = path.join(scratch, 'diff.html');
  sim('diff', 'kernels/attention.a2a3.toml', 'kernels/attention.a5.toml', '--report', 'none', '--html', both);
  await looks('diff', both, ['verdict', 'timelines', 'path', 'pipes', 'waits', 'lines']);
  await two_timelines(both);
  await looks('matmul', page_of('matmul', 'kernels/matmul_tile.a5.toml'), ['verdict', 'timeline', 'source']);
  const inside = page_of('vector_function', 'examples/vector_function/case.toml');
  await looks('vector_function', inside, ['verdict', 'timeline', 'source', 'roofline']);
  await vector_functions(inside);
  await ranks_are_there();
  await long_runs();
  await strange_texts();
} finally {
  await browser.close();
  rmSync(scratch, {recursive: true});
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
