/** The shapes of repositories. */
import { Type, type Static } from '@sinclair/typebox'
import { gitProviders } from './linked-accounts.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { pageCounts, stableCounts } from './kit.ts'

export const conflictPolicies = ['overwrite', 'hold-for-review', 'new-branch'] as const
export type ConflictPolicyToken = (typeof conflictPolicies)[number]
export const refreshStatuses = ['up-to-date', 'stale', 'refreshing', 'failed', 'diverged'] as const

/** What people are notified of, about a repository. */
export const repositoryNoticeTypes = [
  'scan.completed',
  'scan.failed',
  'sync.candidate',
  'sync.diverged',
  'refresh.failed',
  'webhook.rejected',
] as const
export type RepositoryNoticeType = (typeof repositoryNoticeTypes)[number]

/** The groups of files that a listing can be limited to. */
export const filePresets = ['all', 'specs', 'openapi', 'arazzo', 'json-schema', 'mcp'] as const
export type FilePreset = (typeof filePresets)[number]

const success = Type.Boolean()

/** What the project and the version are called that a file was imported to. */
const names = {
  project_slug: orNull(Type.String()),
  version_label: orNull(Type.String({ description: 'Null: the version was deleted since.' })),
}

export const Repository = titled(
  'TenantRepository',
  Type.Object({
    id: Type.String(),
    provider: oneOf(gitProviders),
    host: Type.String(),
    source: oneOf(['public_url', 'linked_account']),
    full_name: Type.String({ description: 'OWNER/NAME in lower case.' }),
    clone_url: Type.String(),
    web_url: orNull(Type.String()),
    default_branch: orNull(Type.String()),
    private: Type.Boolean(),
    linked_account_id: orNull(Type.String()),
    auto_refresh_enabled: Type.Boolean(),
    pull_request_reports: Type.Boolean({
      description:
        'Whether open pull requests get a commit status and a comment about the documents that drafts are bound to.',
    }),
    conflict_policy: oneOf(conflictPolicies),
    health: titled(
      'RepositoryHealth',
      Type.Object({
        badge: oneOf(['healthy', 'degraded', 'failing', 'unknown'], 'unknown: it was not read yet.'),
        reasons: Type.Array(Type.Object({ code: Type.String(), message: Type.String(), since: dateTime() })),
      }),
    ),
    branches_indexed: Type.Integer(),
    files_indexed: Type.Integer({ description: 'Number of files of all indexed branches.' }),
    last_scanned_at: orNull(dateTime()),
    last_commit_sha: orNull(Type.String({ description: 'Of the default branch.' })),
    next_poll_at: orNull(dateTime()),
    webhook: titled(
      'RepositoryWebhookState',
      Type.Object({
        state: oneOf(
          ['none', 'pending', 'active', 'failing'],
          'none: it has no webhook. pending: nothing arrived yet. failing: the provider did not take the present secret, or did not report a push that a poll found.',
        ),
      }),
    ),
    created_by: orNull(Type.String()),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)
export type Repository = Static<typeof Repository>

export const RepositoryEnvelope = titled(
  'TenantRepositoryGetResponse',
  Type.Object({ success, repository: Repository }),
)
export const RepositoriesList = titled(
  'TenantRepositoriesListResponse',
  Type.Object({ success, repositories: Type.Array(Repository, { description: 'Newest registration first.' }) }),
)

export const RepositoryCreate = titled(
  'TenantRepositoryCreate',
  bodyOf({
    source: oneOf(['public_url', 'linked_account']),
    cloneUrl: Type.Optional(
      orNull(
        Type.String({
          minLength: 1,
          maxLength: 2000,
          description: 'With public_url: https address, without credentials.',
        }),
      ),
    ),
    linkedAccountId: Type.Optional(orNull(Type.String({ minLength: 1, description: 'With linked_account.' }))),
    repositoryFullName: Type.Optional(
      orNull(Type.String({ minLength: 3, maxLength: 400, description: 'With linked_account: OWNER/NAME.' })),
    ),
  }),
)
export type RepositoryCreate = Static<typeof RepositoryCreate>

export const RepositoryUpdate = titled(
  'TenantRepositoryUpdate',
  bodyOf({
    auto_refresh_enabled: Type.Optional(
      Type.Boolean({ description: 'false: the service does not poll it; refreshing by hand works.' }),
    ),
    pull_request_reports: Type.Optional(
      Type.Boolean({
        description:
          'true: open pull requests get a commit status and one comment that is updated in place. The linked account must be allowed to write both.',
      }),
    ),
    linked_account_id: Type.Optional(
      orNull(
        Type.String({ minLength: 1, description: 'The account that reads it from now on; null reads it without one.' }),
      ),
    ),
  }),
)
export type RepositoryUpdate = Static<typeof RepositoryUpdate>

export const RepositoryFile = titled(
  'TenantRepositoryFile',
  Type.Object({
    id: Type.String(),
    path: Type.String(),
    branch: Type.String(),
    size_bytes: orNull(Type.Integer({ description: 'Null: the file was not read yet.' })),
    blob_sha: Type.String(),
    kind: orNull(oneOf(['openapi', 'swagger', 'arazzo', 'json-schema', 'mcp', 'asyncapi'])),
    importable: Type.Boolean(),
    reason: orNull(
      oneOf(
        ['lfs-pointer', 'symlink', 'submodule', 'case-twin'],
        'What is special: a pointer of Git LFS, a symbolic link, a submodule, or a path that differs from another one in case only.',
      ),
    ),
    import: orNull(
      Type.Object({
        project_id: Type.String(),
        version_id: Type.String(),
        refresh_status: oneOf(refreshStatuses),
        ...names,
      }),
    ),
    conflict_policy: orNull(oneOf(conflictPolicies, 'Null: that of the repository.')),
    vendored: Type.Boolean(),
    hidden: Type.Boolean(),
  }),
)
export type RepositoryFile = Static<typeof RepositoryFile>

const branchHead = {
  success,
  branch: Type.String(),
  commit_sha: Type.String(),
  indexed_at: dateTime(),
  files_truncated: Type.Boolean({
    description: 'The branch has more than 100,000 files; the others are not listed.',
  }),
  presets: Type.Array(oneOf(filePresets)),
  branches: Type.Array(Type.String(), { description: 'The indexed branches.' }),
}

export const FilesList = titled(
  'TenantRepositoryFilesListResponse',
  Type.Object({ ...branchHead, files: Type.Array(RepositoryFile), ...pageCounts }),
)

const TreeEntry = titled(
  'TenantRepositoryTreeEntry',
  Type.Object({
    type: oneOf(['folder', 'file']),
    name: Type.String({
      description: 'Path below the folder. A folder whose only entry is another folder is listed with it: "a/b".',
    }),
    path: Type.String(),
    files: Type.Integer({ description: 'Files below it that match; 1 for a file.' }),
    importable: Type.Integer(),
    imported: Type.Integer(),
    vendored: Type.Boolean({ description: 'For a folder: whether all files below it are.' }),
    hidden: Type.Boolean(),
    file: orNull(RepositoryFile),
  }),
)
export type RepositoryTreeEntry = Static<typeof TreeEntry>

export const FilesTree = titled(
  'TenantRepositoryTreeResponse',
  Type.Object({
    ...branchHead,
    path: Type.String(),
    entries: Type.Array(TreeEntry, { description: 'Folders first, both in the order of their names.' }),
    files_total: Type.Integer({ description: 'Files of the whole branch that match.' }),
    ...pageCounts,
  }),
)

export const FileContent = titled(
  'TenantRepositoryFileContentResponse',
  Type.Object({
    success,
    file: RepositoryFile,
    encoding: oneOf(['utf-8', 'base64']),
    content: Type.String(),
    truncated: Type.Boolean(),
    commit_sha: Type.String(),
  }),
)

export const ConflictPolicy = titled(
  'RepositoryConflictPolicyResponse',
  Type.Object({
    success,
    conflictPolicy: Type.Object({
      policy: oneOf(conflictPolicies),
      default: oneOf(conflictPolicies),
      accepted: Type.Array(oneOf(conflictPolicies)),
      overrides: Type.Array(
        Type.Object({
          branch: Type.String(),
          path: Type.String(),
          policy: oneOf(conflictPolicies),
          updated_by: orNull(Type.String()),
          updated_at: dateTime(),
        }),
      ),
    }),
  }),
)

export const ImportSpec = titled(
  'RepositoryImportSpecRead',
  Type.Object({
    spec_schema_version: Type.Integer(),
    source_kind: Type.String(),
    format_override: orNull(Type.String()),
    content_type: orNull(Type.String()),
    options: Type.Record(Type.String(), Type.Unknown()),
    last_imported_commit_sha: orNull(Type.String()),
    last_imported_committed_at: orNull(dateTime()),
    last_imported_blob_sha: orNull(Type.String()),
    refresh_status: oneOf(refreshStatuses),
    backfilled: Type.Boolean(),
    project_id: Type.String(),
    version_id: Type.String(),
    auto_refresh: Type.Boolean(),
  }),
)

export const NoticePreferences = titled(
  'RepositoryNotificationPreferencesResponse',
  Type.Object({
    success,
    repositoryId: Type.String(),
    throttleWindowSeconds: Type.Integer(),
    preferences: Type.Array(
      Type.Object({
        eventType: oneOf(repositoryNoticeTypes),
        enabled: Type.Boolean(),
        throttle: Type.Object({
          lastSentAt: orNull(dateTime()),
          nextAllowedAt: orNull(dateTime('Null: the next notice is sent at once.')),
          heldBack: Type.Integer({ description: 'Notices since the last one that was sent.' }),
        }),
      }),
    ),
  }),
)

export const PollingQuota = titled(
  'RepositoryPollingQuota',
  Type.Object({
    pollsPerHour: Type.Integer({ description: '0 means unlimited.' }),
    used: Type.Integer({ description: 'Polls of the last 60 minutes.' }),
    windowStartedAt: dateTime(),
    remaining: orNull(Type.Integer({ description: 'Null: unlimited.' })),
    plan: Type.String(),
  }),
)

export const PollingTelemetry = titled(
  'RepositoryPollingTelemetry',
  Type.Object({
    buckets: Type.Array(
      Type.Object({
        at: dateTime('Where the hour begins.'),
        polls: Type.Integer(),
        changed: Type.Integer(),
        throttled: Type.Integer(),
        failed: Type.Integer(),
      }),
    ),
    byRepository: Type.Array(
      Type.Object({ repository_id: Type.String(), full_name: Type.String(), polls: Type.Integer() }),
    ),
  }),
)

const RefreshEntry = titled(
  'RefreshHistoryEntry',
  Type.Object({
    id: Type.String(),
    branch: Type.String(),
    path: Type.String(),
    trigger: oneOf(['manual', 'webhook', 'poll', 'retry']),
    from_commit: orNull(Type.String()),
    to_commit: Type.String(),
    outcome: oneOf(['up-to-date', 'imported', 'held', 'branched', 'failed', 'diverged']),
    change: orNull(
      Type.Object(
        {
          severity: orNull(oneOf(['breaking', 'non-breaking', 'docs-only'], 'Null: nothing that has a meaning.')),
          counts: Type.Object({
            breaking: Type.Integer(),
            'non-breaking': Type.Integer(),
            'docs-only': Type.Integer(),
          }),
        },
        { description: 'What changed since the import before; null where there was none, or it was not compared.' },
      ),
    ),
    version_id: orNull(Type.String()),
    ...names,
    error: orNull(Type.String()),
    started_at: dateTime(),
    finished_at: dateTime(),
  }),
)

/** Raised only when clients of the entries would break. */
export const refreshHistoryVersion = 1

export const RefreshHistory = titled(
  'RefreshHistoryPageResponse',
  Type.Object({
    schemaVersion: Type.Integer(),
    items: Type.Array(RefreshEntry),
    pagination: Type.Object(stableCounts),
  }),
)

export const catalogSorts = ['repository', '-repository', 'path', 'kind'] as const

const CatalogSpec = titled(
  'SpecCatalogRow',
  Type.Object({
    repository_id: Type.String(),
    repository_full_name: Type.String(),
    provider: oneOf(gitProviders),
    branch: Type.String(),
    path: Type.String(),
    file_id: Type.String(),
    kind: Type.String(),
    size_bytes: orNull(Type.Integer()),
    imported: Type.Boolean(),
    project_id: orNull(Type.String()),
    version_id: orNull(Type.String()),
    refresh_status: orNull(oneOf(refreshStatuses)),
    ...names,
  }),
)
export type CatalogSpec = Static<typeof CatalogSpec>

const facet = Type.Record(Type.String(), Type.Integer())

export const SpecCatalog = titled(
  'SpecCatalogResponse',
  Type.Object({
    success,
    catalog_total: Type.Integer(),
    match_count: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    sort: Type.String(),
    specs: Type.Array(CatalogSpec),
    facets: Type.Optional(
      Type.Object(
        { kind: facet, provider: facet, repository: facet, imported: facet },
        { description: 'Numbers of matching specifications by value; with `include_facets`.' },
      ),
    ),
  }),
)
