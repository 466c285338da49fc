/** The extension: starts "svc lsp" for YAML and JSON, and again where its settings change. */
import * as vscode from 'vscode'
import { LanguageClient } from 'vscode-languageclient/node'

/** @type {LanguageClient | null} */
let client = null

// Settings with which the program is started; the others it is sent.
const startSettings = ['svc.path', 'svc.allowFunctions']

async function start() {
  const settings = vscode.workspace.getConfiguration('svc')
  const command = settings.get('path', 'svc')
  const args = ['lsp', ...(settings.get('allowFunctions', false) ? ['--allow-functions'] : [])]
  const own = new LanguageClient(
    'svc',
    'svc',
    { command, args },
    {
      documentSelector: ['yaml', 'json', 'jsonc'].map((language) => ({ language })),
      initializationOptions: { guide: settings.get('guide', '') },
      synchronize: { configurationSection: 'svc' },
    },
  )
  client = own
  try {
    await own.start()
  } catch (error) {
    client = null
    const open = 'Open settings'
    const why = error instanceof Error ? error.message : String(error)
    const chosen = await vscode.window.showErrorMessage(
      `svc could not be started as "${command}" (${why}). Install svc, or set svc.path.`,
      open,
    )
    if (chosen === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'svc.path')
  }
}

async function stop() {
  const own = client
  client = null
  await own?.stop()
}

async function restart() {
  await stop()
  await start()
}

/** @param {vscode.ExtensionContext} context */
export async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('svc.restart', restart),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (startSettings.some((it) => event.affectsConfiguration(it))) await restart()
    }),
  )
  await start()
}

export const deactivate = stop
