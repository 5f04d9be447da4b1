// Runs the tools of pto.wasm on files in memory: one call is one program, from its arguments to its exit code.
import {ConsoleStdout, Directory, File, OpenFile, PreopenDirectory, WASI, wasi as defined} from '@bjorn3/browser_wasi_shim';

const encoder = new TextEncoder();
export const bytes_of = text => typeof text === 'string' ? encoder.encode(text) : text;
export const text_of = bytes => new TextDecoder().decode(bytes);

// 'a/b.pto' -> bytes, as folders.
function tree(files) {
  const root = new Map();
  for (const [path, content] of Object.entries(files)) {
    const parts = path.split('/').filter(Boolean), name = parts.pop();
    let folder = root;
    for (const part of parts) {
      if (!folder.has(part)) folder.set(part, new Directory(new Map()));
      folder = folder.get(part).contents;
    }
    folder.set(name, new File(bytes_of(content)));
  }
  return root;
}

function flat(folder, prefix = '', into = {}) {
  for (const [name, entry] of folder) {
    if (entry instanceof Directory) flat(entry.contents, `${prefix}${name}/`, into);
    else into[prefix + name] = entry.data;
  }
  return into;
}

// Nobody watches it as it is written: no terminal.
class Pipe extends ConsoleStdout {
  fd_fdstat_get() {
    const {ret, fdstat} = super.fd_fdstat_get();
    fdstat.fs_filetype = defined.FILETYPE_SOCKET_STREAM;
    return {ret, fdstat};
  }
}

function collected() {
  const pieces = [];
  return {
    stream: new Pipe(piece => pieces.push(piece.slice())),
    text: () => {
      const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
      let at = 0;
      for (const piece of pieces) { all.set(piece, at); at += piece.length; }
      return all;
    },
  };
}

// Who waits for standard input gets what is left of it; then time passes at once, then it ends.
function poll(wasi, input, skip) {
  return (subscriptions, events, count, result) => {
    const view = new DataView(wasi.inst.exports.memory.buffer);
    const [clock, readable] = [0, 1];
    const all = Array.from({length: count}, (_, i) => subscriptions + 48 * i).map(at => ({user: view.getBigUint64(at, true), tag: view.getUint8(at + 8), timeout: view.getBigUint64(at + 24, true)}));
    const left = input.file.data.length - Number(input.file_pos);
    const chosen = (left > 0 ? null : all.find(each => each.tag === clock)) ?? all.find(each => each.tag === readable) ?? all[0];
    if (chosen.tag === clock) skip(chosen.timeout);
    view.setBigUint64(events, chosen.user, true);
    view.setUint16(events + 8, 0, true);
    view.setUint8(events + 10, chosen.tag);
    view.setBigUint64(events + 16, BigInt(Math.max(left, 0)), true);
    view.setUint16(events + 24, 0, true);
    view.setUint32(result, 1, true);
    return 0;
  };
}

// args: the tool first. Returns {code, out, err, files}; code 134 when the machine stopped the program, with the reason in err.
export function run(module, args, files = {}, stdin = '') {
  const out = collected(), err = collected(), root = tree(files);
  const input = new OpenFile(new File(bytes_of(stdin)));
  const wasi = new WASI(args, ['LC_ALL=C.UTF-8'], [input, out.stream, err.stream, new PreopenDirectory('/', root)], {debug: false});
  const imports = {...wasi.wasiImport};
  let skipped = 0n;
  imports.poll_oneoff = poll(wasi, input, nanoseconds => { skipped += nanoseconds; });
  imports.clock_time_get = (id, precision, at) => {
    const status = wasi.wasiImport.clock_time_get(id, precision, at);
    const view = new DataView(wasi.inst.exports.memory.buffer);
    view.setBigUint64(at, view.getBigUint64(at, true) + skipped, true);
    return status;
  };
  let code = 134, problem = '';
  try {
    code = wasi.start(new WebAssembly.Instance(module, {wasi_snapshot_preview1: imports}));
  } catch (error) {
    problem = error instanceof RangeError ? 'the stack of the browser is used up\n' : `${error.message ?? error}\n`;
  }
  return {code, out: out.text(), err: problem === '' ? err.text() : bytes_of(text_of(err.text()) + `${args[0]}: error: ${problem}`), files: flat(root)};
}
