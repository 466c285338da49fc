import type { Comment, Person, Thread } from '../../src/api/threads.ts'
import type { comments, threads } from '../../db/tables.gen.ts'
import { renameMentions } from './mentions.ts'

export type ThreadRow = typeof threads.$inferSelect
export type CommentRow = typeof comments.$inferSelect

/** Actors as the contract shows them: by what `created_by` and the like keep. */
export type People = ReadonlyMap<string, Person>

const whoOf = (people: People, actor: string | null): Person | null =>
  actor === null ? null : (people.get(actor) ?? null)

/** The actors that a comment names. */
export const actorsInComment = ({ author, mentions, suggestion }: CommentRow): (string | null)[] => [
  author,
  suggestion?.appliedBy ?? null,
  ...mentions.map((id) => `user:${id}`),
]

/** A comment as the contract shows it; those it mentions have today's names. */
export const toComment = (row: CommentRow, people: People): Comment => ({
  id: row.id,
  thread_id: row.threadId,
  author: whoOf(people, row.author),
  // Only members that could view it were kept: of anyone else nothing is looked up.
  body: renameMentions(row.body, new Map(row.mentions.map((id) => [id, people.get(`user:${id}`)?.name]))),
  mentions: [...row.mentions],
  suggestion:
    row.suggestion === null
      ? null
      : {
          patch: row.suggestion.patch.map((it) => ({ ...it })),
          diff: row.suggestion.diff,
          applied_at: row.suggestion.appliedAt,
          applied_by: whoOf(people, row.suggestion.appliedBy),
        },
  edited_at: row.editedAt,
  deleted: row.deletedAt !== null,
  created_at: row.createdAt,
})

/** The actors that a thread and its comments name. */
export const actorsIn = (rows: readonly ThreadRow[], said: readonly CommentRow[]): (string | null)[] => [
  ...rows.flatMap((it) => [it.createdBy, it.resolvedBy]),
  ...said.flatMap(actorsInComment),
]

/** A thread as the contract shows it, with at most `limit` of its comments. */
export function toThread(row: ThreadRow, said: readonly CommentRow[], people: People, limit = Infinity): Thread {
  const taking = new Set([row.createdBy, ...said.map((it) => it.author)])
  return {
    id: row.id,
    version_id: row.versionId,
    anchor: {
      kind: row.kind,
      key: row.key,
      pointer: row.pointer,
      node_digest: row.nodeDigest,
      excerpt: row.excerpt,
      version_digest: row.versionDigest,
      range: row.anchorRange,
    },
    anchor_state: row.state,
    place: { key: row.placeKey, pointer: row.placePointer, range: row.placeRange, version_digest: row.placeDigest },
    status: row.status,
    comments: said.slice(0, limit).map((it) => toComment(it, people)),
    comments_count: said.length,
    participants: [...taking].flatMap((it) => whoOf(people, it) ?? []),
    created_by: whoOf(people, row.createdBy),
    resolved_by: whoOf(people, row.resolvedBy),
    resolved_at: row.resolvedAt,
    created_at: row.createdAt,
  }
}
