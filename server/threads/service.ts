import { asc, eq } from 'drizzle-orm'
import type { Comment, Thread } from '../../src/api/threads.ts'
import { SvcError } from '../../src/errors.ts'
import type { JsonPatch } from '../../src/patch/json-patch.ts'
import { inTenant } from '../../db/conditions.ts'
import { newId } from '../../db/id.ts'
import type { StoredSuggestion } from '../../db/tables/threads.ts'
import { threads } from '../../db/tables.gen.ts'
import { actorOf, describeActors, type Grant, tenantOf } from '../auth/door.ts'
import { type Deps, type Page, readPage } from '../kit/door.ts'
import { findVersion, type VersionRow } from '../records/door.ts'
import { placeThreads } from './places.ts'
import { actorsIn, actorsInComment, toComment, toThread, type ThreadRow } from './record.ts'
import {
  assertRoomForThread,
  commentsOf,
  countOpen,
  findThread,
  insertComment,
  setStatus,
  settleThread,
  type VersionRefs,
} from './store.ts'

const commentsInList = 50

/** What someone says, with the patch that they suggest. */
export interface Saying {
  readonly body: string
  readonly suggestion?: { readonly patch: JsonPatch } | undefined
}

async function show(deps: Deps, version: VersionRow, rows: readonly ThreadRow[], limit?: number): Promise<Thread[]> {
  const { read } = deps.db
  const { tenantId } = version
  const placed = await placeThreads(deps, version, rows)
  const said = await commentsOf(
    read,
    tenantId,
    rows.map(({ id }) => id),
  )
  const people = await describeActors(read, tenantId, actorsIn(rows, [...said.values()].flat()))
  return placed.map((row) => toThread(row, said.get(row.id) ?? [], people, limit))
}

const showOne = async (deps: Deps, version: VersionRow, row: ThreadRow): Promise<Thread> => {
  const [thread] = await show(deps, version, [row])
  if (thread === undefined) throw new Error(`the thread ${row.id} is missing`)
  return thread
}

/**
 * A page of the threads of a version, oldest first.
 * @throws SvcError `project-not-found`, `version-not-found`, `analysis-stopped`
 */
export async function listThreads(
  deps: Deps,
  grant: Grant,
  refs: VersionRefs,
  { status, ...page }: Page & { readonly status: 'open' | 'resolved' | null },
) {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const { version } = await findVersion(read, tenantId, refs.project, refs.version)
  const where = inTenant(
    threads,
    tenantId,
    eq(threads.versionId, version.id),
    status === null ? undefined : eq(threads.status, status),
  )
  const { rows, total } = await readPage(read, threads, {
    where,
    order: [asc(threads.createdAt), asc(threads.id)],
    page,
  })
  return {
    threads: await show(deps, version, rows, commentsInList),
    count: rows.length,
    total,
    open: await countOpen(read, tenantId, version.id),
    ...page,
  }
}

/**
 * One thread with all its comments.
 * @throws SvcError `project-not-found`, `version-not-found`, `thread-not-found`, `analysis-stopped`
 */
export async function getThread(deps: Deps, grant: Grant, refs: VersionRefs, threadId: string): Promise<Thread> {
  const { version, thread } = await findThread(deps.db.read, tenantOf(grant).id, refs, threadId)
  return showOne(deps, version, thread)
}

/** @throws SvcError `suggestion-invalid` where the patch does not apply to the document, `suggestion-breaks` where it breaks it */
async function suggestionFor(
  deps: Deps,
  version: VersionRow,
  { suggestion }: Saying,
): Promise<StoredSuggestion | null> {
  if (suggestion === undefined) return null
  const subject = deps.analysis.subjectOf(version)
  const { patch } = suggestion
  const made = await deps.analysis.run(version.tenantId, 'suggest', { patch }, [subject, subject])
  if ('reason' in made) throw new SvcError('suggestion-invalid', { reason: made.reason })
  if ('breaks' in made) throw new SvcError('suggestion-breaks', { reason: made.breaks })
  return { patch, digest: version.digest, diff: made.diff, appliedAt: null, appliedBy: null }
}

/**
 * Opens a thread on a place of the document, or of an earlier version of it.
 * @throws SvcError `project-not-found`, `version-not-found`, `anchor-invalid`, `threads-exceeded`, `suggestion-invalid`,
 *   `suggestion-breaks`, `analysis-stopped`
 */
export async function openThread(
  deps: Deps,
  grant: Grant,
  refs: VersionRefs,
  {
    anchor: { pointer, version: other },
    ...saying
  }: Saying & {
    readonly anchor: { readonly pointer: string; readonly version?: string }
  },
): Promise<Thread> {
  const { id: tenantId } = tenantOf(grant)
  const { version } = await findVersion(deps.db.read, tenantId, refs.project, refs.version)
  // The place of something that was removed is in the version before: from there it is followed like any other.
  const origin =
    other === undefined ? version : (await findVersion(deps.db.read, tenantId, version.projectId, other)).version
  const made = await deps.analysis.run(tenantId, 'anchor', { pointer }, [deps.analysis.subjectOf(origin)])
  if (made === null) throw new SvcError('anchor-invalid', { pointer, version: origin.label })
  const suggestion = await suggestionFor(deps, version, saying)
  const at = deps.clock.iso()
  const author = actorOf(grant)
  const row = await deps.db.inTransaction(async (tx) => {
    await tx.lock(`threads ${version.id}`)
    const found = await findVersion(tx, tenantId, version.projectId, version.id)
    await assertRoomForThread(tx, found, author)
    const { anchor, range } = made
    const [thread] = await tx
      .insert(threads)
      .values({
        id: newId(),
        tenantId,
        versionId: version.id,
        ...anchor,
        versionDigest: origin.digest,
        anchorRange: range,
        state: 'anchored',
        placeKey: anchor.key,
        placePointer: anchor.pointer,
        placeRange: range,
        // Not that of `found`: the draft may have changed since, and then it is looked for when it is read.
        placeDigest: origin.digest,
        status: 'open',
        createdBy: author,
        createdAt: at,
        resolvedBy: null,
        resolvedAt: null,
      })
      .returning()
    if (thread === undefined) throw new Error('the thread was not written')
    await insertComment(deps, tx, { ...found, thread }, { body: saying.body, suggestion, author, at })
    return thread
  })
  return getThread(deps, grant, { project: version.projectId, version: version.id }, row.id)
}

/**
 * Adds a comment to an open thread.
 * @throws SvcError `project-not-found`, `version-not-found`, `thread-not-found`, `thread-resolved`, `comments-exceeded`,
 *   `suggestion-invalid`, `suggestion-breaks`, `analysis-stopped`
 */
export async function addComment(
  deps: Deps,
  grant: Grant,
  refs: VersionRefs,
  threadId: string,
  saying: Saying,
): Promise<Comment> {
  const { id: tenantId } = tenantOf(grant)
  const before = await findThread(deps.db.read, tenantId, refs, threadId)
  assertOpen(before.thread)
  const suggestion = await suggestionFor(deps, before.version, saying)
  const author = actorOf(grant)
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`thread ${threadId}`)
    const found = await findThread(tx, tenantId, refs, threadId)
    assertOpen(found.thread)
    const row = await insertComment(deps, tx, found, { body: saying.body, suggestion, author, at: deps.clock.iso() })
    return toComment(row, await describeActors(tx, tenantId, actorsInComment(row)))
  })
}

/** @throws SvcError `thread-resolved` */
function assertOpen({ status, id }: ThreadRow): void {
  if (status === 'resolved') throw new SvcError('thread-resolved', { thread: id })
}

/**
 * Resolves a thread: who opened it, and everyone who may edit the version.
 * @throws SvcError `project-not-found`, `version-not-found`, `thread-not-found`, `thread-resolved`, `permission-denied`,
 *   `analysis-stopped`
 */
export async function resolveThread(deps: Deps, grant: Grant, refs: VersionRefs, threadId: string): Promise<Thread> {
  const { id: tenantId } = tenantOf(grant)
  const actor = actorOf(grant)
  const at = deps.clock.iso()
  const { version, row } = await deps.db.inTransaction(async (tx) => {
    await tx.lock(`thread ${threadId}`)
    const found = await findThread(tx, tenantId, refs, threadId)
    assertOpen(found.thread)
    if (found.thread.createdBy !== actor && !grant.permissions.has('versions:edit'))
      throw new SvcError('permission-denied', { permission: 'versions:edit' })
    return { version: found.version, row: await settleThread(deps, tx, found, { actor, at }) }
  })
  return showOne(deps, version, row)
}

/**
 * Opens a resolved thread again.
 * @throws SvcError `project-not-found`, `version-not-found`, `thread-not-found`, `threads-exceeded`, `analysis-stopped`
 */
export async function reopenThread(deps: Deps, grant: Grant, refs: VersionRefs, threadId: string): Promise<Thread> {
  const { id: tenantId } = tenantOf(grant)
  const { version, row } = await deps.db.inTransaction(async (tx) => {
    const found = await findThread(tx, tenantId, refs, threadId)
    if (found.thread.status === 'open') return { version: found.version, row: found.thread }
    await tx.lock(`threads ${found.version.id}`)
    await assertRoomForThread(tx, found, found.thread.createdBy)
    const row = await setStatus(tx, found.thread, { status: 'open', resolvedBy: null, resolvedAt: null })
    return { version: found.version, row }
  })
  return showOne(deps, version, row)
}
