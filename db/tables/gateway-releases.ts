import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import type { DialectName, FileDifference, NotEnforced, ReleaseInputs, Setting } from '../../src/gateway/door.ts'
import { bytes, integer, json, text, timestamp } from '../columns.ts'
import { environments } from './environments.ts'

/** The newest release of each environment, and how its last compilation ended. Gateways that wait look at this row. */
export const gatewayReleaseStates = pgTable('gateway_lanes', {
  environmentId: text('environment_id')
    .primaryKey()
    .references(() => environments.id, { onDelete: 'cascade' }),
  tenantId: text('tenant_id').notNull(),
  latestReleaseId: text('latest_release_id'),
  /** What the newest release was made of, or would have been: where another policy gives the same files, there is no other release. */
  inputs: json<ReleaseInputs | null>()('inputs'),
  compiledAt: timestamp('compiled_at'),
  /** Why the last compilation gave no release; null: it did. */
  failure: json<{ readonly at: string; readonly reason: string; readonly inputs: ReleaseInputs } | null>()('failure'),
  /** How often compiling the same failed. */
  failures: integer('failures').notNull(),
  /** A release that waits for a person to take it, and what it was made of; null: none. Gateways do not get it before. */
  staged: json<{ readonly releaseId: string; readonly inputs: ReleaseInputs } | null>()('staged'),
})

/** What gateways of an environment were given or wait for, each time something changed. Rows never change. */
export const gatewayReleases = pgTable(
  'gateway_releases',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    environmentId: text('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    /** Counts the releases of the environment. */
    number: integer('number').notNull(),
    /** The policy that it enforces. */
    policyVersion: integer('policy_version').notNull(),
    /** The policy that was in force when it was made: another one for a rollback. */
    headPolicyVersion: integer('head_policy_version').notNull(),
    projectId: text('project_id'),
    versionId: text('version_id'),
    versionLabel: text('version_label'),
    digest: text('digest').notNull(),
    trigger: text('trigger', {
      enum: ['policy', 'publish', 'exception-expired', 'environment', 'enforcer', 'compiler', 'rollback'],
    }).notNull(),
    /** The release whose files a rollback has. */
    rolledBackTo: text('rolled_back_to'),
    /** The release before it. */
    previousId: text('previous_id'),
    differences: json<readonly FileDifference[]>()('differences').notNull(),
    /** The number of the compiler that wrote the files; null: it was not kept yet. */
    compiler: integer('compiler'),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [index('gateway_releases_environment_idx').on(t.environmentId, t.number)],
)

/** The files of a release for one engine, and what each setting comes to there. */
export const gatewayReleaseTargets = pgTable(
  'gateway_release_targets',
  {
    releaseId: text('release_id')
      .notNull()
      .references(() => gatewayReleases.id, { onDelete: 'cascade' }),
    engine: text('engine').$type<DialectName>().notNull(),
    tenantId: text('tenant_id').notNull(),
    /** Of the paths and digests of its files. */
    digest: text('digest').notNull(),
    /** The release and policy that its files name: those of another release after a rollback. */
    madeAs: json<{ readonly releaseId: string; readonly policyVersion: number }>()('made_as').notNull(),
    files:
      json<readonly { readonly path: string; readonly sha256: string; readonly bytes: number }[]>()('files').notNull(),
    /** JSON `{files: [{path, text}], routes}`, compressed with zstd. */
    content: bytes('content').notNull(),
    settings: json<readonly Setting[]>()('settings').notNull(),
    /** The first thousand. */
    notEnforced: json<readonly NotEnforced[]>()('not_enforced').notNull(),
    notEnforcedCount: integer('not_enforced_count').notNull(),
    operations: integer('operations').notNull(),
    bodies: integer('bodies').notNull(),
  },
  (t) => [primaryKey({ columns: [t.releaseId, t.engine] })],
)
