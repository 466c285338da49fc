import { pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Contract, ContractWarning, Unresolved } from '../../src/contracts/contract.ts'
import { integer, json, text, timestamp } from '../columns.ts'
import { consumers } from './consumers.ts'

/** What a consumer said it uses, each time it said it: rows are only ever added. */
export const contractRevisions = pgTable(
  'contract_revisions',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    consumerId: text('consumer_id')
      .notNull()
      .references(() => consumers.id, { onDelete: 'cascade' }),
    /** 1, 2, 3 … without gaps. */
    revision: integer('revision').notNull(),
    source: text('source', { enum: ['selection', 'pact'] }).notNull(),
    /** What the source says of itself: the Pact's consumer, provider and specification version. */
    origin: json<Readonly<Record<string, unknown>>>()('origin').notNull(),
    /** The version it was resolved against; it may be gone where it was a draft. */
    versionId: text('version_id').notNull(),
    versionLabel: text('version_label').notNull(),
    versionDigest: text('version_digest').notNull(),
    contract: json<Contract>()('contract').notNull(),
    unresolved: json<readonly Unresolved[]>()('unresolved').notNull(),
    warnings: json<readonly ContractWarning[]>()('warnings').notNull(),
    operationsCount: integer('operations_count').notNull(),
    fieldsCount: integer('fields_count').notNull(),
    parametersCount: integer('parameters_count').notNull(),
    createdBy: text('created_by'),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [uniqueIndex('contract_revisions_number_key').on(t.consumerId, t.revision)],
)
