/**
 * What the language server asks of its engine, the process that reads and checks documents: JSON-RPC over the standard streams of
 * that process. One request at a time is under way, so that each has a deadline of its own.
 */
import { NotificationType, RequestType, type Diagnostic } from 'vscode-languageserver/node'

/** How positions count within a line. */
export type Encoding = 'utf-8' | 'utf-16'

/** What the engine has to know before anything else. */
export interface EngineSettings {
  readonly encoding: Encoding
  /** The style guide for every document; null where the one of its folder applies. */
  readonly guide: string | null
  /** The folders that the editor has open, as paths. */
  readonly folders: readonly string[]
  /** The editor asks for the edit of an action when it is chosen. */
  readonly resolvesActions: boolean
}

/** A text that an editor has open. */
export interface OpenedText {
  readonly uri: string
  readonly languageId: string
  readonly version: number
  readonly text: string
}

/** One replacement in a text, in UTF-16 units. */
export interface TextChange {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface EditedText {
  readonly uri: string
  readonly version: number
  /** In the order in which they were made, each in the text after those before it. */
  readonly changes: readonly TextChange[]
}

/**
 * `quick`: the syntax, the structure and what was edited, the other findings carried along. `full`: everything. `compare`: what
 * the text breaks of the API that it is compared with.
 */
export type Pass = 'quick' | 'full' | 'compare'

export interface CheckOrder {
  readonly uri: string
  readonly pass: Pass
  /** The check ends early as soon as this file exists. */
  readonly cancelFile: string
  readonly deadlineMs: number
}

/** All findings of one text: they replace those that were published before. */
export interface Published {
  readonly uri: string
  readonly version: number | null
  readonly diagnostics: readonly Diagnostic[]
}

export interface Checked {
  /** `cancelled`: an edit or a question came first. */
  readonly outcome: 'done' | 'cancelled'
  readonly published: readonly Published[]
  /** What a person has to know beside the findings: a ruleset that cannot be used. */
  readonly notes: readonly string[]
  /** Other texts of the editor whose findings depend on this one. */
  readonly referrers: readonly string[]
}

/** A question about a document, as the editor asked it. */
export interface Question {
  readonly method: string
  readonly params: unknown
}

export const configure = new NotificationType<EngineSettings>('svc/configure')
export const openText = new NotificationType<OpenedText>('svc/open')
export const editText = new NotificationType<EditedText>('svc/edit')
export const closeText = new NotificationType<{ readonly uri: string }>('svc/close')
/** Files on the disk changed: paths. */
export const changeFiles = new NotificationType<{ readonly paths: readonly string[] }>('svc/files')
export const checkText = new RequestType<CheckOrder, Checked, void>('svc/check')
export const askEngine = new RequestType<Question, unknown, void>('svc/ask')
