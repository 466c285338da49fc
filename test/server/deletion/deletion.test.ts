import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import { summarizeProjects } from '../../../db/projects/summary.ts'
import { removeWhere } from '../../../db/remove-where.ts'
import {
  auditEvents,
  binEntries,
  binParts,
  deletions,
  dueWork,
  environments,
  objectRemovals,
  operations,
  outboxTasks,
  projects,
  repositories,
  searchEntries,
  securityEvents,
  tenants,
  versions,
} from '../../../db/tables.gen.ts'
import { deletionKind } from '../../../server/deletion/due.ts'
import type { Deps } from '../../../server/kit/deps.ts'
import { binApi } from '../../../src/api/bin.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { addApiKey, addTenant, outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService } from '../../fixtures/service.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'
import { dump, fillBelow } from '../../db/bin/random-rows.ts'

const tenant = { tenant_slug: 'local' }
const paths = '{ /pets: { get: { operationId: listPets, responses: { "200": { description: ok } } } } }'
const versionCount = 120
const operationCount = 20

/** A project with many published versions, each with operations that the search finds. */
async function fillLarge(project: PetsProject, db: Database): Promise<string> {
  await project.send('POST', '', { label: '0.0.0', content: petsYaml('0.0.0', paths) })
  await project.send('POST', '/0.0.0/publish', { visibility: 'public', force: true, force_reason: 'test' })
  const [version] = await db.read.select().from(versions)
  const [operation] = await db.read.select().from(operations)
  const [entry] = await db.read.select().from(searchEntries)
  if (version === undefined || operation === undefined || entry === undefined) throw new Error('nothing was stored')
  for (let n = 1; n < versionCount; n++)
    await db.inTransaction(async (tx) => {
      const versionId = `v${n}`
      await tx.insert(versions).values({ ...version, id: versionId, label: `${n}.0.0`, slug: `${n}.0.0` })
      const ordinals = Array.from({ length: operationCount }, (_, ordinal) => ordinal)
      await tx.insert(operations).values(ordinals.map((ordinal) => ({ ...operation, versionId, ordinal })))
      const id = (ordinal: number) => 2_000_000 - n * operationCount - ordinal
      await tx.insert(searchEntries).values(ordinals.map((ordinal) => ({ ...entry, versionId, id: id(ordinal) })))
    })
  await db.inTransaction((tx) => summarizeProjects(tx, [version.projectId]))
  return version.projectId
}

/** A database on which no transaction ends any more after some, as if the process had been killed. */
function killedAfter(db: Database, transactions: number): Database {
  let left = transactions
  const inTransaction: Database['inTransaction'] = (...given) =>
    --left < 0 ? Promise.reject(new Error('killed')) : db.inTransaction(...given)
  return Object.assign(Object.create(db) as Database, { inTransaction })
}

const rowsLeft = async (db: Database): Promise<number> =>
  (await Promise.all([versions, operations, searchEntries].map((table) => db.read.$count(table)))).reduce(
    (a, b) => a + b,
  )

const goOn = (db: Database, subjectId: string): Promise<number | null> =>
  deletionKind.run({
    subjectId,
    tenantId: null,
    deps: { db, clock: { now: Date.now } } as unknown as Deps,
    signal: new AbortController().signal,
  })

const code = async (work: Promise<unknown>): Promise<unknown> =>
  ((await outcome(work)) as { code?: string } | null)?.code ?? null

async function rowsOf(db: Database) {
  const { search_entries: entries = [], ...rest } = await dump(db, [
    auditEvents,
    binEntries,
    binParts,
    dueWork,
    outboxTasks,
  ])
  return { ...rest, entries: entries.map((row) => JSON.stringify({ ...row, id: 0 })).sort() }
}

onBothEngines('deletions in parts', (makeDb) => {
  test('a large project is gone at once, a crash between two parts loses nothing, and all of it comes back', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const id = await fillLarge(it, db)
    const before = await rowsOf(db)
    // A process of its own on the same database, which ends while it deletes.
    const other = await startService(killedAfter(db, 3))
    expect(await outcome(other.call(projectsApi.remove, { params: { ...tenant, project_ref: 'pets' } }))).not.toBeNull()
    const left = await rowsLeft(db)
    expect([left > 0 && left < versionCount * (2 * operationCount + 1), await db.read.$count(deletions)]).toEqual([
      true,
      1,
    ])
    const gone = ['', '/versions', '/versions/1.0.0', '/versions/1.0.0/document', '/consumers'].map((path) =>
      it.brief('GET', `/v1/tenants/local/projects/pets${path}`),
    )
    expect(new Set(await Promise.all(gone))).toEqual(new Set(['404 project-not-found']))
    expect(await it.brief('GET', `/v1/tenants/local/projects/${id}`)).toBe('404 project-not-found')
    expect((await it.call(projectsApi.list, { params: tenant, query: {} })).total).toBe(0)
    expect((await it.send('GET', '/v1/specs?q=listPets')).value).toMatchObject({ total: 0 })
    expect((await it.send('GET', '/v1/tenants/local/search?q=listPets')).text).not.toContain('listPets')
    expect(await it.brief('GET', '/v1/schema/local/pets/1.0.0')).toMatch(/^404/)
    const restore = { params: { ...tenant, entry_id: id } }
    expect(await code(it.call(binApi.restore, restore))).toBe('bin-entry-unfinished')
    expect(await code(it.call(binApi.remove, restore))).toBe('bin-entry-unfinished')
    // Its name is free at once.
    const again = await it.call(projectsApi.create, { params: tenant, body: { name: 'Pets', slug: 'pets' } })
    await it.call(projectsApi.remove, { params: { ...tenant, project_ref: again.id } })
    await removeWhere(db, binEntries, eq(binEntries.id, again.id))

    expect(await goOn(db, id)).toBeNull()
    expect(
      await Promise.all([versions, operations, searchEntries, projects, deletions].map((of) => db.read.$count(of))),
    ).toEqual([0, 0, 0, 0, 0])
    const [entry] = (await it.call(binApi.list, { params: tenant, query: {} })).items
    expect([entry?.ref, entry?.counts]).toEqual(['pets', { versions: versionCount }])
    await it.call(binApi.restore, restore)
    expect(await rowsOf(db)).toEqual(before)
    await it.service.stop()
  })

  test('others write while a large project is deleted', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    await fillLarge(it, db)
    const state = { isDone: false }
    const removal = it.call(projectsApi.remove, { params: { ...tenant, project_ref: 'pets' } }).finally(() => {
      state.isDone = true
    })
    const names: string[] = []
    for (let n = 0; !state.isDone; n++) {
      const name = `other-${n}`
      await it.call(projectsApi.create, { params: tenant, body: { name, slug: name } })
      if (!state.isDone) names.push(name)
      await Bun.sleep(1)
    }
    await removal
    expect(names.length).toBeGreaterThan(2)
    // On a busy machine the request ends before the deletion, and due work does the rest.
    for (const { subjectId } of await db.read.select().from(deletions)) await goOn(db, subjectId)
    expect(await db.read.$count(versions)).toBe(0)
    await it.service.stop()
  })

  test('an organization: its credentials end with the first part, and the rest goes after a crash', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const acme = await addTenant(db, 'acme')
    for (const root of [projects, repositories, environments]) await fillBelow(db, acme, root, { seed: 3, rows: 80 })
    const key = await addApiKey(db, acme)
    const ask = (method: string) => it.brief(method, '/v1/tenants/acme', undefined, { 'x-api-key': key })
    expect(await ask('GET')).toBe('200')
    // Its own worker would go on with the deletion. It answers without.
    await it.service.stop()
    const { removeFirst } = await import('../../../server/deletion/remove.ts')
    await db.inTransaction((tx) =>
      removeFirst({ clock: { now: Date.now, iso: () => '' } }, tx, {
        kind: 'tenant',
        tenantId: acme,
        id: acme,
      }),
    )
    expect(await db.read.$count(deletions)).toBe(1)
    expect(await ask('GET')).toMatch(/^40[134]/)
    expect((await db.read.select({ slug: tenants.slug }).from(tenants).where(eq(tenants.id, acme)))[0]?.slug).toBe(
      `~${acme}`,
    )
    expect(await goOn(killedAfter(db, 1), acme).catch((error: Error) => error.message)).toBe('killed')
    await goOn(db, acme)
    // Objects in a bucket wait there to be removed, longer than the organization.
    const left = await dump(db, [auditEvents, objectRemovals])
    const ofAcme = Object.entries(left).filter(([, rows]) =>
      rows.some((row) => row['tenantId'] === acme || row['id'] === acme),
    )
    expect(ofAcme.map(([name]) => name)).toEqual([])
  })

  test('what fits a condition goes some rows at a time, whatever its key is', async () => {
    const db = await makeDb()
    const acme = await addTenant(db, 'acme')
    const [id = ''] = await fillBelow(db, acme, environments, { seed: 5, rows: 40 })
    const ofOne = eq(securityEvents.environmentId, id)
    const [all, own] = [await db.read.$count(securityEvents), await db.read.$count(securityEvents, ofOne)]
    expect(own).toBeGreaterThan(5)
    expect(await removeWhere(db, securityEvents, ofOne, 3)).toBe(own)
    expect([await db.read.$count(securityEvents), await db.read.$count(securityEvents, ofOne)]).toEqual([all - own, 0])
  })
})
