import { assertKebab, camel, type Plan } from './plan.ts'

const snake = (name: string): string => name.replaceAll('-', '_')

const tableText = (name: string): string => `import { index, pgTable } from 'drizzle-orm/pg-core'
import { text, timestamp } from '../columns.ts'
import { tenants } from './tenants.ts'

/** Say what one row is. */
export const ${camel(name)} = pgTable(
  '${snake(name)}',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (t) => [index('${snake(name)}_tenant_idx').on(t.tenantId, t.createdAt, t.id)],
)
`

const testText = (name: string): string => `import { expect, test } from 'bun:test'
import { inTenant } from '../../db/conditions.ts'
import { ${camel(name)} } from '../../db/tables.gen.ts'
import { addTenant } from '../fixtures/accounts.ts'
import { onBothEngines } from '../fixtures/engines.ts'

onBothEngines('${name}', (makeDb) => {
  test('a row is kept as it was written, for its organization alone', async () => {
    const db = await makeDb()
    const [acme, other] = [await addTenant(db, 'acme'), await addTenant(db, 'other')]
    const row = { id: '1', tenantId: acme, name: 'first', createdAt: '2026-11-20T10:15:00.000Z' }
    await db.inTransaction((tx) => tx.insert(${camel(name)}).values(row))
    const read = (tenantId: string) => db.read.select().from(${camel(name)}).where(inTenant(${camel(name)}, tenantId))
    // State what a row has, and what the table refuses.
    expect([await read(acme), await read(other)]).toEqual([[{ ...row, name: 'replace this by what a row has' }], []])
  })
})
`

/** A table and a test of it on both databases; its migration, its backup and the proofs of tenancy are derived from it. */
export const newTable = (_root: string, name: string): Plan => {
  assertKebab(name)
  return {
    created: { [`db/tables/${name}.ts`]: tableText(name), [`test/db/${name}.test.ts`]: testText(name) },
    changed: {},
    next: ['npm run gen', `npm test -- test/db/${name}.test.ts test/db/tables.test.ts`],
  }
}
