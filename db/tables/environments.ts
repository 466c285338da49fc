import { index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Consent, EventMatch, EventScore, NotApplied, Policy, Replay } from '../../src/gateway-policy/door.ts'
import { bool, integer, json, text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

/** Environments of gateways, each with the number of its policy's newest version and the head of its audit trail. */
export const environments = pgTable(
  'environments',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    kind: text('kind', { enum: ['production', 'staging', 'development', 'other'] }).notNull(),
    projectIds: json<readonly string[]>()('project_ids').notNull(),
    hostnames: json<readonly string[]>()('hostnames').notNull(),
    basePaths: json<readonly string[]>()('base_paths').notNull(),
    /** What gateways record of a value that a rule matched. */
    evidence: text('evidence', { enum: ['digest', 'shape'] }).notNull(),
    approvalsRequired: bool('approvals_required').notNull(),
    approversMin: integer('approvers_min').notNull(),
    policyVersion: integer('policy_version').notNull(),
    auditCount: integer('audit_count').notNull(),
    auditHash: text('audit_hash').notNull(),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [uniqueIndex('environments_slug_key').on(t.tenantId, t.slug)],
)

/** Every version of every policy. */
export const securityPolicies = pgTable(
  'security_policies',
  {
    environmentId: text('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    tenantId: text('tenant_id').notNull(),
    policy: json<Policy>()('policy').notNull(),
    digest: text('digest').notNull(),
    /** What it changed, in sentences. */
    changes: json<readonly string[]>()('changes').notNull(),
    restoredFrom: integer('restored_from'),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.environmentId, t.version] })],
)

/** What gateways recorded: never a value of a request. */
export const securityEvents = pgTable(
  'security_events',
  {
    environmentId: text('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    tenantId: text('tenant_id').notNull(),
    at: timestamp('at').notNull(),
    enforcerId: text('enforcer_id'),
    releaseId: text('release_id'),
    source: text('source').notNull(),
    region: text('region'),
    ruleRef: text('rule_ref').notNull(),
    /** The references of all rules that matched, each between spaces. */
    ruleRefs: text('rule_refs').notNull(),
    groupId: text('group_id'),
    action: text('action').notNull(),
    route: text('route'),
    method: text('method'),
    status: integer('status'),
    count: integer('count').notNull(),
    firstAt: timestamp('first_at').notNull(),
    lastAt: timestamp('last_at').notNull(),
    network: text('network'),
    clientDigest: text('client_digest'),
    country: text('country'),
    score: json<EventScore | null>()('score'),
    matches: json<readonly EventMatch[]>()('matches').notNull(),
    exceptionIds: json<readonly string[]>()('exception_ids').notNull(),
    policyVersion: integer('policy_version'),
    /** The version of the document that the gateway compared requests with. */
    documentId: text('document_id'),
    /** Where the operation is not known: the path without anything that may be a value. */
    pathShape: text('path_shape'),
    /** A digest of all that decides about a request, and of its minute: requests that are alike share a row. Null for imported events. */
    likeness: text('likeness'),
  },
  (t) => [
    primaryKey({ columns: [t.environmentId, t.id] }),
    index('security_events_at_idx').on(t.environmentId, t.at, t.id),
    uniqueIndex('security_events_likeness_key').on(t.environmentId, t.likeness),
  ],
)

/** Requests for approval of risky changes. */
export const securityApprovals = pgTable(
  'security_approvals',
  {
    id: text('id').primaryKey(),
    environmentId: text('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    tenantId: text('tenant_id').notNull(),
    changeDigest: text('change_digest').notNull(),
    operation: text('operation').notNull(),
    target: text('target'),
    body: json<Readonly<Record<string, unknown>>>()('body').notNull(),
    summary: json<readonly string[]>()('summary').notNull(),
    risks: json<readonly string[]>()('risks').notNull(),
    preview: json<Replay | null>()('preview'),
    policyVersion: integer('policy_version').notNull(),
    requestedBy: text('requested_by').notNull(),
    requesters: json<readonly string[]>()('requesters').notNull(),
    requestedAt: timestamp('requested_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
    approversMin: integer('approvers_min').notNull(),
    consents: json<readonly Consent[]>()('consents').notNull(),
    usedAt: timestamp('used_at'),
    withdrawnAt: timestamp('withdrawn_at'),
    /** Whether the last approval that it needs makes the change. */
    applyWhenApproved: bool('apply_when_approved').notNull().default(false),
    /** Why the approval did not make the change although it should have. */
    notApplied: json<NotApplied | null>()('not_applied'),
  },
  (t) => [
    index('security_approvals_digest_idx').on(t.environmentId, t.changeDigest),
    index('security_approvals_age_idx').on(t.environmentId, t.requestedAt, t.id),
  ],
)

/** The key of each organization that digests of evidence are made with. */
export const evidenceKeys = pgTable('evidence_keys', {
  tenantId: text('tenant_id')
    .primaryKey()
    .references(() => tenants.id, { onDelete: 'cascade' }),
  secretId: text('secret_id').notNull(),
})
