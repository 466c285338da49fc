import { sql } from 'drizzle-orm'
import { foreignKey, index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { candidateStatuses, releaseReasons } from '../../src/bindings/state.ts'
import type { OverlayLineage } from '../../src/api/version-shapes.ts'
import { bool, json, text, timestamp } from '../columns.ts'
import { repositories } from './repositories.ts'
import { tenants } from './tenants.ts'
import { versions } from './versions.ts'

/** The document that a selection was, where it was one: stored by its digest. */
export interface BoundDocument {
  readonly digest: string
  readonly path: string
  readonly syntax: 'json' | 'yaml' | null
  /** Absent where no overlay was applied. */
  readonly lineage?: OverlayLineage
}

/** Drafts that are bound to a ref of a repository. */
export const draftBindings = pgTable(
  'draft_bindings',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    projectId: text('project_id').notNull(),
    versionId: text('version_id').notNull(),
    /** Null: bound by an address, or the registration was removed. */
    repositoryId: text('repository_id').references(() => repositories.id, { onDelete: 'set null' }),
    provider: text('provider', { enum: ['github', 'gitlab', 'bitbucket'] }).notNull(),
    repoFullName: text('repo_full_name').notNull(),
    repoUrl: text('repo_url').notNull(),
    /** The account that reads it; null: that of the repository, or none. */
    linkedAccountId: text('linked_account_id'),
    ref: text('ref').notNull(),
    path: text('path').notNull(),
    commitSha: text('commit_sha').notNull(),
    sourceDigest: text('source_digest').notNull(),
    /** Null: the selection is not one document. */
    document: json<BoundDocument | null>()('document'),
    synchronizedAt: timestamp('synchronized_at').notNull(),
    isActive: bool('is_active').notNull(),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
    releasedAt: timestamp('released_at'),
    releasedBy: text('released_by'),
    releaseReason: text('release_reason', { enum: releaseReasons }),
  },
  (t) => [
    uniqueIndex('draft_bindings_active_key')
      .on(t.versionId)
      .where(sql`${t.releasedAt} is null`),
    index('draft_bindings_project_idx').on(t.tenantId, t.projectId, t.createdAt, t.id),
    index('draft_bindings_repository_idx').on(t.repositoryId),
    foreignKey({
      name: 'draft_bindings_version_fk',
      columns: [t.versionId],
      foreignColumns: [versions.id],
    }).onDelete('cascade'),
  ],
)

/** What a person needs to decide about a candidate. */
export interface CandidateSummary {
  readonly severity: 'breaking' | 'non-breaking' | 'docs-only' | null
  readonly counts: Readonly<Record<'breaking' | 'non-breaking' | 'docs-only', number>>
  readonly verdict: 'safe' | 'breaking' | 'unknown'
  readonly lint: { readonly before: string | null; readonly after: string | null }
  readonly valid: boolean
  /** Handles of the consumers that breaking changes concern. */
  readonly consumers: readonly string[]
}

export const mergeStates = ['fast-forward', 'clean', 'conflicts', 'unreadable'] as const

/** Commits that a ref moved to, each for a person to decide. */
export const syncCandidates = pgTable(
  'sync_candidates',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    bindingId: text('binding_id')
      .notNull()
      .references(() => draftBindings.id, { onDelete: 'cascade' }),
    status: text('status', { enum: candidateStatuses }).notNull(),
    fromCommit: text('from_commit').notNull(),
    toCommit: text('to_commit').notNull(),
    sourceDigest: text('source_digest').notNull(),
    selectionChanged: bool('selection_changed').notNull(),
    changedPaths: json<string[]>()('changed_paths').notNull(),
    detectedBy: text('detected_by', { enum: ['check', 'webhook', 'poll'] }).notNull(),
    detectedAt: timestamp('detected_at').notNull(),
    document: json<BoundDocument | null>()('document'),
    summary: json<CandidateSummary | null>()('summary'),
    mergeState: text('merge_state', { enum: mergeStates }).notNull(),
    resolvedAt: timestamp('resolved_at'),
    resolvedBy: text('resolved_by'),
    note: text('note'),
  },
  (t) => [index('sync_candidates_binding_idx').on(t.tenantId, t.bindingId, t.detectedAt, t.id)],
)
