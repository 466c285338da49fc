import type { Document } from '../../../src/document/document.ts'
import { SvcError } from '../../../src/errors.ts'
import { importDocument } from '../../../src/import/importer.ts'
import { slugify } from '../../../src/import/slug.ts'
import { applyOverlay } from '../../../src/overlay/apply.ts'
import { overlayOf } from '../../../src/overlay/read.ts'
import {
  findEntry,
  findIndependent,
  type FoundDocument,
  nothingIn,
  overlaysNamedIn,
  TreeReader,
} from '../../sources/analysis-door.ts'
import type { Scope } from '../../sources/door.ts'
import type { Desk } from '../desk.ts'
import { parseMaterial } from '../material.ts'
import { AskedTree, type Listing } from '../tree.ts'

/** A document of a tree, and the files that it refers to. */
export interface Gathered extends FoundDocument {
  /** The files that it is made of beside itself. */
  readonly others: readonly string[]
  /** Its overlays among the files, in their order: those of `svc.yaml`, then those that were asked for. */
  readonly overlays: readonly string[]
  /** The `svc.yaml` that names some of them; null where none does. */
  readonly projectFile: string | null
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
  /** Overlays that are applied behind those of `svc.yaml`: paths of the tree, or positions among the texts of the task. */
  readonly overlays: readonly (string | number)[]
}

type Made = Pick<Gathered, 'others' | 'overlays' | 'projectFile' | 'refusal'>

/** Applies the overlays of a document, so that what they refer to is found as well. */
async function overlay(
  reader: TreeReader,
  path: string,
  { asked, desk }: { readonly asked: Asked['overlays']; readonly desk: Desk },
): Promise<Pick<Made, 'overlays' | 'projectFile'>> {
  const { projectFile, paths } = await overlaysNamedIn(reader, path)
  const missing = asked.find((it) => typeof it === 'string' && !reader.has(it))
  if (missing !== undefined)
    throw new SvcError('source-path-missing', { source: reader.tree.name, path: String(missing) })
  const all = [...paths, ...asked]
  const overlays = all.filter((it) => typeof it === 'string')
  await reader.tree.prefetch(overlays)
  const documents: Document[] = []
  for (const one of all) {
    const material = typeof one === 'number' ? desk.materials[one] : undefined
    documents.push(material === undefined ? await reader.document(String(one)) : parseMaterial(material))
  }
  const entry = documents.length === 0 ? null : await reader.document(path)
  if (entry !== null && entry.problems.every(({ severity }) => severity !== 'error'))
    reader.replace(path, applyOverlay(entry, documents.map(overlayOf)).document)
  return { overlays, projectFile }
}

async function reached(
  reader: TreeReader,
  path: string,
  more: { readonly asked: Asked['overlays']; readonly desk: Desk },
): Promise<Made> {
  try {
    const applied = await overlay(reader, path, more)
    return { others: await reader.reach(path), ...applied, refusal: null }
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    const refusal = { code: error.code, detail: error.detail }
    return { others: [], overlays: [], projectFile: null, refusal }
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
export async function run(
  { listing, scope, format, which, slugs, overlays: asked }: Asked,
  desk: Desk,
): Promise<Gathered[]> {
  const reader = new TreeReader(new AskedTree(listing, desk), scope.boundary)
  const found =
    which === 'entry'
      ? [{ path: await findEntry(reader, scope, format), format }]
      : await findIndependent(reader, scope.within, format)
  if (found.length === 0) throw nothingIn(listing.name, reader.tree, scope, format)
  const gathered: Gathered[] = []
  for (const one of found) {
    const made = await reached(reader, one.path, { asked, desk })
    const slug = slugs === null ? null : await slugOf(reader, one.path, slugs.nameField)
    gathered.push({ ...one, ...made, slug })
  }
  return gathered
}
