/** Reads the documents that a command line names: files and standard input, and the files that their references lead to. */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { addressesOf } from '../../src/document/addresses.ts'
import type { Document } from '../../src/document/document.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { textOf } from '../../src/document/text.ts'
import { resolveUri, type Documents } from '../../src/document/reference.ts'
import { SvcError } from '../../src/errors.ts'
import { mostReached } from '../../src/import/bundle/reach.ts'
import type { Invocation } from '../declare.ts'
import { unreadableFile } from './file-error.ts'

type Place = Pick<Invocation, 'cwd' | 'io'>

/**
 * Reads one document: a file relative to the current folder, or "-" for standard input.
 * @throws SvcError `file-not-found`, `file-is-folder`, `file-unreadable`, `document-invalid` where it is not text in UTF-8
 */
export async function readDocument(name: string, { cwd, io }: Place): Promise<Document> {
  if (name === '-') return parseDocument(textOf(await io.stdin(), 'standard input'), { source: '-' })
  const path = resolve(cwd, name)
  let bytes: Uint8Array
  try {
    bytes = await readFile(path)
  } catch (error) {
    throw await unreadableFile(name, path, error)
  }
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
  const path = resolve(cwd, name)
  const text = await readFile(path, 'utf8').catch(async (error: unknown) => {
    throw await unreadableFile(name, path, error)
  })
  const document = parseDocument(text, { source: name })
  const fault = document.problems.find((it) => it.severity === 'error')
  if (fault === undefined) return document
  const { line, character } = fault.range.start
  throw new SvcError('usage', { reason: `${name}:${line + 1}:${character + 1}: ${fault.message}` })
}

const isFile = (address: string): boolean => !/^[a-z][a-z0-9+.-]+:|%(?![0-9a-f]{2})/i.test(address)

/** Reads the files that references of `first` lead to, and those that they lead to. A file that cannot be read is left out: the reference to it is a finding; more files than `mostReached` are left out with a warning. */
export async function readReferenced(
  first: Document,
  { cwd, io }: Pick<Place, 'cwd'> & Partial<Place>,
): Promise<Documents> {
  const found: Record<string, Document> = {}
  let count = 0
  // Names may be relative to anything; where a file really lies is kept beside.
  const waiting = [{ document: first, folder: dirname(resolve(cwd, first.source)) }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { document, folder } = next
    for (const address of addressesOf(document)) {
      const uri = resolveUri(document.source, address)
      if (uri === first.source || Object.hasOwn(found, uri) || !isFile(address)) continue
      if (++count > mostReached) {
        io?.log.warn(`${first.source} refers to more than ${mostReached} files; the others are not read.`)
        return found
      }
      const path = resolve(folder, decodeURI(address))
      const bytes = await readFile(path).catch(() => null)
      if (bytes === null) continue
      const other = parseDocument(textOf(bytes, uri), { source: uri })
      found[uri] = other
      waiting.push({ document: other, folder: dirname(path) })
    }
  }
  return found
}
