// Questions to pto-lsp: the text goes there with the question, and the program ends with the answer.
import {bytes_of, text_of} from './tools.js';

const uri_of = name => `file:///${encodeURI(name)}`;

// What a client sends who asks one thing of one text.
export function messages(name, text, options, method, position) {
  const about = {uri: uri_of(name)};
  const all = [
    {id: 1, method: 'initialize', params: {capabilities: {}, initializationOptions: options}},
    {method: 'initialized', params: {}},
    {method: 'textDocument/didOpen', params: {textDocument: {...about, languageId: 'pto', version: 1, text}}},
    {id: 2, method, params: {textDocument: about, position}},
    {id: 3, method: 'shutdown'},
    {method: 'exit'},
  ];
  return all.map(message => {
    const body = JSON.stringify({jsonrpc: '2.0', ...message});
    return `Content-Length: ${bytes_of(body).length}\r\n\r\n${body}`;
  }).join('');
}

// The answer to the question; null where there is none.
export function answer(out) {
  for (let at = 0; at < out.length;) {
    const head = /^Content-Length: (\d+)\r\n\r\n/.exec(text_of(out.subarray(at, at + 64)));
    if (!head) return null;
    const begin = at + head[0].length;
    at = begin + Number(head[1]);
    const message = JSON.parse(text_of(out.subarray(begin, at)));
    if (message.id === 2) return message.result ?? null;
  }
  return null;
}
