/** The conditions that the rows of an organization are read through, also while something of it is being deleted. */
import { expect, test } from 'bun:test'
import { eq, inArray } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { inTenant, inTenantToTheEnd, isTenant, padded } from '../../db/conditions.ts'
import { deletions, projects, tenants } from '../../db/tables.gen.ts'
import { addTenant } from '../fixtures/accounts.ts'
import { onBothEngines } from '../fixtures/engines.ts'
import { fillProjects } from '../fixtures/many-projects.ts'

test('a list is filled up to a power of two with its last value', () => {
  expect([[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4, 5]].map((it) => padded(it))).toEqual([
    [],
    [1],
    [1, 2],
    [1, 2, 3, 3],
    [1, 2, 3, 4, 5, 5, 5, 5],
  ])
})

/** Gives projects of the first organization to another one. */
async function move(db: Database, tenantId: string, count: number): Promise<void> {
  const moved = (await db.read.select().from(projects)).slice(0, count).map(({ id }) => id)
  await db.inTransaction((tx) => tx.update(projects).set({ tenantId }).where(inArray(projects.id, moved)))
}

onBothEngines('the rows of an organization', (makeDb) => {
  test('are its own, without what is being deleted; who deletes sees them to the end', async () => {
    const db = await makeDb()
    const [acme, other] = [await addTenant(db, 'acme'), await addTenant(db, 'other')]
    await fillProjects(db, acme, 5)
    await move(db, other, 2)
    const counts = async () => {
      const [mine, all, gone] = [
        await db.read.select().from(projects).where(inTenant(projects, acme)),
        await db.read.select().from(projects).where(inTenantToTheEnd(projects, acme)),
        await db.read
          .select()
          .from(projects)
          .where(inTenantToTheEnd(projects, acme, eq(projects.tenantId, other))),
      ]
      return [mine.length, all.length, gone.length]
    }
    expect(await counts()).toEqual([3, 3, 0])
    const [first] = await db.read.select().from(projects).where(inTenant(projects, acme))
    const row = { subjectId: String(first?.id), tenantId: acme, kind: 'project', begunAt: '2026-01-01T00:00:00.000Z' }
    await db.inTransaction((tx) => tx.insert(deletions).values(row))
    expect(await counts()).toEqual([2, 3, 0])
  })

  test('are joined to their organization, and to none while that is being deleted', async () => {
    const db = await makeDb()
    const [acme, other] = [await addTenant(db, 'acme'), await addTenant(db, 'other')]
    await fillProjects(db, acme, 2)
    await move(db, other, 1)
    const slugs = async () =>
      (
        await db.read
          .select({ slug: tenants.slug, own: projects.tenantId })
          .from(projects)
          .innerJoin(tenants, isTenant(projects.tenantId))
      )
        .map(({ slug, own }) => `${slug} ${own === acme ? 'acme' : 'other'}`)
        .toSorted()
    expect(await slugs()).toEqual(['acme acme', 'other other'])
    const row = { subjectId: other, tenantId: other, kind: 'tenant', begunAt: '2026-01-01T00:00:00.000Z' }
    await db.inTransaction((tx) => tx.insert(deletions).values(row))
    expect(await slugs()).toEqual(['acme acme'])
  })
})
