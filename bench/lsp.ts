/** How long after a key an editor shows what it means, in a document of 4 MB. */
import { spawn } from 'node:child_process'
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type ProtocolConnection,
} from 'vscode-languageserver-protocol/node'
import { largeYaml } from './large-document.ts'
import { binary, median, type Measurement } from './measure.ts'
import { npmTool } from './tools.ts'

const keys = 30
const limitMs = 30_000

/** An open document in a server, and how it is edited. */
class Session {
  readonly #connection: ProtocolConnection
  readonly #uri = 'file:///bench/openapi.yaml'
  #version = 1
  #waiting: { readonly version: number; readonly shown: () => void } | null = null

  constructor(connection: ProtocolConnection) {
    this.#connection = connection
    connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, version }) => {
      // Servers that name no version answer the last one.
      if (uri === this.#uri && (version ?? this.#version) >= (this.#waiting?.version ?? 0)) this.#waiting?.shown()
    })
  }

  #shown(): Promise<void> {
    return new Promise((resolve) => (this.#waiting = { version: this.#version, shown: resolve }))
  }

  async open(text: string): Promise<void> {
    await this.#connection.sendRequest(InitializeRequest.type, { processId: null, rootUri: null, capabilities: {} })
    await this.#connection.sendNotification(InitializedNotification.type, {})
    const textDocument = { uri: this.#uri, languageId: 'yaml', version: this.#version, text }
    const shown = this.#shown()
    await this.#connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument })
    await shown
  }

  /** Milliseconds from a key to what is shown for the text with it. */
  async key(line: number, character: number, text: string): Promise<number> {
    this.#version += 1
    const begun = performance.now()
    const shown = this.#shown()
    const at = { line, character }
    await this.#connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri: this.#uri, version: this.#version },
      contentChanges: [{ range: { start: at, end: at }, text }],
    })
    await shown
    return performance.now() - begun
  }

  async leave(): Promise<void> {
    await this.#connection.sendRequest(ShutdownRequest.type)
    await this.#connection.sendNotification(ExitNotification.type)
  }
}

async function measure(command: readonly string[], text: string): Promise<readonly number[]> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs * 4)
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  )
  connection.listen()
  try {
    const session = new Session(connection)
    await session.open(text)
    const lines = text.split('\n')
    const line = lines.findIndex((it, index) => index > lines.length * 0.7 && /^ +description: [A-Z][a-z]+ /.test(it))
    const character = (lines[line] ?? '').indexOf(': ') + 4
    const times: number[] = []
    // The first keys are measured too early: the program is still being compiled.
    for (let key = -5; key < keys; key++) {
      await Bun.sleep(500)
      const ms = await session.key(line, character, 'x')
      if (key >= 0) times.push(ms)
    }
    await session.leave()
    return times.toSorted((a, b) => a - b)
  } finally {
    clearTimeout(timer)
    connection.dispose()
    child.kill('SIGKILL')
  }
}

/** From a key to its diagnostics, against the bound and against a server that checks the syntax of YAML. */
export async function editing(): Promise<readonly Measurement[]> {
  const text = await Bun.file(await largeYaml()).text()
  const ours = await measure([binary, 'lsp'], text)
  const at = (share: number): number => ours[Math.floor((ours.length - 1) * share)] ?? Number.NaN
  const bound = { reference: 100, referenceName: 'the bound', unit: 'ms' as const, goal: '≤ 100 ms' }
  const rows: Measurement[] = [
    { name: `from a key to its findings in 4.2 MB of YAML, median of ${keys}`, ours: median(ours), ...bound },
    { name: 'the same, nine of ten', ours: at(0.9), ...bound },
  ]
  const other = npmTool('yaml-language-server', '2.0.0', 'yaml-language-server')
  if (other === null) return rows
  const theirs = await measure([other, '--stdio'], text)
  const row = { ours: median(ours), reference: median(theirs), referenceName: 'yaml-language-server, without a schema' }
  return [...rows, { name: 'the same, median', ...row, unit: 'ms', goal: '≤ 1' }]
}
