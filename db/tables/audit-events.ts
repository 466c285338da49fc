import { index, pgTable } from 'drizzle-orm/pg-core'
import { auditMeans } from '../../src/api/audit-means.ts'
import { json, text, timestamp } from '../columns.ts'

/** Who changed what in identity and governance. Rows are only ever added, and outlive what they speak of. */
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
  },
  (t) => [index('audit_events_tenant_idx').on(t.tenantId, t.createdAt, t.id)],
)
