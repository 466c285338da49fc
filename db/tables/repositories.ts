import { index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import { big, bool, bytes, integer, json, text, timestamp } from '../columns.ts'
import { linkedAccounts } from './linked-accounts.ts'
import { tenants } from './tenants.ts'

export const conflictPolicies = ['overwrite', 'hold-for-review', 'new-branch'] as const
export const refreshStatuses = ['up-to-date', 'stale', 'refreshing', 'failed', 'diverged'] as const
export const refreshTriggers = ['manual', 'webhook', 'poll', 'retry'] as const
export const refreshOutcomes = ['up-to-date', 'imported', 'held', 'branched', 'failed', 'diverged'] as const

/** Why a repository is not healthy. */
export interface HealthReason {
  readonly code: string
  readonly message: string
  readonly since: string
}

type Severity = 'breaking' | 'non-breaking' | 'docs-only'

/** What a refresh changed. */
export interface RefreshChange {
  readonly severity: Severity | null
  readonly counts: Readonly<Record<Severity, number>>
}

/** Registered repositories. */
export const repositories = pgTable(
  'repositories',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    provider: text('provider', { enum: ['github', 'gitlab', 'bitbucket'] }).notNull(),
    host: text('host').notNull(),
    source: text('source', { enum: ['public_url', 'linked_account'] }).notNull(),
    /** OWNER/NAME in lower case. */
    fullName: text('full_name').notNull(),
    cloneUrl: text('clone_url').notNull(),
    webUrl: text('web_url'),
    defaultBranch: text('default_branch'),
    isPrivate: bool('is_private').notNull(),
    linkedAccountId: text('linked_account_id').references(() => linkedAccounts.id, { onDelete: 'set null' }),
    autoRefreshEnabled: bool('auto_refresh_enabled').notNull(),
    conflictPolicy: text('conflict_policy', { enum: conflictPolicies }).notNull(),
    healthReasons: json<HealthReason[]>()('health_reasons').notNull(),
    branchesIndexed: integer('branches_indexed').notNull(),
    filesIndexed: integer('files_indexed').notNull(),
    lastScannedAt: timestamp('last_scanned_at'),
    lastCommitSha: text('last_commit_sha'),
    nextPollAt: timestamp('next_poll_at'),
    /** Whether pull requests get a commit status and a comment; null: no. */
    pullRequestReports: bool('pull_request_reports'),
    /** Why the provider took no report; null: it does. */
    reportsRefused: json<HealthReason | null>()('reports_refused'),
    /** Marks of the branches as they were when pull requests were looked at last (a digest where there are many), and when that was. */
    reportedRefs: text('reported_refs'),
    reportedAt: timestamp('reported_at'),
    /** Polls and scans that failed since the last one that did not. */
    failures: integer('failures').notNull(),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('repositories_name_key').on(t.tenantId, t.host, t.fullName),
    index('repositories_tenant_idx').on(t.tenantId, t.createdAt, t.id),
    index('repositories_account_idx').on(t.linkedAccountId),
  ],
)

/** What was reported on a pull request about a document: enough to update it in place. */
export const pullRequestReports = pgTable(
  'pull_request_reports',
  {
    /** A digest of repository, number and path. */
    id: text('id').primaryKey(),
    repositoryId: text('repository_id')
      .notNull()
      .references(() => repositories.id, { onDelete: 'cascade' }),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    baseCommit: text('base_commit').notNull(),
    headCommit: text('head_commit').notNull(),
    /** Of the comment at the provider; null: nothing changed yet, so that there is none. */
    commentId: text('comment_id'),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [index('pull_request_reports_repository_idx').on(t.tenantId, t.repositoryId)],
)

/** The files of a branch. */
export const repositoryBranches = pgTable(
  'repository_branches',
  {
    repositoryId: text('repository_id')
      .notNull()
      .references(() => repositories.id, { onDelete: 'cascade' }),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    branch: text('branch').notNull(),
    commitSha: text('commit_sha').notNull(),
    committedAt: timestamp('committed_at'),
    indexedAt: timestamp('indexed_at').notNull(),
    filesCount: integer('files_count').notNull(),
    isTruncated: bool('is_truncated').notNull(),
    /** The list, compressed (server/hosting/listing.ts). */
    files: bytes('files').notNull(),
  },
  (t) => [primaryKey({ columns: [t.repositoryId, t.branch] })],
)

/** The documents of default branches, for the catalogue. */
export const repositorySpecs = pgTable(
  'repository_specs',
  {
    /** A digest of repository, branch and path: paths are longer than an index takes. */
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    repositoryId: text('repository_id')
      .notNull()
      .references(() => repositories.id, { onDelete: 'cascade' }),
    branch: text('branch').notNull(),
    path: text('path').notNull(),
    kind: text('kind').notNull(),
    blobSha: text('blob_sha').notNull(),
    sizeBytes: big('size_bytes'),
  },
  (t) => [index('repository_specs_repository_idx').on(t.tenantId, t.repositoryId)],
)

/** The policy of single files, where it is not that of their repository. */
export const repositoryFilePolicies = pgTable(
  'repository_file_policies',
  {
    /** A digest of repository, branch and path. */
    id: text('id').primaryKey(),
    repositoryId: text('repository_id')
      .notNull()
      .references(() => repositories.id, { onDelete: 'cascade' }),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    branch: text('branch').notNull(),
    path: text('path').notNull(),
    policy: text('policy', { enum: conflictPolicies }).notNull(),
    updatedBy: text('updated_by'),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [index('repository_file_policies_repository_idx').on(t.tenantId, t.repositoryId)],
)

/** What was imported from a file: enough to import it again. */
export const repositoryImports = pgTable(
  'repository_imports',
  {
    /** A digest of repository, branch and path. */
    id: text('id').primaryKey(),
    repositoryId: text('repository_id')
      .notNull()
      .references(() => repositories.id, { onDelete: 'cascade' }),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    branch: text('branch').notNull(),
    path: text('path').notNull(),
    /** The shape of `options`: an older one is upgraded when it is read. */
    specSchemaVersion: integer('spec_schema_version').notNull(),
    formatOverride: text('format_override'),
    contentType: text('content_type'),
    options: json<Record<string, unknown>>()('options').notNull(),
    projectId: text('project_id').notNull(),
    versionId: text('version_id').notNull(),
    commitSha: text('commit_sha').notNull(),
    committedAt: timestamp('committed_at'),
    blobSha: text('blob_sha').notNull(),
    /** The other files that it was made of, by path and object id; null: too many to keep. */
    sources: json<Record<string, string> | null>()('sources'),
    /** The digest of the version right after the import: where it is another one, the draft was edited. */
    digest: text('digest').notNull(),
    refreshStatus: text('refresh_status', { enum: refreshStatuses }).notNull(),
    /** What the file and its sources were when it was held back. */
    divergedAt: text('diverged_at'),
    autoRefresh: bool('auto_refresh').notNull(),
    backfilled: bool('backfilled').notNull(),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [
    index('repository_imports_repository_idx').on(t.tenantId, t.repositoryId, t.branch),
    index('repository_imports_version_idx').on(t.tenantId, t.versionId),
  ],
)

/** What became of each refresh of a file. */
export const repositoryRefreshes = pgTable(
  'repository_refreshes',
  {
    id: text('id').primaryKey(),
    repositoryId: text('repository_id')
      .notNull()
      .references(() => repositories.id, { onDelete: 'cascade' }),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    branch: text('branch').notNull(),
    path: text('path').notNull(),
    trigger: text('trigger', { enum: refreshTriggers }).notNull(),
    fromCommit: text('from_commit'),
    toCommit: text('to_commit').notNull(),
    outcome: text('outcome', { enum: refreshOutcomes }).notNull(),
    change: json<RefreshChange | null>()('change'),
    versionId: text('version_id'),
    error: text('error'),
    startedAt: timestamp('started_at').notNull(),
    finishedAt: timestamp('finished_at').notNull(),
  },
  (t) => [index('repository_refreshes_repository_idx').on(t.tenantId, t.repositoryId, t.finishedAt, t.id)],
)

/** Which notices of a repository people get, and when the last one was sent. */
export const repositoryNotices = pgTable(
  'repository_notices',
  {
    repositoryId: text('repository_id')
      .notNull()
      .references(() => repositories.id, { onDelete: 'cascade' }),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    eventType: text('event_type').notNull(),
    enabled: bool('enabled').notNull(),
    lastSentAt: timestamp('last_sent_at'),
    /** Notices that were held back since the last one that was sent. */
    heldBack: integer('held_back').notNull(),
  },
  (t) => [primaryKey({ columns: [t.repositoryId, t.eventType] })],
)

/** Polls of the last day: the quota is a rolling window over them. */
export const repositoryPolls = pgTable(
  'repository_polls',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    repositoryId: text('repository_id').notNull(),
    at: timestamp('at').notNull(),
    outcome: text('outcome', { enum: ['unchanged', 'changed', 'throttled', 'failed'] }).notNull(),
  },
  (t) => [index('repository_polls_tenant_idx').on(t.tenantId, t.at), index('repository_polls_age_idx').on(t.at)],
)

/** How many polls an organization allows itself in an hour, where that is not the number of its plan. */
export const pollingQuotas = pgTable('polling_quotas', {
  tenantId: text('tenant_id')
    .primaryKey()
    .references(() => tenants.id, { onDelete: 'cascade' }),
  /** 0: without limit. */
  pollsPerHour: integer('polls_per_hour').notNull(),
  updatedAt: timestamp('updated_at').notNull(),
})
