// The tools beside the page, so that it answers while they run; ending the worker stops them.
import {run} from './tools.js';

let module = null;

addEventListener('message', ({data}) => {
  if (data.module) return void (module = data.module);
  const begin = performance.now();
  const result = run(module, data.args, data.files, data.stdin);
  postMessage({id: data.id, ...result, milliseconds: performance.now() - begin});
});
