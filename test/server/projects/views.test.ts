import { expect, test } from 'bun:test'
import type { Database } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { auditEvents, projectViews } from '../../../db/tables.gen.ts'
import { beginSession } from '../../../server/auth/session.ts'
import type { Role } from '../../../src/api/permissions.ts'
import { mostViews } from '../../../src/api/project-views.ts'
import { addMember, addTenant, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const base = '/v1/tenants/local/project-views'
const standard = '/v1/tenants/local/default-project-view'

/** A member who asks with a browser session. */
async function memberOf(project: PetsProject, db: Database, tenantId: string, name: string, role: Role) {
  const userId = await addUser(db, name)
  await addMember(db, tenantId, userId, role)
  const facts = { userId, userAgent: 'test', now: Date.now(), secure: false }
  const begun = await db.inTransaction((tx) => beginSession(tx, facts))
  const headers = {
    cookie: begun.cookie.split(';')[0] ?? '',
    'x-csrf-token': begun.csrf,
    'content-type': 'application/json',
  }
  const send = async (method: string, path: string, body?: unknown) => {
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await project.service.handle(new Request(`http://localhost${path}`, init))
    const text = await response.text()
    const value = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> & { detail?: { code?: string } }
    return { status: response.status, value, brief: [response.status, value.detail?.code].filter(Boolean).join(' ') }
  }
  const names = async () => {
    const { items } = (await send('GET', base)).value as unknown as {
      items: { name: string; visibility: string; is_default: boolean }[]
    }
    return items.map((one) => `${one.name} ${one.visibility}${one.is_default ? ' default' : ''}`)
  }
  return { userId, send, names }
}

onBothEngines('saved views', (makeDb) => {
  test('a member keeps views; shared ones are for all; no view of another is seen', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const ada = await memberOf(it, db, it.tenantId, 'ada', 'editor')
    const vic = await memberOf(it, db, it.tenantId, 'vic', 'viewer')
    const stranger = await memberOf(it, db, await addTenant(db, 'other'), 'eve', 'owner')
    const filter = { q: 'risk', owner: 'Payments', grade: 'F', sort: 'grade' }
    const mine = await ada.send('POST', base, { name: ' Mine ', filter })
    expect([mine.status, mine.value['name'], mine.value['visibility'], mine.value['filter']]).toEqual([
      201,
      'Mine',
      'private',
      filter,
    ])
    const id = String(mine.value['id'])
    const shared = await ada.send('POST', base, { name: 'Failing', visibility: 'shared', filter: { grade: 'F' } })
    const ours = String(shared.value['id'])
    expect([await ada.names(), await vic.names()]).toEqual([['Failing shared', 'Mine private'], ['Failing shared']])
    expect([
      (await vic.send('GET', `${base}/${id}`)).brief,
      (await vic.send('GET', `${base}/Mine`)).brief,
      (await vic.send('PATCH', `${base}/${id}`, { name: 'His' })).brief,
      (await vic.send('DELETE', `${base}/${id}`)).brief,
      (await vic.send('PUT', standard, { view: id })).brief,
      (await it.send('GET', `${base}/${id}`)).status,
      (await stranger.send('GET', base)).brief,
      (await stranger.send('GET', base.replace('local', 'other'))).value,
      (await stranger.send('GET', `${base.replace('local', 'other')}/${ours}`)).brief,
      (await stranger.send('PATCH', `${base.replace('local', 'other')}/${ours}`, { name: 'Hers' })).brief,
      (await stranger.send('PUT', standard.replace('local', 'other'), { view: ours })).brief,
    ]).toEqual([
      '404 project-view-not-found',
      '404 project-view-not-found',
      '404 project-view-not-found',
      '404 project-view-not-found',
      '404 project-view-not-found',
      404,
      '403 tenant-access-denied',
      { items: [] },
      '404 project-view-not-found',
      '404 project-view-not-found',
      '404 project-view-not-found',
    ])
    await it.service.stop()
  })

  test('roles decide who shares; a shared view that becomes private is gone for the others', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const ada = await memberOf(it, db, it.tenantId, 'ada', 'editor')
    const vic = await memberOf(it, db, it.tenantId, 'vic', 'viewer')
    const own = await vic.send('POST', base, { name: 'Risk', filter: {} })
    expect([
      own.status,
      (await vic.send('POST', base, { name: 'Risk', visibility: 'shared', filter: {} })).brief,
      (await vic.send('PATCH', `${base}/Risk`, { visibility: 'shared' })).brief,
      (await vic.send('POST', base, { name: 'Risk', filter: {} })).brief,
      (await it.send('POST', base, { name: 'Key', filter: {} })).value.detail?.code,
    ]).toEqual([
      201,
      '403 permission-denied',
      '403 permission-denied',
      '409 project-view-name-taken',
      'person-required',
    ])
    const team = await it.send('POST', base, { name: 'Team', visibility: 'shared', filter: { tag: 'a' } })
    const id = String(team.value['id'])
    expect([
      (await vic.send('PATCH', `${base}/${id}`, { name: 'Mine now' })).brief,
      (await vic.send('DELETE', `${base}/${id}`)).brief,
      (await vic.send('PUT', standard, { view: 'Team' })).status,
      (await ada.send('PUT', standard, { view: id })).status,
    ]).toEqual(['403 permission-denied', '403 permission-denied', 200, 200])
    expect([await vic.names(), await ada.names()]).toEqual([
      ['Risk private', 'Team shared default'],
      ['Team shared default'],
    ])
    const taken = await ada.send('PATCH', `${base}/${id}`, { visibility: 'private', filter: { tag: 'b' } })
    expect([taken.value['filter'], taken.value['is_default']]).toEqual([{ tag: 'b' }, true])
    expect([await vic.names(), await ada.names()]).toEqual([['Risk private'], ['Team private default']])
    const actions = (await db.read.select().from(auditEvents)).map(({ action, detail }) => [action, detail])
    expect(actions.filter(([action]) => String(action).startsWith('project-view'))).toEqual([
      ['project-view.saved', { name: 'Team' }],
      ['project-view.saved', { name: 'Team' }],
    ])
    await it.service.stop()
  })

  test('of two with one name your own; a default is chosen, taken back, and gone with its view', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const ada = await memberOf(it, db, it.tenantId, 'ada', 'editor')
    const filterOf = async () => (await ada.send('GET', `${base}/Risk`)).value['filter']
    await ada.send('POST', base, { name: 'Risk', visibility: 'shared', filter: { tag: 'shared' } })
    const before = await filterOf()
    await ada.send('POST', base, { name: 'Risk', filter: { tag: 'own' } })
    expect([before, await filterOf()]).toEqual([{ tag: 'shared' }, { tag: 'own' }])
    await ada.send('PUT', standard, { view: 'Risk' })
    const chosen = await ada.names()
    expect((await ada.send('PUT', standard, { view: null })).value).toEqual({ view: null })
    const none = await ada.names()
    await ada.send('PUT', standard, { view: 'Risk' })
    expect((await ada.send('DELETE', `${base}/Risk`)).status).toBe(204)
    expect([chosen.toSorted(), none.toSorted(), await ada.names()]).toEqual([
      ['Risk private default', 'Risk shared'],
      ['Risk private', 'Risk shared'],
      ['Risk shared'],
    ])
    expect((await it.send('PUT', standard, { view: null })).value.detail?.code).toBe('person-required')
    await it.service.stop()
  })

  test('there is a limit for a member and one for what is shared; filters are checked', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const ada = await memberOf(it, db, it.tenantId, 'ada', 'editor')
    const at = new Date().toISOString()
    const row = (holder: string, n: number) => ({
      id: newId(),
      tenantId: it.tenantId,
      holder,
      name: `View ${n}`,
      filter: {},
      createdBy: null,
      createdAt: at,
      updatedAt: at,
    })
    const rows = (holder: string, many: number) => Array.from({ length: many }, (_, n) => row(holder, n))
    await db.inTransaction((tx) =>
      tx.insert(projectViews).values([...rows(ada.userId, mostViews.private), ...rows('', mostViews.shared)]),
    )
    expect([
      (await ada.send('POST', base, { name: 'More', filter: {} })).brief,
      (await ada.send('POST', base, { name: 'More', visibility: 'shared', filter: {} })).brief,
      (await ada.send('PATCH', `${base}/View 1`, { name: 'Other' })).status,
      (await ada.send('PATCH', `${base}/Other`, { visibility: 'shared' })).brief,
      (await ada.send('POST', base, { name: '   ', filter: {} })).brief,
      (await ada.send('POST', base, { name: 'x', filter: { lifecycle: 'beta' } })).brief,
      (await ada.send('POST', base, { name: 'x', filter: { other: 'a' } })).brief,
      (await ada.send('POST', base, { name: 'x', filter: { q: 'x'.repeat(201) } })).brief,
    ]).toEqual([
      '422 too-many-project-views',
      '422 too-many-project-views',
      200,
      '422 too-many-project-views',
      '422',
      '422',
      '422',
      '422',
    ])
    await it.service.stop()
  })
})
