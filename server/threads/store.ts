import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import type { StoredSuggestion } from '../../db/tables/threads.ts'
import { comments, threads } from '../../db/tables.gen.ts'
import { inParts, namesBehind } from '../auth/door.ts'
import { assertInboxRoom } from '../notifications/door.ts'
import type { Deps } from '../kit/door.ts'
import { recordEvent } from '../outbox/door.ts'
import { findVersion, type FoundVersion } from '../records/door.ts'
import { excerptOfBody, mentionedMembers } from './mentions.ts'
import type { CommentRow, ThreadRow } from './record.ts'

/** How many threads of a version may be open, how many of them one person may have opened, and how many comments a thread may have. */
export const mostOpenThreads = 500
export const mostOwnThreads = 100
const mostComments = 500

/** Which version of which project. */
export interface VersionRefs {
  readonly project: string
  readonly version: string
}

/**
 * A thread of a version.
 * @throws SvcError `project-not-found`, `version-not-found`, `thread-not-found`
 */
export async function findThread(read: Reader, tenantId: string, refs: VersionRefs, threadId: string) {
  const found = await findVersion(read, tenantId, refs.project, refs.version)
  const [thread] = await read
    .select()
    .from(threads)
    .where(inTenant(threads, tenantId, eq(threads.versionId, found.version.id), eq(threads.id, threadId)))
  if (thread === undefined) throw new SvcError('thread-not-found', { thread: threadId })
  return { ...found, thread }
}

/**
 * A comment of a version that was not deleted.
 * @throws SvcError `project-not-found`, `version-not-found`, `comment-not-found`
 */
export async function findComment(read: Reader, tenantId: string, refs: VersionRefs, commentId: string) {
  const found = await findVersion(read, tenantId, refs.project, refs.version)
  const [comment] = await read
    .select()
    .from(comments)
    .where(
      inTenant(
        comments,
        tenantId,
        eq(comments.versionId, found.version.id),
        eq(comments.id, commentId),
        isNull(comments.deletedAt),
      ),
    )
  if (comment === undefined) throw new SvcError('comment-not-found', { comment: commentId })
  return { ...found, comment }
}

/** The comments of threads, oldest first, by thread. */
export async function commentsOf(
  read: Reader,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CommentRow[]>> {
  const rows: CommentRow[] = []
  for (const part of inParts(ids))
    rows.push(
      ...(await read
        .select()
        .from(comments)
        .where(inTenant(comments, tenantId, inArray(comments.threadId, part)))
        .orderBy(asc(comments.createdAt), asc(comments.id))),
    )
  return Map.groupBy(rows, (it) => it.threadId)
}

/** How many threads of a version are open. */
export async function countOpen(read: Reader, tenantId: string, versionId: string): Promise<number> {
  return read.$count(threads, inTenant(threads, tenantId, eq(threads.versionId, versionId), eq(threads.status, 'open')))
}

/**
 * Checks that another thread may be open.
 * @param author who opened it, or opens it: one person leaves room for the others, under all of their keys together
 * @throws SvcError `threads-exceeded`, `own-threads-exceeded`
 */
export async function assertRoomForThread(
  tx: Transaction,
  { version }: FoundVersion,
  author: string | null,
): Promise<void> {
  const { tenantId, id, label } = version
  if ((await countOpen(tx, tenantId, id)) >= mostOpenThreads)
    throw new SvcError('threads-exceeded', { max: mostOpenThreads, version: label })
  const names = await namesBehind(tx, tenantId, author)
  if (names.length === 0) return
  const mine = and(eq(threads.versionId, id), eq(threads.status, 'open'), inArray(threads.createdBy, [...names]))
  const own = await tx.$count(threads, inTenant(threads, tenantId, mine))
  if (own >= mostOwnThreads) throw new SvcError('own-threads-exceeded', { max: mostOwnThreads, version: label })
}

/** What is said, by an author, at a time. */
export interface Said {
  readonly body: string
  readonly suggestion: StoredSuggestion | null
  readonly author: string | null
  readonly at: string
}

/** Reports the members that a text mentions and `before` did not. @throws SvcError `inbox-full` */
export async function recordMentions(
  deps: Pick<Deps, 'wakeReaders'>,
  tx: Transaction,
  { project, version }: FoundVersion,
  comment: CommentRow,
  by: { readonly author: string | null; readonly at: string; readonly before?: readonly string[] },
): Promise<void> {
  const people = comment.mentions.filter((it) => !(by.before ?? []).includes(it))
  if (people.length === 0) return
  await assertInboxRoom(tx, version.tenantId, by.author, people)
  await recordEvent(deps, tx, {
    tenantId: version.tenantId,
    type: 'comment.mentioned',
    subjectId: comment.id,
    payload: {
      project_id: project.id,
      version_id: version.id,
      thread_id: comment.threadId,
      comment_id: comment.id,
      people,
      excerpt: excerptOfBody(comment.body),
      by: by.author,
    },
    at: by.at,
  })
}

/**
 * Adds a comment to a thread; the caller holds its lock.
 * @throws SvcError `comments-exceeded`, `inbox-full`
 */
export async function insertComment(
  deps: Pick<Deps, 'wakeReaders'>,
  tx: Transaction,
  found: FoundVersion & { readonly thread: Pick<ThreadRow, 'id'> },
  { body, suggestion, author, at }: Said,
): Promise<CommentRow> {
  const { version, thread } = found
  const { tenantId } = version
  const own = and(inTenant(comments, tenantId, eq(comments.threadId, thread.id)))
  const known = await tx.$count(comments, own)
  if (known >= mostComments) throw new SvcError('comments-exceeded', { max: mostComments })
  const values = {
    id: newId(),
    tenantId,
    versionId: version.id,
    threadId: thread.id,
    author,
    body,
    mentions: await mentionedMembers(tx, tenantId, body),
    suggestion,
    createdAt: at,
    editedAt: null,
    deletedAt: null,
  }
  const [row] = await tx.insert(comments).values(values).returning()
  if (row === undefined) throw new Error('the comment was not written')
  await recordMentions(deps, tx, found, row, { author, at })
  return row
}

/** Writes whether a thread is open, and who resolved it. */
export async function setStatus(
  tx: Transaction,
  { id, tenantId }: ThreadRow,
  set: Pick<ThreadRow, 'status' | 'resolvedBy' | 'resolvedAt'>,
): Promise<ThreadRow> {
  const [row] = await tx
    .update(threads)
    .set(set)
    .where(inTenant(threads, tenantId, eq(threads.id, id)))
    .returning()
  if (row === undefined) throw new Error(`the thread ${id} is missing`)
  return row
}

/** Resolves a thread and reports it to those who took part; the caller holds its lock. */
export async function settleThread(
  deps: Pick<Deps, 'wakeReaders'>,
  tx: Transaction,
  { project, version, thread }: FoundVersion & { readonly thread: ThreadRow },
  { actor, at }: { readonly actor: string | null; readonly at: string },
): Promise<ThreadRow> {
  const row = await setStatus(tx, thread, { status: 'resolved', resolvedBy: actor, resolvedAt: at })
  const said = (await commentsOf(tx, thread.tenantId, [thread.id])).get(thread.id) ?? []
  await recordEvent(deps, tx, {
    tenantId: thread.tenantId,
    type: 'thread.resolved',
    subjectId: thread.id,
    payload: {
      project_id: project.id,
      version_id: version.id,
      thread_id: thread.id,
      place: thread.placeKey,
      participants: [...new Set([thread.createdBy, ...said.map((it) => it.author)])].filter((it) => it !== null),
      by: actor,
    },
    at,
  })
  return row
}
