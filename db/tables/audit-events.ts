import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { auditMeans } from '../../src/api/audit-means.ts'
import { integer, json, text, timestamp } from '../columns.ts'

/**
 * Who changed what. Rows are only ever added, and outlive what they speak of. Those of an environment of gateways are a trail of their
 * own, a chain: each holds the digest of the one before. Triggers keep them (`db/audit/chain.*.sql`).
 */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: text('id').primaryKey(),
    /** Null: about a person or the service, not about a tenant. */
    tenantId: text('tenant_id'),
    actorKind: text('actor_kind', {
      enum: ['user', 'api-key', 'agent-key', 'mcp-key', 'gateway-key', 'system'],
    }).notNull(),
    actorId: text('actor_id'),
    /** How a person called: the application, a program with a token, or the command line on its own data; "key" for keys. Null: not known. */
    means: text('means', { enum: auditMeans }),
    /** "api-key.created", "member.suspended" … */
    action: text('action').notNull(),
    targetId: text('target_id'),
    /** What a reader needs to understand it; never a secret. */
    detail: json<Readonly<Record<string, unknown>>>()('detail').notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** The environment whose trail it belongs to; null, with what follows: the trail of the organization. */
    environmentId: text('environment_id'),
    /** Counts the rows of a chain, from 1. */
    seq: integer('seq'),
    prevHash: text('prev_hash'),
    hash: text('hash'),
  },
  (t) => [
    index('audit_events_tenant_idx').on(t.tenantId, t.createdAt, t.id),
    uniqueIndex('audit_events_chain_key').on(t.environmentId, t.seq),
  ],
)
