/** Lists that are read by cursors while rows are added: no row is shown twice, and none that was there is left out. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { auditEvents } from '../../db/tables.gen.ts'
import { agentKeysApi } from '../../src/api/agent-keys.ts'
import { binApi } from '../../src/api/bin.ts'
import { consumersApi } from '../../src/api/consumers.ts'
import { endpoints } from '../../src/api/contracts.gen.ts'
import { mcpKeysApi } from '../../src/api/mcp-keys.ts'
import { projectsApi } from '../../src/api/projects.ts'
import { tenantsApi } from '../../src/api/tenants.ts'
import { versionsApi } from '../../src/api/versions.ts'
import { outcome } from '../fixtures/accounts.ts'
import { onBothEngines } from '../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../fixtures/pets-project.ts'

onBothEngines('stable pages', (makeDb) => {
  let db: Database
  let it: PetsProject
  const params = { tenant_slug: 'local' }
  const add = (name: string) => it.call(projectsApi.create, { params, body: { name } })
  beforeAll(async () => {
    db = await makeDb()
    it = await openPetsProject(db)
    for (const name of ['a', 'b', 'c', 'd']) await add(name)
  })
  afterAll(() => it.service.stop())

  for (const sort of ['created', 'name'] as const)
    test(`projects by ${sort}`, async () => {
      const before = (await it.call(projectsApi.list, { params, query: { sort } })).items.map(({ slug }) => slug)
      const seen: string[] = []
      let cursor: string | undefined
      for (let n = 0; n < 20; n++) {
        const query = { sort, limit: 2, ...(cursor !== undefined && { cursor }) }
        const page = await it.call(projectsApi.list, { params, query })
        seen.push(...page.items.map(({ slug }) => slug))
        cursor = page.next_cursor
        if (cursor === undefined) break
        await Bun.sleep(2)
        await add(`0 added to ${sort} ${n}`)
      }
      expect(seen).toEqual(before)
    })

  interface Shown {
    readonly ids: readonly string[]
    readonly next: string | undefined
  }
  interface Query {
    readonly limit: number
    readonly cursor?: string
  }
  const shown = (rows: readonly { readonly id: string }[], next: string | undefined): Shown => ({
    ids: rows.map(({ id }) => id),
    next,
  })
  const inPets = { params: { ...params, project_ref: 'pets' } }
  let added = 0
  const lists: Record<string, { list: (query: Query) => Promise<Shown>; add: () => Promise<unknown> }> = {
    'keys of agents': {
      list: async (query) => {
        const page = await it.call(agentKeysApi.list, { params, query })
        return shown(page.items, page.next_cursor)
      },
      add: () =>
        it.call(agentKeysApi.create, {
          params,
          body: { label: `agent ${added++}`, toolset: 'lint', expires_in_days: 1 },
        }),
    },
    'keys of the MCP endpoint': {
      list: async (query) => {
        const page = await it.call(mcpKeysApi.list, { params, query })
        return shown(page.items, page.next_cursor)
      },
      add: () => it.call(mcpKeysApi.create, { params, body: { label: `mcp ${added++}` } }),
    },
    consumers: {
      list: async (query) => {
        const page = await it.call(consumersApi.list, { ...inPets, query })
        return shown(page.consumers, page.next_cursor)
      },
      add: () => it.call(consumersApi.create, { ...inPets, body: { name: `consumer ${added++}` } }),
    },
    bin: {
      list: async (query) => {
        const page = await it.call(binApi.list, { params, query })
        return shown(page.items, page.next_cursor)
      },
      add: async () => {
        const { slug } = await add(`deleted ${added++}`)
        return it.call(projectsApi.remove, { params: { ...params, project_ref: slug } })
      },
    },
    'audit trail': {
      list: async (query) => {
        const page = await it.call(tenantsApi.audit, { params, query })
        return shown(page.items, page.next_cursor)
      },
      add: () => add(`audited ${added++}`),
    },
  }

  for (const [name, { list, add: addOne }] of Object.entries(lists))
    test(`${name}, newest first`, async () => {
      for (let n = 0; n < 3; n++) await addOne()
      const { ids: before } = await list({ limit: 200 })
      expect(before.length).toBeGreaterThan(2)
      const seen: string[] = []
      let cursor: string | undefined
      for (let n = 0; n < 100; n++) {
        const { ids, next } = await list({ limit: 2, ...(cursor !== undefined && { cursor }) })
        seen.push(...ids)
        cursor = next
        if (cursor === undefined) break
        await addOne()
      }
      expect(seen).toEqual([...before])
    })

  test('a row that is added in the millisecond of the newest one is not shown twice', async () => {
    await add('audited at an instant')
    const all = (await it.call(tenantsApi.audit, { params, query: { limit: 200 } })).items.map(({ id }) => id)
    const first = await it.call(tenantsApi.audit, { params, query: { limit: 2 } })
    const [newest] = await db.read
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.id, all[0] ?? ''))
    if (newest === undefined) throw new Error('nothing was audited')
    await db.inTransaction((tx) => tx.insert(auditEvents).values({ ...newest, id: newId() }))
    const query = { limit: 2, cursor: first.next_cursor ?? '' }
    const second = await it.call(tenantsApi.audit, { params, query })
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(all.slice(0, 4))
    expect(second.total).toBe(all.length)
  })

  test('a filter by time and a cursor go together', async () => {
    const list = async (query: object) => (await it.call(tenantsApi.audit, { params, query })).items.map(({ id }) => id)
    await add('audited again')
    const all = await list({ limit: 200 })
    expect(await list({ limit: 200, since: '2020-01-01T00:00:00Z' })).toEqual(all)
    const first = await it.call(tenantsApi.audit, { params, query: { limit: 2, since: '2020-01-01T00:00:00Z' } })
    expect(await list({ limit: 2, since: '2020-01-01T00:00:00Z', cursor: first.next_cursor })).toEqual(all.slice(2, 4))
  })

  test('a cursor reads its own list only, and is checked', async () => {
    const { next_cursor: cursor = '' } = await it.call(projectsApi.list, { params, query: { limit: 1 } })
    const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const now = '2026-01-01T00:00:00.000Z'
    for (const wrong of [
      '',
      'x',
      written(['projects', -1, now]),
      written(['projects', 1, 'now']),
      written(['projects', 1e9, now]),
      written(['projects', 1, '2026-01-01T00:00:00Z']),
    ])
      expect(await outcome(it.call(projectsApi.list, { params, query: { cursor: wrong } }))).toEqual({
        code: 'cursor-invalid',
      })
    for (const newest of [1, ['x'], ['x', 'y'], [now, 1], [now, 'y', 'z']])
      expect(
        await outcome(
          it.call(tenantsApi.audit, { params, query: { cursor: written(['audit-events', 1, now, newest]) } }),
        ),
      ).toEqual({ code: 'cursor-invalid' })
    const at = { params: { ...params, project_ref: 'pets' } }
    expect(await outcome(it.call(versionsApi.list, { ...at, query: { cursor } }))).toEqual({ code: 'cursor-invalid' })
  })
})

test('lists that grow at their beginning have cursors', () => {
  const byOffset = endpoints.filter(({ query }) => query !== undefined && 'offset' in query.properties)
  const without = byOffset.filter(({ query }) => query !== undefined && !('cursor' in query.properties))
  expect(
    without
      .filter(({ summary }) => summary.includes('first'))
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([
    // Oldest first: what is added comes last.
    'enforcers.list',
    // Urgent first, over several kinds: what is added may come anywhere.
    'inbox.list',
    // The builtin guides and the default; few.
    'style-guides.list',
    'threads.list',
    // The contract answers a list without a page.
    'webhooks.dead-letters',
  ])
})
