import { utf8Of } from '../../src/document/text.ts'
import type { Tree } from './tree.ts'

/** A file that a document is made of. */
export interface SourceFile {
  readonly path: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A document as it was found, before anything is made of it. */
export interface SourceTexts extends SourceFile {
  /** It may refer to others, and to itself, by where they are. */
  readonly joins: boolean
  /** The files that it refers to. */
  readonly others: readonly SourceFile[]
}

/**
 * Reads a document of a tree and the files that it refers to.
 * @throws SvcError `document-invalid` for one that is not a text
 */
export async function readTexts(tree: Tree, path: string, others: readonly string[]): Promise<SourceTexts> {
  await tree.prefetch([path, ...others])
  const read = async (one: string): Promise<SourceFile> => ({
    path: one,
    bytes: utf8Of(new Uint8Array(await tree.read(one)), one),
  })
  const files: SourceFile[] = []
  for (const one of others) files.push(await read(one))
  return { ...(await read(path)), joins: true, others: files }
}
