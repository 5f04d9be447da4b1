// A worker that runs the tools, one call after the other; stopping it starts another one.
export async function unpacked(text) {
  const packed = Uint8Array.from(atob(text.trim()), letter => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

export class Service {
  constructor(code, module) {
    this.url = URL.createObjectURL(new Blob([code], {type: 'text/javascript'}));
    this.module = module;
    this.waiting = new Map();
    this.number = 0;
    this.start();
  }

  start() {
    this.worker = new Worker(this.url);
    this.worker.postMessage({module: this.module});
    this.worker.onmessage = ({data}) => this.settle(data.id, data);
    this.worker.onerror = event => { event.preventDefault(); this.stop(); };
  }

  settle(id, result) {
    this.waiting.get(id)?.(result);
    this.waiting.delete(id);
  }

  // What tools.js's run returns, with the milliseconds it took; null when it was stopped.
  run(args, files, stdin = '') {
    const id = ++this.number;
    return new Promise(done => {
      this.waiting.set(id, done);
      this.worker.postMessage({id, args, files, stdin});
    });
  }

  stop() {
    this.worker.terminate();
    for (const id of [...this.waiting.keys()]) this.settle(id, null);
    this.start();
  }
}
