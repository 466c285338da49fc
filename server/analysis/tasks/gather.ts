import { SvcError } from '../../../src/errors.ts'
import { importDocument } from '../../../src/import/importer.ts'
import { slugify } from '../../../src/import/slug.ts'
import { findEntry, findIndependent, type FoundDocument, nothingIn, TreeReader } from '../../sources/analysis-door.ts'
import type { Scope } from '../../sources/door.ts'
import type { Desk } from '../desk.ts'
import { AskedTree, type Listing } from '../tree.ts'

/** A document of a tree, and the files that it refers to. */
export interface Gathered extends FoundDocument {
  /** The files that it is made of beside itself. */
  readonly others: readonly string[]
  /** Why it cannot be made of them. */
  readonly refusal: { readonly code: SvcError['code']; readonly detail: object } | null
  /** The slug of the project that it proposes, where that was asked for. */
  readonly slug: string | null
}

interface Asked {
  readonly listing: Listing
  readonly scope: Scope
  readonly format: string
  /** The one document that is meant, or each that no other one refers to. */
  readonly which: 'entry' | 'independent'
  /** Asks for the slugs that documents propose. */
  readonly slugs: { readonly nameField: string | undefined } | null
}

async function reached(reader: TreeReader, path: string): Promise<Pick<Gathered, 'others' | 'refusal'>> {
  try {
    return { others: await reader.reach(path), refusal: null }
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return { others: [], refusal: { code: error.code, detail: error.detail } }
  }
}

async function slugOf(reader: TreeReader, path: string, nameField: string | undefined): Promise<string | null> {
  const { spec } = importDocument(await reader.document(path), 'auto', { projectNameField: nameField })
  return spec === null ? null : slugify(spec.name)
}

/**
 * Finds the documents of a tree that are meant, and the files that they are made of.
 * @throws SvcError `source-empty`, `source-ambiguous`, `source-too-large`
 */
export async function run({ listing, scope, format, which, slugs }: Asked, desk: Desk): Promise<Gathered[]> {
  const reader = new TreeReader(new AskedTree(listing, desk), scope.boundary)
  const found =
    which === 'entry'
      ? [{ path: await findEntry(reader, scope, format), format }]
      : await findIndependent(reader, scope.within, format)
  if (found.length === 0) throw nothingIn(listing.name, reader.tree, scope, format)
  const gathered: Gathered[] = []
  for (const one of found) {
    const slug = slugs === null ? null : await slugOf(reader, one.path, slugs.nameField)
    gathered.push({ ...one, ...(await reached(reader, one.path)), slug })
  }
  return gathered
}
