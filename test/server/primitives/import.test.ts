import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { executeSql } from '../../../db/portable.ts'
import { primitives } from '../../../db/tables.gen.ts'
import { plainReason } from '../../../server/primitives/health.ts'
import { sweepStages } from '../../../server/primitives/import.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const base = '/v1/primitives/local'

const money = {
  $defs: {
    Money: { type: 'object', required: ['amount'], properties: { amount: { $ref: '#/$defs/Amount' } } },
    Amount: { type: 'string' },
    Lost: { $ref: '#/$defs/Nothing' },
  },
}

onBothEngines('imports of types', (makeDb) => {
  let it: PetsProject
  let server: ReturnType<typeof Bun.serve>
  const send = (method: string, path: string, body?: unknown) => it.send(method, base + path, body)
  const brief = (method: string, path: string, body?: unknown) => it.brief(method, base + path, body)
  const outcomes = async (body: object) => {
    const { status, value } = await send('POST', '/import', body)
    if (status !== 200) return [status, value.detail?.code]
    const rows = value['primitives'] as { key: string; outcome: string; ref: string; revision: number | null }[]
    return rows.map(({ key, outcome, ref, revision }) => [key, outcome, ref, revision])
  }
  const schemaOf = async (ref: string) => (await send('GET', `/resolve?ref=${encodeURIComponent(ref)}`)).value['schema']

  beforeAll(async () => {
    it = await openPetsProject(await makeDb(), { egressAllow: '127.0.0.0/8' })
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) =>
        request.url.endsWith('/types.yaml')
          ? new Response('types: { Fetched: { type: string } }')
          : new Response('', { status: 404 }),
    })
  })
  afterAll(async () => {
    await server.stop(true)
    await it.service.stop()
  })

  test('each definition becomes a type; the answer names the row of the import', async () => {
    const { status, value } = await send('POST', '/import', { document: money, namespace: 'a/money/' })
    expect([status, value['summary']]).toEqual([
      200,
      { total: 3, created: 3, updated: 0, kept: 0, identical: 0, invalid: 0, unresolved_refs: 1 },
    ])
    expect(await schemaOf('svc:a/money/Money')).toEqual({
      type: 'object',
      required: ['amount'],
      properties: { amount: { $ref: 'svc:a/money/Amount' } },
    })
    const record = await send('GET', `/imports/${String(value['import_id'])}`)
    expect(record.value).toMatchObject({
      status: 'imported',
      source_kind: 'json-schema',
      method: 'paste',
      counts: value['summary'],
    })
    const [newest] = (await send('GET', '/imports?limit=1')).value as unknown as { id: string; report?: unknown }[]
    expect([newest?.id, newest?.report]).toEqual([String(value['import_id']), undefined])
    expect((await send('GET', '?scope=tenant&namespace=a/money')).value['counts']).toMatchObject({
      tenant: 3,
      custom: 0,
    })
  })

  test('a review shows what is new, identical or in conflict, and writes nothing', async () => {
    const before = await it.service.deps.db.read.$count(primitives)
    const document = {
      $defs: {
        Amount: { description: 'The same in other words', type: 'string' },
        Money: { type: 'object', properties: { amount: { $ref: '#/$defs/Amount' } } },
        Fresh: { type: 'strng' },
      },
    }
    const { value } = await send('POST', '/import/review', { document, namespace: 'a/money' })
    expect([value['status'], value['summary']]).toEqual([
      'review',
      { total: 3, new: 1, identical: 1, conflict: 1, invalid: 1, unresolved_refs: 0 },
    ])
    const types = value['types'] as Record<string, unknown>[]
    expect(
      types.map(({ key, classification, resolutions, recommended }) => [key, classification, resolutions, recommended]),
    ).toEqual([
      ['Amount', 'Identical', [], null],
      ['Money', 'Conflict', ['keep', 'overwrite', 'rename'], 'keep'],
      ['Fresh', 'New', [], null],
    ])
    expect(types[1]?.['change']).toMatchObject({ severity: 'breaking', verdict: 'breaking' })
    expect(types[2]?.['validation']).toMatchObject({ valid: false, draft: '2020-12' })
    // What an import would refuse is passed over here.
    const resolutions = { Amount: { action: 'nonsense' }, Nothing: 1 }
    const again = await send('POST', '/import/review', { document, namespace: 'a/money', resolutions })
    expect([again.status, again.value]).toEqual([200, value])
    expect(await it.service.deps.db.read.$count(primitives)).toBe(before)
  })

  test('conflicts are kept, overwritten or renamed', async () => {
    const document = {
      $defs: { Amount: { type: 'number' }, Total: { type: 'array', items: { $ref: '#/$defs/Amount' } } },
    }
    const body = { document, namespace: 'a/money' }
    expect(await outcomes(body)).toEqual([
      ['Amount', 'kept', 'svc:a/money/Amount', 1],
      ['Total', 'created', 'svc:a/money/Total', 1],
    ])
    expect(await schemaOf('svc:a/money/Amount')).toEqual({ type: 'string' })
    expect(await outcomes({ ...body, resolutions: { Amount: { action: 'rename', name: 'NumberAmount' } } })).toEqual([
      ['Amount', 'created', 'svc:a/money/NumberAmount', 1],
      ['Total', 'kept', 'svc:a/money/Total', 1],
    ])
    expect(await outcomes({ ...body, resolutions: { Amount: { action: 'overwrite' } } })).toEqual([
      ['Amount', 'updated', 'svc:a/money/Amount', 2],
      ['Total', 'identical', 'svc:a/money/Total', 1],
    ])
    expect(await schemaOf('svc:a/money/Amount')).toEqual({ type: 'number' })
    expect(await schemaOf('svc:a/money/Amount@1')).toEqual({ type: 'string' })
    for (const Amount of [
      { action: 'rename' },
      { action: 'rename', name: 'Total' },
      { action: 'rename', name: 'Money' },
    ])
      expect(await outcomes({ ...body, resolutions: { Amount } })).toEqual([422, 'resolution-invalid'])
    expect(await outcomes({ ...body, resolutions: { Nothing: { action: 'keep' } } })).toEqual([
      422,
      'resolution-invalid',
    ])
    expect(await outcomes({ ...body, select: ['Total'], on_conflict: 'overwrite' })).toEqual([
      ['Total', 'identical', 'svc:a/money/Total', 1],
    ])
  })

  test.each([
    [{ source_kind: 'type-def-bundle', document: { types: [] } }, [400, 'bundle-malformed']],
    [{ source_kind: 'type-def-bundle', document: '{' }, [400, 'bundle-malformed']],
    [{ source_kind: 'xml', document: {} }, [400, 'source-kind-unknown']],
    [{ document: '- [' }, [422, 'types-unreadable']],
    [{ document: { $defs: 1 } }, [422, 'types-unreadable']],
    [{}, [422, 'import-source-missing']],
    [{ document: {}, content: '' }, [422, 'import-source-missing']],
    [{ document: {}, namespace: 'a b' }, [422, 'namespace-invalid']],
    [{ import_id: 'nothing' }, [404, 'stage-not-found']],
  ])('%#: a source that cannot be imported is refused', async (body, expected) => {
    expect(await outcomes(body)).toEqual(expected)
  })

  test('a type with an invalid schema is left out, with the reason', async () => {
    const document = { $defs: { Fine: { type: 'string' }, Wrong: { items: { type: 'objec' } } } }
    const { status, value } = await send('POST', '/import', { document, namespace: 'wrong' })
    const problems = [
      {
        code: 'schema-invalid',
        message: '"Wrong" was left out: /items/type: Unknown value "objec" for "type"; did you mean "object"?',
        pointer: '/$defs/Wrong/items/type',
      },
    ]
    expect([status, value['problems']]).toEqual([200, problems])
    const outcomes = value['primitives'] as { key: string; outcome: string; id: string | null }[]
    expect(outcomes.map(({ key, outcome }) => [key, outcome])).toEqual([
      ['Fine', 'created'],
      ['Wrong', 'invalid'],
    ])
    const record = await send('GET', `/imports/${String(value['import_id'])}`)
    expect(record.value['report']).toMatchObject({ problems })
  })

  test('a source is staged, reviewed and imported', async () => {
    const url = `http://127.0.0.1:${server.port}/types.yaml`
    const staged = await send('POST', '/import/stage', {
      source_kind: 'type-def-bundle',
      method: 'url',
      url,
      namespace: 's',
    })
    expect([staged.status, staged.value['status']]).toEqual([200, 'staged'])
    expect(staged.value['candidates']).toMatchObject([
      {
        key: 'Fetched',
        name: 'Fetched',
        namespace: 's',
        source_kind: 'type-def-bundle',
        refs: { resolved: 0, unresolved: 0 },
      },
    ])
    const id = String(staged.value['import_id'])
    expect(await brief('GET', '/resolve?ref=svc:s/Fetched')).toBe('404 primitive-not-found')
    expect((await send('GET', `/imports/${id}`)).value).toMatchObject({ status: 'staged', method: 'url', locator: url })
    expect((await send('POST', '/import/review', { import_id: id })).value['summary']).toMatchObject({ new: 1 })
    expect(await outcomes({ import_id: id })).toEqual([['Fetched', 'created', 'svc:s/Fetched', 1]])
    expect(await outcomes({ import_id: id })).toEqual([409, 'stage-expired'])
    expect((await send('GET', `/imports/${id}`)).value).toMatchObject({ status: 'imported', method: 'url' })
  })

  test('a staged source is kept for a day', async () => {
    const { value } = await send('POST', '/import/stage', {
      method: 'paste',
      content: '{"title":"Old","type":"string"}',
    })
    const { db } = it.service.deps
    await db.inTransaction((tx) => sweepStages(tx, Date.now() + 25 * 3_600_000))
    expect(await outcomes({ import_id: value['import_id'] })).toEqual([409, 'stage-expired'])
    expect((await send('GET', `/imports/${String(value['import_id'])}`)).value['status']).toBe('expired')
  })

  test('what cannot be staged is refused, and leaves no row', async () => {
    const before = ((await send('GET', '/imports')).value as unknown as unknown[]).length
    const gone = `http://127.0.0.1:${server.port}/gone`
    const cases: [object, string][] = [
      [{ method: 'post', content: '' }, '400 stage-method-unknown'],
      [{ method: 'paste' }, '400 stage-locator-missing'],
      [{ method: 'url' }, '400 stage-locator-missing'],
      [{ method: 'git', repo_url: 'https://example.com/x.git' }, '400 stage-locator-missing'],
      [{ method: 'paste', content: '{}', source_kind: 'x' }, '400 source-kind-unknown'],
      [{ method: 'paste', content: '{"a": [' }, '422 stage-unparseable'],
      [{ method: 'file', content: '{"types": 1}', source_kind: 'type-def-bundle' }, '422 stage-unparseable'],
      [{ method: 'url', url: gone }, '502 fetch-failed'],
      [{ method: 'url', url: 'http://169.254.169.254/x' }, '502 fetch-failed'],
      [{ method: 'git', repo_url: `${gone}.git`, path: 'a.json' }, '502 fetch-failed'],
    ]
    for (const [body, expected] of cases)
      expect([body, await brief('POST', '/import/stage', body)]).toEqual([body, expected])
    expect(((await send('GET', '/imports')).value as unknown as unknown[]).length).toBe(before)
  })

  test('several hundred types with references in a circle are imported at once', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [`T${n}`, { properties: { next: { $ref: `#/types/T${(n + 1) % 400}` } } }]),
    )
    const body = { source_kind: 'type-def-bundle', document: { types: many }, namespace: 'circle' }
    const { value } = await send('POST', '/import', body)
    expect(value['summary']).toMatchObject({ total: 400, created: 400, unresolved_refs: 0 })
    expect((await send('POST', '/import', body)).value['summary']).toMatchObject({ total: 400, identical: 400 })
  })

  test('two imports of one name at once write it once', async () => {
    const body = { document: { $defs: { Once: { type: 'string' } } }, namespace: 'race' }
    const answers = await Promise.all([outcomes(body), outcomes(body), outcomes(body)])
    const written = answers.flat(2).filter((word) => word === 'created' || word === 'identical')
    expect(written.map(String).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['created', 'identical', 'identical'])
    expect(it.faults).toEqual([])
  })

  test('health is answered without the table too', async () => {
    await it.service.deps.db.inTransaction(async (tx) => {
      await executeSql(tx, sql.raw('alter table primitives rename to elsewhere'))
    })
    const answer = await it.get('/v1/primitives/health')
    const health = (await answer.json()) as Record<string, unknown>
    expect([answer.status, health['status'], health['database'], health['table_exists']]).toEqual([
      200,
      'unhealthy',
      'connected',
      false,
    ])
    expect(String(health['error'])).toContain('primitives')
  })
})

test('a reason shows nothing that only the operator knows', () => {
  expect(plainReason(new Error('connect ECONNREFUSED 10.0.0.7:5432'))).toBe('connect ECONNREFUSED')
  expect(plainReason(new Error('password authentication failed for user "svc" to postgres://a:b@host/db'))).toBe(
    'password authentication failed for user … to …',
  )
  expect(plainReason(new Error('unable to open /var/lib/svc/data.db'))).toBe('unable to open …')
})
