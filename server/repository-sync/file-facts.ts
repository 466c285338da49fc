import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { repositoryImports } from '../../db/tables.gen.ts'
import type { RefreshChange } from '../../db/tables/repositories.ts'
import { tallyOf } from '../../src/diff/tally.ts'
import { SvcError } from '../../src/errors.ts'
import { type Subject, subjectOf } from '../analysis/door.ts'
import type { Deps } from '../kit/door.ts'
import type { FileOrigin } from '../imports/door.ts'
import type { Tree } from '../sources/door.ts'
import { readContent } from '../../db/content.ts'
import type { IndexedBranch } from './index-branches.ts'
import { keyOf } from '../repositories/door.ts'

/** Other files of one import that are kept. */
const mostSources = 2000

/** What is known of the import of a file beside what it stores. */
export interface FileFacts {
  /** As `repositoryImports.sources`. */
  readonly sources: Readonly<Record<string, string>> | null
  readonly change: RefreshChange | null
}

/** The files that a document refers to, by their objects; null where they are too many. */
function sourcesOf(tree: Tree, paths: readonly string[]): FileFacts['sources'] {
  if (paths.length > mostSources) return null
  return Object.fromEntries(paths.map((path) => [path, tree.oidOf?.(path) ?? '']))
}

/** What changed since the import before; null where there was none, or the documents cannot be compared. */
async function changeOf(
  deps: Deps,
  tenantId: string,
  origin: FileOrigin,
  head: Subject,
): Promise<RefreshChange | null> {
  const { read } = deps.db
  const own = eq(repositoryImports.id, keyOf(origin.repositoryId, origin.branch, origin.path))
  const [before] = await read
    .select({ digest: repositoryImports.digest })
    .from(repositoryImports)
    .where(inTenant(repositoryImports, tenantId, own))
  if (before === undefined || before.digest === '') return null
  const { digest } = before
  const bytes = () => readContent(deps.db, tenantId, digest)
  try {
    const base = subjectOf({ tenantId, digest, bytes, source: origin.path, format: 'auto' })
    const { counts, maxSeverity } = tallyOf((await deps.analysis.compare(base, head)).changes)
    return { severity: maxSeverity, counts }
  } catch (error) {
    if (error instanceof SvcError) return null
    throw error
  }
}

/** Everything that the history and the next refresh need of the import of a file, read before anything is written. */
export const factsOf = async (
  deps: Deps,
  tenantId: string,
  origin: FileOrigin,
  read: { readonly tree: Tree; readonly others: readonly string[]; readonly head: Subject },
): Promise<FileFacts> => ({
  sources: sourcesOf(read.tree, read.others),
  change: await changeOf(deps, tenantId, origin, read.head),
})

const indexes = new WeakMap<IndexedBranch, ReadonlyMap<string, string>>()

/** The objects of a branch by their paths. */
function objectsOf(branch: IndexedBranch): ReadonlyMap<string, string> {
  const known = indexes.get(branch)
  if (known !== undefined) return known
  const index = new Map(branch.files.map(({ path, oid }) => [path, oid]))
  indexes.set(branch, index)
  return index
}

/** The object of a file of a branch; null where it is not there. */
export const objectOf = (branch: IndexedBranch, path: string): string | null => objectsOf(branch).get(path) ?? null

/** Identifies what a file and the files that it was made of are on a branch. */
export function stateOn(
  spec: Pick<typeof repositoryImports.$inferSelect, 'path' | 'sources'>,
  branch: IndexedBranch,
): string {
  if (spec.sources === null) return branch.commit
  const objects = [spec.path, ...Object.keys(spec.sources)].map((path) => objectOf(branch, path))
  return createHash('sha256').update(JSON.stringify(objects)).digest('hex')
}

/** Whether a file and the files that it was made of are as they were imported. */
export function isAsImported(
  spec: Pick<typeof repositoryImports.$inferSelect, 'path' | 'blobSha' | 'sources' | 'commitSha'>,
  branch: IndexedBranch,
): boolean {
  if (branch.commit === spec.commitSha) return true
  if (objectOf(branch, spec.path) !== spec.blobSha || spec.sources === null) return false
  return Object.entries(spec.sources).every(([path, oid]) => objectOf(branch, path) === oid)
}
