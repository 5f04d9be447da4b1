#!/usr/bin/python3
"""Neovim and Emacs, set up as docs/user/editors.md says, show what pto-lsp says.

usage: asm-tests/lsp/test_editors.py [--bin DIR]
An editor that is not installed is left out, and named. Closes with "N passed, M failed".
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = '''func.func @add(%a: !pto.ptr<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constnt 1 : index
  pto.barrier #pto.pipe<PIPE_ALL>
  return
}
'''
WRONG, BARRIER = 3, 4  # lines
NEOVIM = '''
local function say(text) io.stdout:write(text .. "\\n") end
vim.wait(10000, function() return #vim.diagnostic.get(0) > 0 end, 20)
for _, found in ipairs(vim.diagnostic.get(0)) do say("diagnostic " .. found.lnum + 1 .. " " .. found.message:gsub("\\n.*", "")) end
local file = vim.lsp.util.make_text_document_params()
for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/hover", { textDocument = file, position = { line = BARRIER - 1, character = 5 } }, 10000)) do
  say("hover " .. answer.result.contents.value:gsub("\\n.*", ""))
end
for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/documentSymbol", { textDocument = file }, 10000)) do
  say("outline " .. answer.result[1].name)
end
vim.cmd("qa!")
'''
EMACS = '''
(setq eglot-sync-connect 10)
(find-file "add.pto")
(apply (function eglot) (eglot--guess-contact))
(let ((end (+ (float-time) 10)))
  (while (and (< (float-time) end) (null (flymake-diagnostics)))
    (accept-process-output nil 0.1)
    (when flymake-mode (flymake-start))))
(defun say (what text) (princ (format "%s %s\n" what (car (split-string text "\n")))))
(dolist (found (flymake-diagnostics))
  (say "diagnostic" (format "%d %s" (line-number-at-pos (flymake-diagnostic-beg found)) (flymake-diagnostic-text found))))
(goto-char (point-min))
(search-forward "pto.barrie")
(let* ((server (eglot-current-server))
       (hover (jsonrpc-request server :textDocument/hover (eglot--TextDocumentPositionParams)))
       (outline (jsonrpc-request server :textDocument/documentSymbol (list :textDocument (eglot--TextDocumentIdentifier)))))
  (say "hover" (plist-get (plist-get hover :contents) :value))
  (say "outline" (plist-get (aref outline 0) :name)))
'''


def settings(heading, language, marker):
    """The block of docs/user/editors.md below a heading that holds the marker."""
    section = re.search(rf'^## {heading}\n(.*?)(?=^## |\Z)', (ROOT / 'docs/user/editors.md').read_text(encoding='utf-8'), re.S | re.M)[1]
    return next(block for block in re.findall(rf'```{language}\n(.*?)```', section, re.S) if marker in block)


def neovim(folder):
    version = tuple(map(int, re.search(r'v(\d+)\.(\d+)', subprocess.run(['nvim', '--version'], capture_output=True, text=True).stdout).groups()))
    (folder / 'init.lua').write_text(settings('Neovim', 'lua', 'vim.lsp.config' if version >= (0, 11) else 'start_client'))
    (folder / 'try.lua').write_text(NEOVIM.replace('BARRIER', str(BARRIER)))
    return ['nvim', '--headless', '-u', 'init.lua', 'add.pto', '-c', 'luafile try.lua']


def emacs(folder):
    (folder / 'init.el').write_text(settings('Emacs', 'elisp', 'eglot'))
    (folder / 'try.el').write_text(EMACS)
    return ['emacs', '--batch', '--eval', "(progn (package-initialize) (require 'eglot))", '-l', './init.el', '-l', './try.el']


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', type=pathlib.Path, default=ROOT / 'build/release/bin', help='the folder of pto-lsp')
    bin_folder = parser.parse_args().bin.resolve()
    passed = failed = 0
    for editor, program in ((neovim, 'nvim'), (emacs, 'emacs')):
        if not shutil.which(program):
            print(f'{editor.__name__}: left out, there is no {program}')
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / 'add.pto').write_text(PROGRAM)
            environment = dict(os.environ, PATH=f'{bin_folder}:{os.environ["PATH"]}', HOME=name)
            ran = subprocess.run(editor(folder), cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
        for expected in (rf'^diagnostic {WRONG} .*arith\.constnt', r'^hover .*pto\.barrier', r'^outline @?add'):
            if re.search(expected, ran.stdout, re.M):
                passed += 1
            else:
                failed += 1
                print(f'{editor.__name__}: nothing fits {expected} in\n{ran.stdout}{ran.stderr}')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
