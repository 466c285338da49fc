import { index, pgTable } from 'drizzle-orm/pg-core'
import type { AnchorKind } from '../../src/anchors/kind.ts'
import type { AnchorState } from '../../src/anchors/reanchor.ts'
import type { Range } from '../../src/document/position.ts'
import type { JsonPatch } from '../../src/patch/json-patch.ts'
import { json, text, timestamp } from '../columns.ts'
import { versions } from './versions.ts'

/** What is said about places of a version's document. */
export const threads = pgTable(
  'threads',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    versionId: text('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    /** The anchor, as it was when the thread was opened. */
    kind: text('kind').$type<AnchorKind>().notNull(),
    key: text('key').notNull(),
    pointer: text('pointer').notNull(),
    nodeDigest: text('node_digest').notNull(),
    excerpt: text('excerpt').notNull(),
    versionDigest: text('version_digest').notNull(),
    /** Its lines there; null in rows of earlier releases. */
    anchorRange: json<Range | null>()('anchor_range'),
    /** Where it was found last, and in which document. */
    state: text('state').$type<AnchorState>().notNull(),
    placeKey: text('place_key').notNull(),
    placePointer: text('place_pointer').notNull(),
    placeRange: json<Range>()('place_range').notNull(),
    placeDigest: text('place_digest').notNull(),
    status: text('status').$type<'open' | 'resolved'>().notNull(),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    resolvedBy: text('resolved_by'),
    resolvedAt: timestamp('resolved_at'),
  },
  (t) => [index('threads_version_idx').on(t.versionId, t.createdAt, t.id)],
)

/** A change that a comment proposes. */
export interface StoredSuggestion {
  readonly patch: JsonPatch
  /** The document that it was made for. */
  readonly digest: string
  readonly diff: string
  readonly appliedAt: string | null
  readonly appliedBy: string | null
}

export const comments = pgTable(
  'comments',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    versionId: text('version_id').notNull(),
    threadId: text('thread_id')
      .notNull()
      .references(() => threads.id, { onDelete: 'cascade' }),
    /** "user:ID", or the kind and id of a key. */
    author: text('author'),
    /** Markdown; "" after the comment was deleted. */
    body: text('body').notNull(),
    /** Ids of users who could view the version when it was written. */
    mentions: json<readonly string[]>()('mentions').notNull(),
    suggestion: json<StoredSuggestion | null>()('suggestion'),
    createdAt: timestamp('created_at').notNull(),
    editedAt: timestamp('edited_at'),
    deletedAt: timestamp('deleted_at'),
  },
  (t) => [
    index('comments_thread_idx').on(t.threadId, t.createdAt, t.id),
    index('comments_version_idx').on(t.versionId, t.author),
  ],
)
