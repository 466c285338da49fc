import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import { apiKeys, documentReaders, versions } from '../../../db/tables.gen.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addApiKey, depsOver, handClock, start } from '../../fixtures/accounts.ts'
import { admitReader, isAdmitted } from '../../../server/documents/reader.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const yaml = (server: string) =>
  `openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\nservers: [${server}]\npaths: {}\ncomponents: { schemas: { Pet: { type: object } } }\n`

onBothEngines('readers of a private page', (makeDb) => {
  let it: PetsProject
  let db: Database
  beforeAll(async () => {
    db = await makeDb()
    it = await openPetsProject(db)
    const server = "{ url: 'https://{region}.example.com', variables: { region: { default: eu, enum: [us] } } }"
    for (const label of ['1.0.0', '1.1.0']) {
      await it.send('POST', '', { label, content: yaml(server) })
      await it.send('POST', `/${label}/publish`, { visibility: 'private' })
    }
  })
  afterAll(() => it.service.stop())

  const open = async (path: string, headers: Record<string, string> = {}) => {
    const response = await it.get(path, headers)
    await response.text()
    return { status: response.status, cookies: response.headers.getSetCookie(), headers: response.headers }
  }

  test('a key in the link is exchanged for a cookie of this version, which reads the page again and its document', async () => {
    const page = await open(`/v1/swagger/local/pets/latest?api_key=${it.key}`)
    expect(page.status).toBe(200)
    const token = /^svc_reader=([^;]+);/.exec(page.cookies[0] ?? '')?.[1] ?? ''
    expect(token.length).toBeGreaterThan(40)
    expect(page.cookies.map((cookie) => cookie.replace(token, '*'))).toEqual(
      [
        'swagger/local/pets/latest',
        'swagger/local/pets/1.1.0',
        'schema/local/pets/1.1.0',
        'arazzo/local/pets/1.1.0',
      ].map((path) => `svc_reader=*; Path=/v1/${path}; Max-Age=28800; HttpOnly; SameSite=Strict`),
    )
    expect(page.cookies.join(' ')).not.toContain(it.key)
    const cookie = { cookie: `other=1; svc_reader=${token}` }
    expect((await open('/v1/swagger/local/pets/latest', cookie)).status).toBe(200)
    const document = await open('/v1/schema/local/pets/1.1.0', cookie)
    expect([document.status, document.headers.get('cache-control'), document.cookies]).toEqual([
      200,
      'private, no-cache',
      [],
    ])
    // Of no other version, and never where people's rights are asked for.
    expect((await open('/v1/schema/local/pets/1.0.0', cookie)).status).toBe(401)
    expect((await open('/v1/tenants/local/projects/pets/versions/1.1.0', cookie)).status).toBe(401)
    expect((await open('/v1/schema/local/pets/1.1.0', { cookie: 'svc_reader=made-up' })).status).toBe(401)
    const [row] = await db.read.select().from(documentReaders)
    expect(JSON.stringify(row)).not.toContain(token)
  })

  test('it is worth nothing once the key is not, or its hours are over', async () => {
    const key = await addApiKey(db, it.tenantId)
    const page = await open(`/v1/swagger/local/pets/1.0.0?api_key=${key}`)
    const cookie = { cookie: (page.cookies[0] ?? '').split(';')[0] ?? '' }
    const read = async () => (await open('/v1/schema/local/pets/1.0.0', cookie)).status
    expect(await read()).toBe(200)
    const { keyId } = (await db.read.select().from(documentReaders)).at(-1) ?? { keyId: '' }
    const set = (values: object) =>
      db.inTransaction((tx) => tx.update(apiKeys).set(values).where(eq(apiKeys.id, keyId)))
    await set({ enabled: false })
    expect(await read()).toBe(401)
    await set({ enabled: true, expiresAt: '2026-01-01T00:00:00.000Z' })
    expect(await read()).toBe(401)
    await set({ expiresAt: null })
    expect(await read()).toBe(200)
    await db.inTransaction((tx) => tx.update(documentReaders).set({ expiresAt: '2026-01-01T00:00:00.000Z' }))
    expect(await read()).toBe(401)
    await db.inTransaction((tx) => tx.delete(apiKeys).where(eq(apiKeys.id, keyId)))
    expect(await db.read.$count(documentReaders, eq(documentReaders.keyId, keyId))).toBe(0)
  })

  test('its hours and those of its key end on the moment', async () => {
    const clock = handClock()
    const keyId = async () => (await db.read.select().from(apiKeys)).at(-1)?.id ?? ''
    await addApiKey(db, it.tenantId, { expiresAt: new Date(start + 1000).toISOString() })
    const [version] = await db.read.select().from(versions).where(eq(versions.label, '1.0.0'))
    const admit = async () => {
      const where = { paths: ['/x'], secure: false }
      const [cookie = ''] = await admitReader(depsOver(db, clock), version!, await keyId(), where)
      return /=([^;]+)/.exec(cookie)?.[1] ?? ''
    }
    const at = (ms: number) => new Date(start + ms).toISOString()
    const short = await admit()
    const admitted = (token: string, ms: number) => isAdmitted(db.read, token, version!, at(ms))
    expect([await admitted(short, 999), await admitted(short, 1000)]).toEqual([true, false])
    await db.inTransaction(async (tx) =>
      tx
        .update(apiKeys)
        .set({ expiresAt: null })
        .where(eq(apiKeys.id, await keyId())),
    )
    const hours = 8 * 3_600_000
    expect([await admitted(short, hours - 1), await admitted(short, hours)]).toEqual([true, false])
  })

  test('a key in a header and a public document set no cookie', async () => {
    expect((await open('/v1/swagger/local/pets/1.0.0', { 'x-api-key': it.key })).cookies).toEqual([])
    await it.send('PATCH', '/1.0.0', { visibility: 'public' })
    expect((await open(`/v1/swagger/local/pets/1.0.0?api_key=${it.key}`)).cookies).toEqual([])
    expect((await open('/v1/swagger/local/pets/1.0.0')).status).toBe(200)
    expect((await open('/v1/swagger/local/pets/1.0.0?api_key=wrong')).status).toBe(401)
  })

  test('the page may call the servers of the document, their variables filled in', async () => {
    const { headers } = await open('/v1/swagger/local/pets/1.0.0')
    expect(headers.get('content-security-policy')).toContain(
      "connect-src 'self' https://eu.example.com https://us.example.com;",
    )
  })

  test('every document takes the key of a link, and says nothing of it', async () => {
    for (const path of ['schema', 'json', 'swagger']) {
      const whole = await open(`/v1/${path}/local/pets/1.1.0?api_key=${it.key}`)
      expect([path, whole.status]).toEqual([path, 200])
      expect(JSON.stringify([...whole.headers])).not.toContain(it.key)
    }
    for (const path of ['schema', 'json'])
      expect((await open(`/v1/${path}/local/pets/1.1.0/Pet?api_key=${it.key}`)).status).toBe(200)
    expect((await open(`/v1/arazzo/local/pets/1.1.0?api_key=${it.key}`)).status).toBe(404)
    expect(it.faults).toEqual([])
  })
})
