import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { integer, text, timestamp } from '../columns.ts'
import { environments } from './environments.ts'

/** Ids of what gateways sent, for some hours: what is sent again is not counted twice. */
export const gatewayEventIds = pgTable(
  'gateway_event_ids',
  {
    environmentId: text('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    tenantId: text('tenant_id').notNull(),
    receivedAt: timestamp('received_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.environmentId, t.id] }), index('gateway_event_ids_received_idx').on(t.receivedAt)],
)

/** How many requests were recorded in a minute or an hour, also of those that no event is kept of. */
export const securityCounts = pgTable(
  'security_counts',
  {
    environmentId: text('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    span: text('span', { enum: ['minute', 'hour'] }).notNull(),
    /** The beginning of the minute or hour. */
    at: timestamp('at').notNull(),
    /** By what became of them, by rule, by group, by exception, and those that no event is kept of. */
    kind: text('kind', { enum: ['action', 'rule', 'group', 'exception', 'throttled'] }).notNull(),
    ref: text('ref').notNull(),
    tenantId: text('tenant_id').notNull(),
    count: integer('count').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.environmentId, t.span, t.at, t.kind, t.ref] }),
    index('security_counts_at_idx').on(t.at),
  ],
)

/** How often operations were called in a day: those of the document, and paths of none by their shape. */
export const gatewaySeen = pgTable(
  'gateway_seen',
  {
    environmentId: text('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    day: text('day').notNull(),
    method: text('method').notNull(),
    /** "" where no operation of the document is meant. */
    route: text('route').notNull(),
    /** "" where a route is known. */
    pathShape: text('path_shape').notNull(),
    tenantId: text('tenant_id').notNull(),
    count: integer('count').notNull(),
    firstAt: timestamp('first_at').notNull(),
    lastAt: timestamp('last_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.environmentId, t.day, t.method, t.route, t.pathShape] }),
    index('gateway_seen_day_idx').on(t.day),
  ],
)
