/** Documents of the repository with everything that they refer to, for tools that read only. */
import type { Document } from '../../../src/document/document.ts'
import { readClosed, readComplete } from '../../convert/whole.ts'
import type { Invocation } from '../../declare.ts'
import { createMessages } from '../../messages.ts'
import type { Design } from './design.ts'

/** A document with what an agent should know of it. */
export interface WholeFile {
  readonly name: string
  readonly document: Document
  /** Warnings of reading it. */
  readonly notes: readonly string[]
}

const mostNotes = 20

/**
 * Reads a file of the repository and all that it refers to, as one document.
 * @param closed whether it must refer to nothing else, examples included
 * @throws SvcError as `Repository.open`, `readClosed` and `readComplete` do
 */
export async function readWholeFile(design: Design, file: string, closed = false): Promise<WholeFile> {
  const repository = await design.repository()
  const opened = await repository.open(file)
  let told = ''
  const { log, flush } = createMessages(async (text) => void (told += text), false)
  const io = { ...design.invocation.io, log, flush }
  const reading: Invocation = { ...design.invocation, cwd: repository.folder, io }
  // What exists as a file is one, whatever its name looks like.
  const document = closed
    ? await readClosed(opened.path, undefined, false, reading)
    : await readComplete(opened.path, undefined, reading)
  await flush()
  const notes = told.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^warning: /, '')]))
  return { name: opened.name, document, notes: notes.slice(0, mostNotes) }
}
