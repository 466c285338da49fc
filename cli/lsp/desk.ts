/** The texts that an editor has open in the server, and when each is checked. */
import {
  DiagnosticSeverity,
  MessageType,
  ShowMessageNotification,
  type Connection,
  type Diagnostic,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { EngineStopped, type EngineClient } from './engine-client.ts'
import { applyChanges } from './text.ts'
import { closeText, editText, openText, type Checked, type Encoding, type OpenedText, type Pass } from './wire.ts'

// Keys that follow each other at once are one edit.
const afterKeyMs = 5
// A full check of a document begins when no key was pressed for so long; small documents do not wait.
const afterPauseMs = 150
// What a document breaks is looked at when its author pauses for longer, or saves it.
const afterLongPauseMs = 800
// A document whose full check takes no longer is checked fully at once.
const shortCheckMs = 40

interface OpenDocument {
  readonly text: TextDocument
  timer: ReturnType<typeof setTimeout> | undefined
  /** How long its last full check took. */
  lastMs: number
  /** The version whose check broke a limit: it is not tried again. */
  stopped: number | null
  /** The version after which those that refer to it were checked. */
  spread: number | null
  isSaved: boolean
}

export class Desk {
  readonly #connection: Connection
  readonly #engine: EngineClient
  readonly #open = new Map<string, OpenDocument>()
  readonly #said = new Set<string>()
  encoding: Encoding = 'utf-16'

  constructor(connection: Connection, engine: EngineClient) {
    this.#connection = connection
    this.#engine = engine
  }

  /** Everything that a new engine has to know. */
  texts(): OpenedText[] {
    return [...this.#open.values()].map(({ text }) => ({
      uri: text.uri,
      languageId: text.languageId,
      version: text.version,
      text: text.getText(),
    }))
  }

  /** Takes the texts and edits of the editor. */
  listen(): void {
    const connection = this.#connection
    connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) => {
      this.#engine.tell(openText, { uri, languageId, version, text })
      const own = TextDocument.create(uri, languageId, version, text)
      this.#open.set(uri, { text: own, timer: undefined, lastMs: 0, stopped: null, spread: null, isSaved: true })
      this.#plan(uri, 'full', 0)
    })
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
      const open = this.#open.get(uri)
      if (open === undefined) return
      const changes = applyChanges(open.text, contentChanges, version, this.encoding)
      this.#engine.tell(editText, { uri, version, changes })
      this.#plan(uri, open.lastMs > shortCheckMs ? 'quick' : 'full', afterKeyMs)
    })
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      clearTimeout(this.#open.get(uri)?.timer)
      this.#open.delete(uri)
      this.#engine.tell(closeText, { uri })
      void this.#check(uri, 'full')
    })
    connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
      const open = this.#open.get(uri)
      if (open !== undefined) open.isSaved = true
      this.#plan(uri, 'full', 0)
    })
  }

  /** Checks every text again: what it is checked with changed. */
  checkAll(): void {
    for (const [uri, open] of this.#open) {
      open.stopped = null
      this.#plan(uri, 'full', afterPauseMs)
    }
  }

  #plan(uri: string, pass: Pass, ms: number): void {
    const open = this.#open.get(uri)
    if (open === undefined) return
    clearTimeout(open.timer)
    open.timer = setTimeout(() => void this.#check(uri, pass), ms)
  }

  async #check(uri: string, pass: Pass): Promise<void> {
    const open = this.#open.get(uri)
    const version = open?.text.version
    if (open !== undefined && open.stopped === version) return
    const isCurrent = (): boolean => this.#open.get(uri)?.text.version === version
    const started = performance.now()
    let checked: Checked | null
    try {
      checked = (await this.#engine.check({ uri, pass }, isCurrent)) as Checked | null
    } catch (error) {
      return this.#failed(uri, version, error)
    }
    if (checked === null || !isCurrent()) return
    if (checked.outcome === 'cancelled')
      return this.#plan(
        uri,
        pass === 'compare' ? 'compare' : 'full',
        pass === 'compare' ? afterLongPauseMs : afterPauseMs,
      )
    for (const note of checked.notes) this.#say(note)
    for (const it of checked.published) this.#publish(it)
    if (open === undefined) return
    if (pass === 'quick') return this.#plan(uri, 'full', afterPauseMs)
    if (pass === 'compare') return
    this.#plan(uri, 'compare', open.isSaved ? 0 : afterLongPauseMs)
    open.isSaved = false
    open.lastMs = performance.now() - started
    if (open.spread === version) return
    open.spread = version ?? null
    for (const other of checked.referrers) this.#plan(other, 'full', afterPauseMs)
  }

  #publish({ uri, version, diagnostics }: Checked['published'][number]): void {
    const known = this.#open.get(uri)?.text.version
    // For a text that was edited meanwhile its own check follows.
    if (known !== undefined && version !== null && known !== version) return
    void this.#connection.sendDiagnostics({
      uri,
      diagnostics: [...diagnostics],
      ...(version === null ? {} : { version }),
    })
  }

  #failed(uri: string, version: number | undefined, error: unknown): void {
    const open = this.#open.get(uri)
    const why = error instanceof Error ? error.message : String(error)
    if (!(error instanceof EngineStopped)) this.#connection.console.error(`${uri}: ${why}`)
    if (open === undefined || version === undefined) return
    open.stopped = version
    const start = { line: 0, character: 0 }
    const diagnostic: Diagnostic = {
      range: { start, end: start },
      severity: DiagnosticSeverity.Warning,
      code: 'analysis-stopped',
      source: 'svc',
      message: `This document was not checked: ${why}. It is tried again after the next edit.`,
    }
    void this.#connection.sendDiagnostics({ uri, diagnostics: [diagnostic], version })
  }

  // What is wrong with a ruleset is said once, not after every key.
  #say(note: string): void {
    if (this.#said.has(note)) return
    this.#said.add(note)
    this.#connection.console.error(note)
    void this.#connection.sendNotification(ShowMessageNotification.type, {
      type: MessageType.Error,
      message: `svc: ${note}`,
    })
  }
}
