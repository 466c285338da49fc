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
  /** The overlays that are applied to it, in their order. */
  readonly overlays: readonly SourceFile[]
}

/**
 * Reads a document of a tree, the files that it refers to, and its overlays.
 * @throws SvcError `document-invalid` for one that is not a text
 */
export async function readTexts(
  tree: Tree,
  path: string,
  { others, overlays }: { readonly others: readonly string[]; readonly overlays: readonly string[] },
): Promise<SourceTexts> {
  await tree.prefetch([path, ...others, ...overlays])
  const read = async (paths: readonly string[]): Promise<SourceFile[]> => {
    const files: SourceFile[] = []
    for (const one of paths) files.push({ path: one, bytes: utf8Of(new Uint8Array(await tree.read(one)), one) })
    return files
  }
  const [own] = await read([path])
  if (own === undefined) throw new Error('a file that was read is missing')
  return { ...own, joins: true, others: await read(others), overlays: await read(overlays) }
}
