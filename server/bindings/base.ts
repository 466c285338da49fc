/** What a draft and a file of a repository both come from: what a binding begins with. */
import { and, desc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { digestOf } from '../../db/content.ts'
import { draftBindings, repositoryImports } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import type { Deps } from '../kit/door.ts'
import type { VersionRow } from '../records/door.ts'
import { contentOf, readBound } from './candidates.ts'
import type { BindingRow } from './record.ts'
import type { Selection } from './selection.ts'

/** The file as it is at the ref, and as it was at the commit that the draft comes from. */
export interface Start {
  readonly file: Selection
  /** Null: no such commit is known, or it cannot be read any more. */
  readonly origin: Selection | null
  /** Whether the draft was imported from this file, not only bound to it. */
  readonly isImported: boolean
}

type Place = Pick<BindingRow, 'tenantId' | 'versionId' | 'repositoryId' | 'repoUrl' | 'path'>

/** The newest commit that the draft is known to have been taken from this file at. */
async function originOf(
  deps: Deps,
  version: VersionRow,
  place: Place,
): Promise<{ readonly commit: string | null; readonly isImported: boolean }> {
  const { tenantId, repositoryId, path } = place
  const known: { readonly commit: string; readonly at: string }[] = []
  const { commit, path: importedPath, imported_at: at } = version.provenance
  if (commit !== null && importedPath === path) known.push({ commit, at })
  if (repositoryId !== null) {
    const own = and(
      eq(repositoryImports.repositoryId, repositoryId),
      eq(repositoryImports.versionId, version.id),
      eq(repositoryImports.path, path),
    )
    const imported = await deps.db.read
      .select({ commit: repositoryImports.commitSha, at: repositoryImports.updatedAt })
      .from(repositoryImports)
      .where(inTenant(repositoryImports, tenantId, own))
    known.push(...imported)
  }
  const isImported = known.length > 0
  const [earlier] = await deps.db.read
    .select({ commit: draftBindings.commitSha, at: draftBindings.synchronizedAt })
    .from(draftBindings)
    .where(
      inTenant(
        draftBindings,
        tenantId,
        eq(draftBindings.versionId, version.id),
        eq(draftBindings.repoUrl, place.repoUrl),
        eq(draftBindings.path, path),
      ),
    )
    .orderBy(desc(draftBindings.synchronizedAt))
    .limit(1)
  if (earlier !== undefined) known.push(earlier)
  return { commit: known.toSorted((a, b) => b.at.localeCompare(a.at))[0]?.commit ?? null, isImported }
}

/**
 * Reads the file that a draft is bound to, and the same file at the commit that the draft comes from.
 * @returns null where the ref is not there
 * @throws Unreadable; SvcError as `readSelection`, about the file as it is now
 */
export async function readStart(
  deps: Deps,
  version: VersionRow,
  row: BindingRow,
  signal: AbortSignal,
): Promise<Start | null> {
  const { commit, isImported } = await originOf(deps, version, row)
  const file = await readBound(deps, row, signal, commit === null ? {} : { since: commit })
  if (file === null) return null
  if (commit === null || commit === file.commit) return { file, origin: commit === null ? null : file, isImported }
  try {
    return { file, origin: await readBound(deps, row, signal, { commit }), isImported }
  } catch (error) {
    // What was there once may be gone or broken; then nothing is known of where the draft comes from.
    if (error instanceof SvcError && error.status < 500) return { file, origin: null, isImported }
    throw error
  }
}

/**
 * Whether a binding begins with the commit that the draft comes from, where nobody chose: the draft was imported there, the file
 * changed since, and the draft did not take that. A draft that was only bound before begins with the file as it is now.
 */
export const startsAtOrigin = ({ file, origin, isImported }: Start, version: VersionRow): boolean =>
  isImported && origin !== null && contentOf(origin) !== contentOf(file) && !isSame(file, version)

/** Whether the draft is the document of a selection, byte for byte. */
export const isSame = ({ document }: Selection, version: VersionRow): boolean =>
  document !== null && digestOf(document.bytes) === version.digest

const families: Readonly<Record<string, string>> = { swagger: 'openapi' }
const familyOf = (kind: string): string => families[kind] ?? kind

/** Whether the file is a document of the kind that the draft is: what else a repository holds is not compared with it. */
export const isOfFamily = ({ document }: Selection, version: VersionRow): boolean =>
  document !== null && familyOf(document.analysis.format.kind) === familyOf(version.format.kind)
