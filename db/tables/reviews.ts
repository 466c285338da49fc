import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { text, timestamp } from '../columns.ts'
import { users } from './users.ts'
import { versions } from './versions.ts'

/** Requests to review a version. */
export const reviews = pgTable(
  'reviews',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    versionId: text('version_id')
      .notNull()
      .references(() => versions.id, { onDelete: 'cascade' }),
    /** "user:ID", or the kind and id of a key. */
    requestedBy: text('requested_by'),
    note: text('note').notNull(),
    /** What the version held when it was requested: its document, and those that joined it. */
    contentDigest: text('content_digest').notNull(),
    createdAt: timestamp('created_at').notNull(),
    withdrawnAt: timestamp('withdrawn_at'),
  },
  (t) => [
    index('reviews_version_idx').on(t.versionId, t.createdAt, t.id),
    index('reviews_tenant_idx').on(t.tenantId, t.createdAt, t.id),
  ],
)

/** Who is asked, and what they answered. */
export const reviewReviewers = pgTable(
  'review_reviewers',
  {
    reviewId: text('review_id')
      .notNull()
      .references(() => reviews.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tenantId: text('tenant_id').notNull(),
    versionId: text('version_id').notNull(),
    state: text('state').$type<'pending' | 'approved' | 'changes_requested' | 'withdrawn'>().notNull(),
    note: text('note').notNull(),
    decidedAt: timestamp('decided_at'),
    /** What the version held when they decided. */
    contentDigest: text('content_digest'),
    /** The digest of its document alone. */
    documentDigest: text('document_digest'),
    /** Its label, which is approved too; null: it was decided before labels were kept. */
    label: text('label'),
  },
  (t) => [
    primaryKey({ columns: [t.reviewId, t.userId] }),
    index('review_reviewers_user_idx').on(t.userId, t.tenantId, t.state),
    index('review_reviewers_version_idx').on(t.versionId),
  ],
)
