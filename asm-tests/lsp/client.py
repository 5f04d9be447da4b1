"""A client of pto-lsp, for tests: speaks LSP over its standard streams."""
import json
import os
import selectors
import subprocess
import time


class Client:
    """Starts the program; `initialize` is said unless told otherwise."""

    def __init__(self, program, options=None, initialize=True):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        self.bytes, self.held, self.number = b'', [], 0
        if initialize:
            self.capabilities = self.ask('initialize', {'processId': None, 'rootUri': None, 'capabilities': {}, 'initializationOptions': options or {}})['capabilities']
            self.tell('initialized', {})

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.send_bytes(b'Content-Length: %d\r\n\r\n' % len(body) + body)

    def receive(self, seconds=20):
        """The next message; None when the program ended, or said nothing in time."""
        end = time.monotonic() + seconds
        while True:
            head, mark, rest = self.bytes.partition(b'\r\n\r\n')
            if mark:
                length = int(head.split(b':')[1])
                if len(rest) >= length:
                    self.bytes = rest[length:]
                    return json.loads(rest[:length])
            if time.monotonic() > end or not self.selector.select(max(0, end - time.monotonic())):
                return None
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                return None
            self.bytes += data

    def answer(self, number):
        for message in self.held:
            if message.get('id') == number and 'method' not in message:
                self.held.remove(message)
                return message
        while True:
            message = self.receive()
            assert message is not None, f'no answer to {number}'
            if message.get('id') == number and 'method' not in message:
                return message
            self.held.append(message)

    def request(self, method, params=None):
        self.number += 1
        self.send({'jsonrpc': '2.0', 'id': self.number, 'method': method, 'params': params or {}})
        return self.answer(self.number)

    def ask(self, method, params=None):
        message = self.request(method, params)
        assert 'error' not in message, message
        return message['result']

    def tell(self, method, params=None):
        self.send({'jsonrpc': '2.0', 'method': method, 'params': params or {}})

    def told(self, method, seconds=20):
        """The parameters of the next notification of this kind."""
        for message in self.held:
            if message.get('method') == method:
                self.held.remove(message)
                return message['params']
        while True:
            message = self.receive(seconds)
            if message is None:
                return None
            if message.get('method') == method:
                return message['params']
            self.held.append(message)

    def open(self, text, uri='file:///k.pto'):
        self.tell('textDocument/didOpen', {'textDocument': {'uri': uri, 'languageId': 'pto', 'version': 1, 'text': text}})
        return self.faults()

    def edit(self, edits, version=2, uri='file:///k.pto'):
        """Edits are (range or None, text)."""
        changes = [{'text': text} if range_ is None else {'range': range_, 'text': text} for range_, text in edits]
        self.tell('textDocument/didChange', {'textDocument': {'uri': uri, 'version': version}, 'contentChanges': changes})

    def faults(self):
        return self.told('textDocument/publishDiagnostics')['diagnostics']

    def at(self, method, line, character, uri='file:///k.pto', **more):
        return self.ask(method, {'textDocument': {'uri': uri}, 'position': {'line': line, 'character': character}, **more})

    def end(self):
        """Ends the program as editors do; its exit code."""
        if self.process.poll() is None:
            self.ask('shutdown')
            self.tell('exit')
        return self.wait()

    def wait(self):
        self.process.stdin.close()
        code = self.process.wait(20)
        self.process.stdout.close()
        self.errors = self.process.stderr.read().decode()
        self.process.stderr.close()
        return code


def span(line, begin, last, end):
    return {'start': {'line': line, 'character': begin}, 'end': {'line': last, 'character': end}}
