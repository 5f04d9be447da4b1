// Makes page.html, the resource of the library, from src/. `node build.mjs FILE` writes elsewhere.
import {readFile, writeFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import path from 'node:path';
import esbuild from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const bundled = async (entry, loader) => {
  const made = await esbuild.build({
    absWorkingDir: here, entryPoints: [entry], bundle: true, minify: true, write: false, format: 'iife', target: ['chrome110', 'firefox110', 'safari16'],
    metafile: true, legalComments: 'none', charset: 'ascii', loader,
  });
  return {text: made.outputFiles[0].text.trim(), inputs: Object.keys(made.metafile.inputs)};
};

// The licences of what was bundled go with it.
async function licences(inputs) {
  const names = [...new Set(inputs.flatMap(input => input.match(/node_modules\/([^/]+)\//)?.[1] ?? []))].sort();
  const texts = new Map();
  for (const name of names) {
    const {version} = JSON.parse(await readFile(path.join(here, 'node_modules', name, 'package.json'), 'utf8'));
    const text = (await readFile(path.join(here, 'node_modules', name, 'LICENSE'), 'utf8')).trim();
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  return [...texts].map(([text, of]) => `${of.join(', ')}\n\n${text}`).join('\n\n----\n\n').replaceAll('--', '- -');
}

const js = await bundled('src/main.js');
const css = await bundled('src/style.css');
const template = await readFile(path.join(here, 'src/page.html'), 'utf8');
const script = js.text.replaceAll('</script', '<\\/script');
if (script.includes('@DATA@') || css.text.includes('@DATA@')) throw new Error('the mark for the data stands in the bundle');
const page = template.replace('<!doctype html>\n', () => '<!doctype html>\n')
  .replace('@CSS@', () => css.text).replace('@JS@', () => script)
  .replace('</html>\n', '') + `</html>\n`;
const notes = `<!--\nBundled libraries and their licences:\n\n${await licences(js.inputs)}\n-->\n`;
await writeFile(process.argv[2] ?? path.join(here, 'page.html'), page.replace('<head>\n', () => `<head>\n${notes}`));
