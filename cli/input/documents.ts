/** Reads the documents that a command line names: files and standard input, and the files that their references lead to. */
import { resolve } from 'node:path'
import type { Document } from '../../src/document/document.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { textOf } from '../../src/document/text.ts'
import { findLinksAndSources } from '../../src/document/links.ts'
import type { Documents } from '../../src/document/reference.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import type { Globals } from '../globals.ts'
import type { FilesRecorder } from './files-read.ts'
import { readReferenced } from './document-files.ts'
import { localSource } from './document-source.ts'
import { readRegular } from './regular-file.ts'

/** Where files are, and the folder that bounds them. */
interface Bounded extends Pick<Invocation, 'cwd'> {
  readonly globals: Pick<Globals, 'root'>
}

/**
 * Reads one document: a file relative to the current folder, or "-" for standard input.
 * @param stdinName what the document of standard input is called
 * @throws SvcError `file-not-found`, `file-is-folder`, `file-unreadable`, `file-refused`, `document-invalid` where it is not text in UTF-8
 */
export async function readDocument(
  name: string,
  { cwd, io }: Pick<Invocation, 'cwd' | 'io'>,
  stdinName = '-',
): Promise<Document> {
  if (name === '-') return parseDocument(textOf(await io.stdin(), 'standard input'), { source: stdinName })
  const bytes = await readRegular(name, resolve(cwd, name))
  const text = textOf(bytes, name)
  giveBack(bytes)
  return parseDocument(text, { source: name })
}

// The bytes of a large file are given back before anything is made of its text, not when the collector comes by.
function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** Reads a file of settings, YAML or JSON, that an option names. Raises as `readDocument` does, and `usage` with the place where the text is neither. */
export async function readSettings(name: string, cwd: string): Promise<Document> {
  const text = new TextDecoder().decode(await readRegular(name, resolve(cwd, name)))
  const document = parseDocument(text, { source: name })
  const fault = document.problems.find((it) => it.severity === 'error')
  if (fault === undefined) return document
  const { line, character } = fault.range.start
  throw new SvcError('usage', { reason: `${name}:${line + 1}:${character + 1}: ${fault.message}` })
}

/**
 * Reads the files that references of a document of this machine lead to, and the sources that an Arazzo document describes. One that
 * does not exist is left out: the reference to it is a finding.
 * @param document as `readDocument` returns it
 * @param recorder notes what is read
 * @throws SvcError `document-invalid` for one that is not a text
 */
export async function readDocumentsOf(
  document: Document,
  { cwd, globals: { root } }: Bounded,
  recorder?: FilesRecorder,
): Promise<Documents> {
  const { place, files } = localSource(document.source, cwd, root)
  const source = { name: document.source, place, files: recorder?.watch(files) ?? files }
  const found = await readReferenced(document, source, { missing: 'leave', linksOf: findLinksAndSources })
  return Object.fromEntries(found.map((it) => [it.source, it]))
}
