import { pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { json, text, timestamp } from '../columns.ts'

/** Settings of a tenant that features read by their own name. */
export type TenantSettings = Readonly<Record<string, unknown>>

export const tenants = pgTable(
  'tenants',
  {
    id: text('id').primaryKey(),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    settings: json<TenantSettings>()('settings').notNull(),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (t) => [uniqueIndex('tenants_slug_key').on(t.slug)],
)
