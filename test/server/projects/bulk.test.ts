import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEvents } from '../../../db/tables.gen.ts'
import { addApiKey } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject } from '../../fixtures/pets-project.ts'

const base = '/v1/tenants/local/projects'
const bulk = '/v1/tenants/local/project-bulk'

interface Result {
  readonly slug: string
  readonly outcome: string
  readonly reason: { readonly code: string } | null
}

const short = (results: unknown): string[] =>
  (results as Result[]).map(({ slug, outcome, reason }) => `${slug} ${outcome}${reason ? ` ${reason.code}` : ''}`)

onBothEngines('changes of many projects', (makeDb) => {
  test('named ones, each by itself, with an audit event for each that changed', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const full = Array.from({ length: 20 }, (_, n) => `t${n}`)
    await it.send('POST', base, { name: 'Full', tags: full })
    await it.send('POST', base, { name: 'Done', owner: 'shop', tags: ['rest', 'public'] })
    const body = {
      projects: ['pets', 'full', 'done', 'nowhere'],
      change: { owner: 'shop', add_tags: ['rest', 'public'] },
    }
    const expected = [
      'nowhere refused project-not-found',
      'pets changed',
      'full refused too-many-tags',
      'done unchanged',
    ]
    const tried = await it.send('POST', bulk, { ...body, dry_run: true })
    expect([tried.status, tried.value['dry_run'], short(tried.value['results'])]).toEqual([200, true, expected])
    const facts = async (slug: string) => {
      const { value } = await it.send('GET', `${base}/${slug}`)
      return [value['owner'], value['tags'], value['lifecycle']]
    }
    expect(await facts('pets')).toEqual([null, [], null])
    const done = await it.send('POST', bulk, body)
    expect([done.status, done.value['total'], done.value['next'], short(done.value['results'])]).toEqual([
      200,
      4,
      null,
      expected,
    ])
    expect([await facts('pets'), await facts('full')]).toEqual([
      ['shop', ['public', 'rest'], null],
      [null, full.toSorted(), null],
    ])
    const removed = await it.send('POST', bulk, {
      projects: ['pets'],
      change: { remove_tags: ['rest', 'none'], lifecycle: 'production', owner: null },
    })
    expect(short(removed.value['results'])).toEqual(['pets changed'])
    expect(await facts('pets')).toEqual([null, ['public'], 'production'])
    const events = await db.read.select().from(auditEvents).where(eq(auditEvents.action, 'project.updated'))
    expect(events.map(({ detail }) => detail)).toEqual([
      { project: 'pets', changed: ['owner', 'tags'] },
      { project: 'pets', changed: ['owner', 'lifecycle', 'tags'] },
    ])
    await it.service.stop()
  })

  test('all that match, in batches whose order no change moves', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    for (let n = 0; n < 203; n++) await it.send('POST', base, { name: `Api ${n}`, owner: n % 2 === 0 ? 'even' : 'odd' })
    const ask = (more: object) => it.send('POST', bulk, { matching: { owner: 'even' }, ...more })
    const gone = await it.brief('POST', bulk, { matching: { owner: 'even' }, change: { delete: true } })
    const wrong = await ask({ change: { owner: 'new' }, expected: 7 })
    expect([gone, wrong.status, wrong.value.detail]).toMatchObject([
      '422 bulk-change-unclear',
      409,
      { code: 'bulk-count-differs', found: 102, expected: 7 },
    ])
    const all = await it.send('POST', bulk, { matching: {}, change: { add_tags: ['all'] }, expected: 204 })
    const { results, next, total } = all.value as { results: Result[]; next: string; total: number }
    expect([results.length, total, new Set(results.map(({ outcome }) => outcome))]).toEqual([
      200,
      204,
      new Set(['changed']),
    ])
    const rest = await it.send('POST', bulk, { matching: {}, change: { add_tags: ['all'] }, after: next })
    expect([rest.value['total'], rest.value['next'], short(rest.value['results'])]).toEqual([
      4,
      null,
      ['api-199 changed', 'api-200 changed', 'api-201 changed', 'api-202 changed'],
    ])
    const counted = await it.send('GET', `${base}?tag=all&limit=1`)
    expect(counted.value['total']).toBe(204)
    const deleted = await ask({ change: { delete: true }, expected: 102 })
    expect([deleted.value['total'], new Set((deleted.value['results'] as Result[]).map((one) => one.outcome))]).toEqual(
      [102, new Set(['deleted'])],
    )
    const left = await it.send('GET', `${base}?limit=1`)
    expect(left.value['total']).toBe(102)
    await it.service.stop()
  })

  test('style guides are assigned and taken back', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const ask = async (guide: string | null, more: object = {}) =>
      short(
        (await it.send('POST', bulk, { projects: ['pets'], change: { style_guide: guide }, ...more })).value['results'],
      )
    const assigned = async () =>
      (await it.send('GET', '/v1/style-guides/local/assignments/projects/pets')).value['guideName']
    expect([await ask('spectral-oas', { dry_run: true }), await assigned()]).toEqual([
      ['pets changed'],
      'svc:recommended',
    ])
    expect([await ask('spectral-oas'), await assigned()]).toEqual([['pets changed'], 'spectral:oas'])
    expect([await ask('spectral-oas'), await ask(null), await assigned()]).toEqual([
      ['pets unchanged'],
      ['pets changed'],
      'svc:recommended',
    ])
    expect(await it.brief('POST', bulk, { projects: ['pets'], change: { style_guide: 'none' } })).toBe(
      '404 style-guide-not-found',
    )
    await it.service.stop()
  })

  test('who may edit may neither delete nor assign; what is unclear is refused as a whole', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const importing = { 'x-api-key': await addApiKey(db, it.tenantId, { scopes: ['catalog:import'] }) }
    const brief = (body: object, headers = {}) => it.brief('POST', bulk, body, headers)
    const one = { projects: ['pets'] }
    expect([
      await brief({ ...one, change: { owner: 'a' } }, importing),
      await brief({ ...one, change: { delete: true } }, importing),
      await brief({ ...one, change: { style_guide: null } }, importing),
      await brief({ ...one, matching: {}, change: { owner: 'a' } }),
      await brief({ change: { owner: 'a' } }),
      await brief({ ...one, after: 'x', change: { owner: 'a' } }),
      await brief({ ...one, change: { owner: 'a', delete: true } }),
      await brief({ ...one, change: { add_tags: ['a'], remove_tags: ['a'] } }),
      await brief({ ...one, change: {} }),
      await brief({ projects: Array.from({ length: 201 }, (_, n) => `p${n}`), change: { owner: 'a' } }),
    ]).toEqual([
      '200',
      '403 permission-denied',
      '403 permission-denied',
      '422 bulk-selection-unclear',
      '422 bulk-selection-unclear',
      '422 bulk-selection-unclear',
      '422 bulk-change-unclear',
      '422 bulk-change-unclear',
      '422',
      '422',
    ])
    await it.service.stop()
  })

  test('many projects as entities of Backstage', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    await it.send('POST', base, { name: 'Shop', owner: 'books', lifecycle: 'production', tags: ['rest'] })
    const { value } = await it.send('POST', '/v1/tenants/local/project-export', { matching: { owner: 'books' } })
    expect(value).toEqual({
      count: 1,
      next: null,
      content: expect.stringContaining('kind: API\nmetadata:\n  name: shop\n') as string,
    })
    const both = await it.send('POST', '/v1/tenants/local/project-export', { projects: ['shop', 'pets'] })
    const content = String(both.value['content'])
    expect([both.value['count'], content.split('---\n').map((part) => /name: (\S+)/.exec(part)?.[1])]).toEqual([
      2,
      ['pets', 'shop'],
    ])
    expect(await it.brief('POST', '/v1/tenants/local/project-export', { projects: ['gone'] })).toBe(
      '404 project-not-found',
    )
    await it.service.stop()
  })
})
