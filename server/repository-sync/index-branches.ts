import { eq, inArray, notInArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { repositoryBranches, repositoryImports, repositorySpecs } from '../../db/tables.gen.ts'
import type { Deps } from '../kit/door.ts'
import {
  isCurrentList,
  isImportable,
  type ListedFile,
  listFiles,
  marksOf,
  type Mirror,
  packFiles,
  type Refs,
} from '../hosting/door.ts'
import { type BranchRow, filesOf, keyOf, type RepositoryRow } from '../repositories/door.ts'

/** Branches of a repository that are indexed. */
const mostBranches = 20
/** Documents of a repository in the catalogue. */
const mostSpecs = 5000
const rowsPerInsert = 200

/** A branch as it was read. */
export interface IndexedBranch {
  readonly branch: string
  readonly commit: string
  readonly committedAt: string | null
  readonly files: readonly ListedFile[]
  readonly isTruncated: boolean
  /** Null: nothing of it changed since it was indexed. */
  readonly packed: Uint8Array | null
}

/** The branches that are indexed: the default one, those with imported files, then by name. */
export async function chosenBranches(deps: Deps, row: RepositoryRow, refs: Refs): Promise<readonly string[]> {
  const imported = await deps.db.read
    .selectDistinct({ branch: repositoryImports.branch })
    .from(repositoryImports)
    .where(inTenant(repositoryImports, row.tenantId, eq(repositoryImports.repositoryId, row.id)))
  const wanted = [
    refs.head,
    ...imported.map(({ branch }) => branch).toSorted(),
    ...[...refs.branches.keys()].toSorted(),
  ]
  return [...new Set(wanted)]
    .filter((name) => name !== null && refs.branches.has(name))
    .slice(0, mostBranches) as string[]
}

/** The indexed branches of a repository as they are stored. */
export async function storedBranches(
  deps: Deps,
  { id, tenantId }: RepositoryRow,
): Promise<ReadonlyMap<string, BranchRow>> {
  const own = inTenant(repositoryBranches, tenantId, eq(repositoryBranches.repositoryId, id))
  const rows = await deps.db.read.select().from(repositoryBranches).where(own)
  return new Map(rows.map((row) => [row.branch, row]))
}

/** The commits that the indexed branches are at: their lists of files are large and not read for this. */
export async function storedCommits(deps: Deps, { id, tenantId }: RepositoryRow): Promise<ReadonlyMap<string, string>> {
  const own = inTenant(repositoryBranches, tenantId, eq(repositoryBranches.repositoryId, id))
  const { branch, commitSha } = repositoryBranches
  const rows = await deps.db.read.select({ branch, commitSha }).from(repositoryBranches).where(own)
  return new Map(rows.map((row) => [row.branch, row.commitSha]))
}

/**
 * Reads branches; one that did not move is not read again.
 * @throws SvcError `git-failed`, `egress-denied`
 */
export async function readBranches(
  mirror: Mirror,
  refs: Refs,
  branches: readonly string[],
  stored: ReadonlyMap<string, BranchRow>,
): Promise<readonly IndexedBranch[]> {
  const read: IndexedBranch[] = []
  for (const branch of branches) {
    const commit = refs.branches.get(branch) ?? ''
    const own = stored.get(branch)
    // Kinds that an older version detected are detected again.
    const before = own !== undefined && isCurrentList(own.files) ? own : undefined
    const known = before === undefined ? [] : await filesOf(before)
    if (before?.commitSha === commit) {
      const { committedAt, isTruncated } = before
      read.push({ branch, commit, committedAt, files: known, isTruncated, packed: null })
      continue
    }
    // A branch that was deleted meanwhile is left out.
    if (!(await mirror.fetch(commit))) continue
    const { files, isTruncated } = await listFiles(mirror, commit, known)
    const committedAt = await mirror.committedAt(commit)
    read.push({ branch, commit, committedAt, files, isTruncated, packed: await packFiles(files) })
  }
  return read
}

/** Writes what was read, and removes the branches that are not there any more. */
export async function writeBranches(
  tx: Transaction,
  row: RepositoryRow,
  read: readonly IndexedBranch[],
  defaultBranch: string | null,
  at: string,
): Promise<void> {
  const { id: repositoryId, tenantId } = row
  for (const it of read) {
    if (it.packed === null) continue
    const set = {
      commitSha: it.commit,
      committedAt: it.committedAt,
      indexedAt: at,
      filesCount: it.files.length,
      isTruncated: it.isTruncated,
      files: it.packed,
    }
    await tx
      .insert(repositoryBranches)
      .values({ repositoryId, tenantId, branch: it.branch, ...set })
      .onConflictDoUpdate({ target: [repositoryBranches.repositoryId, repositoryBranches.branch], set })
  }
  const names = read.map(({ branch }) => branch)
  const gone = names.length === 0 ? undefined : notInArray(repositoryBranches.branch, names)
  await tx
    .delete(repositoryBranches)
    .where(inTenant(repositoryBranches, tenantId, eq(repositoryBranches.repositoryId, repositoryId), gone))
  await writeSpecs(
    tx,
    row,
    read.find(({ branch }) => branch === defaultBranch),
  )
}

async function writeSpecs(tx: Transaction, row: RepositoryRow, branch: IndexedBranch | undefined): Promise<void> {
  const { id: repositoryId, tenantId } = row
  const own = inTenant(repositorySpecs, tenantId, eq(repositorySpecs.repositoryId, repositoryId))
  if (branch === undefined) {
    await tx.delete(repositorySpecs).where(own)
    return
  }
  const wanted = branch.files
    .filter((file) => file.kind !== null && isImportable(file) && !marksOf(file.path).vendored)
    .slice(0, mostSpecs)
  const rows = wanted.map((file) => ({
    id: keyOf(repositoryId, branch.branch, file.path),
    tenantId,
    repositoryId,
    branch: branch.branch,
    path: file.path,
    kind: file.kind ?? '',
    blobSha: file.oid,
    sizeBytes: file.size,
  }))
  const before = await tx
    .select({ id: repositorySpecs.id, blobSha: repositorySpecs.blobSha, kind: repositorySpecs.kind })
    .from(repositorySpecs)
    .where(own)
  const same = new Set(before.map(({ id, blobSha, kind }) => `${id} ${blobSha} ${kind}`))
  const kept = new Set(rows.filter((it) => same.has(`${it.id} ${it.blobSha} ${it.kind}`)).map(({ id }) => id))
  const stale = before.map(({ id }) => id).filter((id) => !kept.has(id))
  for (let from = 0; from < stale.length; from += rowsPerInsert)
    await tx
      .delete(repositorySpecs)
      .where(inTenant(repositorySpecs, tenantId, inArray(repositorySpecs.id, stale.slice(from, from + rowsPerInsert))))
  const fresh = rows.filter(({ id }) => !kept.has(id))
  for (let from = 0; from < fresh.length; from += rowsPerInsert)
    await tx.insert(repositorySpecs).values(fresh.slice(from, from + rowsPerInsert))
}
