/** Texts that somebody pasted, as documents. */
import type { Document } from '../document/document.ts'
import { parseDocument } from '../document/parse.ts'
import type { Documents } from '../document/reference.ts'
import { SvcError } from '../errors.ts'
import { joinDocuments } from '../import/bundle/document.ts'

/** A text and what references call it: a name with the ending `.json` says that it is JSON. */
export interface PastedFile {
  readonly name: string
  readonly text: string
}

/** The documents that others may refer to, by their names. */
export const documentsOf = (files: readonly PastedFile[]): Documents =>
  Object.fromEntries(files.map(({ name, text }) => [name, parseDocument(text, { source: name })]))

/** @throws SvcError `document-invalid` where nothing of a document can be read, with its line and column */
export function assertReadable({ value, problems, source }: Document): void {
  const fault = problems.find(({ severity }) => severity === 'error')
  if (value !== null || fault === undefined) return
  const { line, character } = fault.range.start
  const reason = `${source}:${line + 1}:${character + 1}: ${fault.message.replace(/\.$/, '')}`
  throw new SvcError('document-invalid', { reason })
}

/**
 * A text and the others that it may refer to, as one document.
 * @throws SvcError `document-invalid` where nothing of one can be read
 */
export function readWhole(file: PastedFile, others: readonly PastedFile[]): Document {
  const entry = parseDocument(file.text, { source: file.name })
  assertReadable(entry)
  const rest = Object.values(documentsOf(others))
  for (const other of rest) assertReadable(other)
  return rest.length === 0 ? entry : joinDocuments(entry, rest, (place) => place)
}
