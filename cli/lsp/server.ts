/** The language server: keeps the texts of the editor, decides when they are checked, and passes questions on to the engine. */
import { join } from 'node:path'
import {
  CodeActionKind,
  createConnection,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  ProposedFeatures,
  TextDocumentSyncKind,
  type CancellationToken,
  type Connection,
  type InitializeParams,
  type ServerCapabilities,
} from 'vscode-languageserver/node'
import type { Invocation } from '../declare.ts'
import { version } from '../version.gen.ts'
import { EngineClient, EngineStopped } from './engine-client.ts'
import { Desk } from './desk.ts'
import { questions } from './questions.ts'
import { keyOf } from './store.ts'
import { changeFiles, configure, openText, type Encoding, type EngineSettings, type Question } from './wire.ts'

type LspInvocation = Invocation<object, { readonly guide: string | undefined }>

// What ends by itself at its deadline may take a moment for that.
const limits = { deadlineMs: 10_000, graceMs: 2000, memoryMb: 2048 }

/** This very program again: the executable is its own, from the sources the entry is named. */
const engineCommand = (): string[] => {
  const isCompiled = import.meta.dir.startsWith('/$bunfs') || import.meta.dir.startsWith('B:\\~BUN')
  const program = isCompiled ? [process.execPath] : [process.execPath, 'run', join(import.meta.dir, '..', 'main.ts')]
  return [...program, ...process.argv.slice(2), '--engine']
}

const encodingOf = ({ capabilities }: InitializeParams): Encoding =>
  capabilities.general?.positionEncodings?.includes('utf-8') === true &&
  capabilities.general.positionEncodings[0] === 'utf-8'
    ? 'utf-8'
    : 'utf-16'

const capabilitiesOf = (encoding: Encoding): ServerCapabilities => ({
  positionEncoding: encoding,
  definitionProvider: true,
  referencesProvider: true,
  documentSymbolProvider: true,
  hoverProvider: true,
  completionProvider: { triggerCharacters: ['/', '#', '"', "'", ' ', '$'] },
  codeActionProvider: {
    codeActionKinds: [CodeActionKind.QuickFix, `${CodeActionKind.SourceFixAll}.svc`],
    resolveProvider: true,
  },
  renameProvider: { prepareProvider: true },
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: { includeText: false } },
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
})

interface ClientSettings {
  readonly guide?: unknown
}

const guideIn = (settings: unknown): string | null => {
  const guide = typeof settings === 'object' && settings !== null ? (settings as ClientSettings).guide : null
  return typeof guide === 'string' && guide !== '' ? guide : null
}

// What the engine refused is the answer; that it was stopped is not the fault of who asked.
async function ask(engine: EngineClient, question: Question, token: CancellationToken): Promise<unknown> {
  try {
    return await engine.ask(question, () => !token.isCancellationRequested)
  } catch (error) {
    if (error instanceof EngineStopped) return error
    throw error
  }
}

function watchFiles(connection: Connection): void {
  const watchers = [{ globPattern: '**/*.{yaml,yml,json}' }, { globPattern: '**/.spectral.*' }]
  void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }).catch(() => {})
}

/**
 * Serves one editor over standard input and output until it leaves.
 * @throws nothing; the process ends with the code that the protocol prescribes
 */
export async function serveEditor({ options, cwd, signal }: LspInvocation): Promise<void> {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout)
  let settings: EngineSettings = {
    encoding: 'utf-16',
    guide: options.guide ?? null,
    folders: [cwd],
    resolvesActions: false,
  }
  let watchesFiles = false
  const engine = new EngineClient(engineCommand(), limits, (it) => {
    void it.sendNotification(configure, settings)
    for (const text of desk.texts()) void it.sendNotification(openText, text)
  })
  const desk: Desk = new Desk(connection, engine)
  const configureAgain = (change: Partial<EngineSettings>): void => {
    settings = { ...settings, ...change }
    engine.tell(configure, settings)
    desk.checkAll()
  }

  connection.onInitialize((params) => {
    const encoding = encodingOf(params)
    const folders = (params.workspaceFolders ?? []).map(({ uri }) => keyOf(uri))
    watchesFiles = params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true
    const guide = options.guide ?? guideIn(params.initializationOptions)
    const resolvesActions =
      params.capabilities.textDocument?.codeAction?.resolveSupport?.properties.includes('edit') === true
    settings = { encoding, guide, folders: folders.length === 0 ? [cwd] : folders, resolvesActions }
    desk.encoding = encoding
    engine.start()
    return { capabilities: capabilitiesOf(encoding), serverInfo: { name: 'svc', version } }
  })
  connection.onInitialized(() => {
    if (watchesFiles) watchFiles(connection)
  })
  connection.onDidChangeConfiguration(({ settings: all }) => {
    const own = typeof all === 'object' && all !== null ? ((all as { readonly svc?: unknown }).svc ?? null) : null
    if (own !== null) configureAgain({ guide: options.guide ?? guideIn(own) })
  })
  connection.onNotification(DidChangeWorkspaceFoldersNotification.type, ({ event: { added, removed } }) => {
    const gone = new Set(removed.map(({ uri }) => keyOf(uri)))
    const left = settings.folders.filter((it) => !gone.has(it))
    configureAgain({ folders: [...left, ...added.map(({ uri }) => keyOf(uri))] })
  })
  connection.onDidChangeWatchedFiles(({ changes }) => {
    engine.tell(changeFiles, { paths: changes.map(({ uri }) => keyOf(uri)) })
    desk.checkAll()
  })
  desk.listen()
  for (const method of Object.keys(questions))
    connection.onRequest(method, async (params: unknown, token: CancellationToken) => {
      const answer = await ask(engine, { method, params }, token)
      if (answer instanceof Error) connection.console.error(`${method}: ${answer.message}`)
      return answer instanceof Error ? null : answer
    })
  const ended = new Promise<void>((resolve) => {
    connection.onExit(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  // The connection ends the process by itself: with 0 after a shutdown, with 1 where the editor is gone without one.
  process.once('exit', () => engine.stop())
  connection.onShutdown(() => engine.stop())
  connection.listen()
  await ended
  engine.stop()
}
