/** A table of every column type, for tests of what any table does. */
import { sql } from 'drizzle-orm'
import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { big, bool, bytes, integer, json, text, timestamp } from '../../db/columns.ts'
import type { Database } from '../../db/database.ts'
import { executeSql } from '../../db/portable.ts'
import { writeCreation } from '../../scripts/migrations/ddl.ts'
import { readTable } from '../../scripts/migrations/model.ts'

export const things = pgTable(
  'things',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    name: text('name').notNull(),
    note: text('note'),
    weight: integer('weight').notNull().default(7),
    size: big('size'),
    isOn: bool('is_on'),
    seenAt: timestamp('seen_at'),
    labels: json<unknown>()('labels'),
    content: bytes('content'),
  },
  (t) => [
    uniqueIndex('things_name_key')
      .on(t.tenantId, t.name)
      .where(sql`${t.isOn}`),
    index('things_seen_idx').on(t.tenantId, t.seenAt, t.id),
  ],
)

/** Makes the table in a database. */
export async function addThings(db: Database): Promise<Database> {
  await db.inTransaction(async (tx) => {
    for (const statement of writeCreation([readTable(things)], db.dialect)) await executeSql(tx, sql.raw(statement))
  })
  return db
}
