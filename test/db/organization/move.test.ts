/** One organization moves between installations of either engine: every row of it, people by their confirmed addresses, nothing of others. */
import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, getTableName } from 'drizzle-orm'
import { verifyBackup } from '../../../db/backup/verify.ts'
import { restoreBackup } from '../../../db/backup/restore.ts'
import type { Database } from '../../../db/database.ts'
import { openDatabase } from '../../../db/open.ts'
import { exportOrganization } from '../../../db/organization/export.ts'
import { importOrganization } from '../../../db/organization/import.ts'
import { movedTables } from '../../../db/organization/tables.ts'
import { contents, environments, memberships, projects, repositories, tenants, users } from '../../../db/tables.gen.ts'
import { searchApi } from '../../../src/api/search.ts'
import { addApiKey, addMember, addTenant, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService } from '../../fixtures/service.ts'
import { openPetsProject, petsYaml } from '../../fixtures/pets-project.ts'
import { readContent } from '../../../db/content.ts'
import { noise, s3Objects } from '../../fixtures/objects.ts'
import { startS3 } from '../../fixtures/s3-server.ts'
import { keep, otherId, tenantId, withStore } from '../../fixtures/stored.ts'
import { dump, fillBelow } from '../bin/random-rows.ts'

const paths = '{ /pets: { get: { operationId: listPets, responses: { "200": { description: ok } } } } }'
const confirmedAt = '2026-01-01T00:00:00.000Z'

async function confirm(db: Database, id: string, email: string): Promise<void> {
  await db.inTransaction((tx) => tx.update(users).set({ email, emailVerifiedAt: confirmedAt }).where(eq(users.id, id)))
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? String(error)

onBothEngines('moving an organization', (makeDb) => {
  test('everything of it arrives, as documents, search and keys show; other organizations are as before', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-move-'))
    const [from, to] = [await makeDb.makeTarget(), await makeDb.makeTarget()]
    const [source, goal] = [await openDatabase(from), await openDatabase(to)]
    const it = await openPetsProject(source)
    await it.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0', paths) })
    await it.send('POST', '/1.0.0/publish', { visibility: 'public', force: true, force_reason: 'test' })
    const ann = await addUser(source, 'ann')
    await confirm(source, ann, 'Ann@example.com')
    await addMember(source, it.tenantId, ann, 'owner')
    const bob = await addUser(source, 'bob', 'hash', { emailVerifiedAt: null })
    await addMember(source, it.tenantId, bob, 'viewer')
    const key = await addApiKey(source, it.tenantId)
    await it.service.stop()

    const file = join(folder, 'local.svcbackup')
    const steps: number[] = []
    await exportOrganization(from, file, { slug: 'local', now: 0, progress: ({ table }) => steps.push(table) })
    expect(steps).toEqual(movedTables().map((_, at) => at + 1))
    expect(verifyBackup(file).organization).toMatchObject({ slug: 'local' })
    expect(await restoreBackup(file, await makeDb.makeTarget()).catch(codeOf)).toBe('backup-unusable')

    // The same person has an account there, and somebody typed the address of another.
    const there = await startService(goal)
    const annThere = await addUser(goal, 'ann-there')
    await confirm(goal, annThere, 'ann@example.com')
    const before = await dump(goal)
    expect(await importOrganization(file, to).catch(codeOf)).toBe('tenant-slug-taken')
    expect(await dump(goal)).toEqual(before)
    const done = await importOrganization(file, to, { slug: 'acme' })
    expect([done.organization.slug, done.accounts.found]).toEqual(['acme', ['ann@example.com']])
    expect(done.accounts.made).toEqual(['bob@example.com'])
    const after = await dump(goal)
    const foreign = (rows: Record<string, readonly Record<string, unknown>[]>) =>
      Object.entries(rows).flatMap(([name, all]) => {
        if (name === 'users' || name === 'outbox_tasks') return []
        return all.filter((row) => row['tenantId'] !== it.tenantId && row['id'] !== it.tenantId)
      })
    expect(foreign(after)).toEqual(foreign(before))

    const params = { tenant_slug: 'acme' }
    const owner = there.service.callAs(annThere)
    const found = await owner(searchApi.find, { params, query: { q: 'listPets' } })
    expect(found.operations.map(({ ref, version_slug }) => [ref, version_slug])).toContainEqual(['GET /pets', '1.0.0'])
    const answer = await there.get('/v1/schema/acme/pets/1.0.0', { 'x-api-key': key })
    expect([answer.status, (await answer.text()).includes('listPets')]).toEqual([200, true])
    expect(await importOrganization(file, to, { slug: 'again' }).catch(codeOf)).toBe('organization-there')
    const [bobThere] = await goal.read.select().from(users).where(eq(users.id, bob))
    expect([bobThere?.passwordHash, bobThere?.boundTo]).toEqual([null, it.tenantId])
    await there.service.stop()
    await Promise.all([source.close(), goal.close()])
    rmSync(folder, { recursive: true })
  })

  test('every row of every table that moves arrives as it was, and none of another organization', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-move-'))
    const [from, to] = [await makeDb.makeTarget(), await makeDb.makeTarget()]
    const [source, goal] = [await openDatabase(from), await openDatabase(to)]
    const acme = await addTenant(source, 'acme')
    const owner = await addUser(source, 'owner')
    await addMember(source, acme, owner, 'owner')
    const other = await addTenant(source, 'other')
    await addApiKey(source, other)
    for (const root of [projects, repositories, environments])
      await fillBelow(source, acme, root, { seed: 3, rows: 60 })
    // The random rows name objects of no bucket.
    await source.inTransaction((tx) => tx.update(contents).set({ object: null }))
    const file = join(folder, 'acme.svcbackup')
    await exportOrganization(from, file, { slug: 'acme', now: 0 })
    const { rows } = await importOrganization(file, to)
    const [before, after] = [await dump(source), await dump(goal)]
    const ofAcme = (all: Record<string, readonly Record<string, unknown>[]>, name: string) =>
      (all[name] ?? []).filter((row) => row['tenantId'] === acme || row['id'] === acme)
    // Numbers of the index are given here, and what is made of versions is made again.
    const changed = new Set(['projects', 'versions', 'search_entries', 'primitives', 'primitive_registries'])
    const moved = movedTables()
      .map(getTableName)
      .filter((name) => name !== 'users' && name !== 'outbox_tasks')
    for (const name of moved) {
      expect([name, ofAcme(after, name).length]).toEqual([name, ofAcme(before, name).length])
      if (!changed.has(name)) expect([name, ofAcme(after, name)]).toEqual([name, ofAcme(before, name)])
    }
    expect(moved.filter((name) => (rows[name] ?? 0) > 0).length).toBeGreaterThan(40)
    expect(JSON.stringify(after).includes(other)).toBe(false)
    await Promise.all([source.close(), goal.close()])
    rmSync(folder, { recursive: true })
  })

  test('a workspace that nobody claimed gets an owner, who must be confirmed there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-move-'))
    const [from, to] = [await makeDb.makeTarget(), await makeDb.makeTarget()]
    const [source, goal] = [await openDatabase(from), await openDatabase(to)]
    const it = await openPetsProject(source)
    await it.service.stop()
    // Only the owner of the machine is a member.
    await source.inTransaction((tx) => tx.update(users).set({ email: 'owner@localhost' }))
    const file = join(folder, 'laptop.svcbackup')
    await exportOrganization(from, file, { slug: 'local', now: 0 })
    const take = (options: object) => importOrganization(file, to, { slug: 'acme', ...options }).catch(codeOf)
    expect(await take({})).toBe('organization-without-owner')
    expect(await take({ owner: 'ada@example.com' })).toBe('user-not-found')
    const ada = await addUser(goal, 'ada', null, { emailVerifiedAt: null })
    expect(await take({ owner: 'ada@example.com' })).toBe('user-not-found')
    await confirm(goal, ada, 'ada@example.com')
    expect(await take({ owner: 'Ada@example.com' })).toMatchObject({
      accounts: { found: ['ada@example.com'], made: [] },
    })
    const members = await goal.read
      .select({ userId: memberships.userId, role: memberships.role })
      .from(memberships)
      .innerJoin(tenants, eq(tenants.id, memberships.tenantId))
      .where(eq(tenants.slug, 'acme'))
    expect(members).toEqual([{ userId: ada, role: 'owner' }])
    await Promise.all([source.close(), goal.close()])
    rmSync(folder, { recursive: true })
  })

  test('documents in object storage are in the file, which needs no bucket', async () => {
    const s3 = startS3()
    const folder = mkdtempSync(join(tmpdir(), 'svc-move-'))
    const [from, to] = [await makeDb.makeTarget(), await makeDb.makeTarget()]
    const objects = s3Objects(s3)
    const source = await withStore(await openDatabase({ ...from, objects }), s3)
    const bytes = noise(3_000_000, 1)
    const digest = await keep(source, bytes)
    await keep(source, noise(50_000, 2), otherId)
    await addMember(source, tenantId, await addUser(source, 'ann'), 'owner')
    const file = join(folder, 'one.svcbackup')
    await exportOrganization({ ...from, objects }, file, { slug: tenantId, now: 0 })
    await s3.stop()
    await importOrganization(file, to, { slug: 'one' })
    const goal = await openDatabase(to)
    expect(Buffer.compare(await readContent(goal, tenantId, digest), bytes)).toBe(0)
    expect(await goal.read.$count(contents)).toBe(1)
    await Promise.all([source.close(), goal.close()])
    rmSync(folder, { recursive: true })
  })
})
