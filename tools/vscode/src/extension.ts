// Starts pto-lsp for .pto files, and runs the case beside a program.
import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

function settings() {
  const given = vscode.workspace.getConfiguration("pto");
  return {
    target: given.get<string>("target", ""),
    level: given.get<string>("level", ""),
    sync: given.get<string>("sync", ""),
    warnings: given.get<string[]>("warnings", []),
  };
}

async function start() {
  const command = vscode.workspace.getConfiguration("pto").get<string>("server", "pto-lsp");
  client = new LanguageClient("pto", "PTO", { command, args: [] }, {
    documentSelector: [{ language: "pto" }],
    initializationOptions: settings(),
  });
  try {
    await client.start();
  } catch (problem) {
    void vscode.window.showErrorMessage(`PTO: cannot start ${command}: ${problem}. The setting pto.server says where it is.`);
  }
}

async function restart() {
  const old = client;
  client = undefined;
  await old?.stop().catch(() => undefined);
  await start();
}

/** Runs case.toml beside the program, or else the program alone; the hints of its cycles come with its statistics. */
function run() {
  const file = vscode.window.activeTextEditor?.document;
  if (file?.languageId !== "pto") return;
  const beside = path.join(path.dirname(file.fileName), "case.toml");
  const stats = path.join(path.dirname(file.fileName), path.basename(file.fileName, path.extname(file.fileName)) + ".stats.json");
  const program = vscode.workspace.getConfiguration("pto").get<string>("simulator", "pto-sim");
  const process = new vscode.ShellExecution(program, [fs.existsSync(beside) ? beside : file.fileName, "--stats", stats]);
  const task = new vscode.Task({ type: "pto" }, vscode.TaskScope.Workspace, "run", "pto", process);
  void file.save().then(() => vscode.tasks.executeTask(task));
}

export async function activate(context: vscode.ExtensionContext) {
  context.subscriptions.push(
    vscode.commands.registerCommand("pto.restart", restart),
    vscode.commands.registerCommand("pto.run", run),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("pto.server")) void restart();
      else if (change.affectsConfiguration("pto")) void client?.sendNotification("workspace/didChangeConfiguration", { settings: { pto: settings() } });
    }),
  );
  await start();
}

export async function deactivate() {
  await client?.stop();
}
