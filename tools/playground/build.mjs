// Makes the page from pto.wasm and src/: node build.mjs PTO.WASM PAGE.HTML. It is one file that asks for no other.
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const here = path.dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(path.join(here, '../web/package.json'))('esbuild');

const bundled = entry => {
  const made = esbuild.buildSync({
    absWorkingDir: here, entryPoints: [entry], bundle: true, minify: true, write: false, format: 'iife', target: ['chrome110', 'firefox113', 'safari17'],
    metafile: true, legalComments: 'none', charset: 'ascii',
  });
  return {text: made.outputFiles[0].text.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--'), inputs: Object.keys(made.metafile.inputs)};
};

// The licences of what was bundled go with it.
function licences(inputs) {
  const names = [...new Set(inputs.flatMap(input => input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []))].sort();
  const texts = new Map();
  for (const name of names) {
    const folder = path.join(here, 'node_modules', name);
    const {version, license} = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = ['LICENSE', 'LICENSE-MIT', 'LICENSE.md'].map(each => path.join(folder, each)).find(each => { try { return readFileSync(each); } catch { return false; } });
    const text = file ? readFileSync(file, 'utf8').trim() : license;
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  return [...texts].map(([text, of]) => `${of.join(', ')}\n\n${text}`).join('\n\n----\n\n').replaceAll('--', '- -');
}

const [wasm, page] = process.argv.slice(2);
const main = bundled('src/main.js'), worker = bundled('src/worker.js'), css = readFileSync(path.join(here, 'src/style.css'), 'utf8');
const packed = gzipSync(readFileSync(wasm), {level: 9}).toString('base64');
const parts = {'@CSS@': css, '@JS@': main.text, '@WORKER@': worker.text, '@WASM@': packed};
const filled = readFileSync(path.join(here, 'src/page.html'), 'utf8').replace(/@(?:CSS|JS|WORKER|WASM)@/g, mark => parts[mark]);
writeFileSync(page, filled.replace('<head>\n', () => `<head>\n<!--\nBundled libraries and their licences:\n\n${licences([...main.inputs, ...worker.inputs])}\n-->\n`));
