/** Two servers over one database, through real sockets: what one of them gives out, the other takes, and no log tells it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../../server/operations/log.ts'
import { serve, type Server } from '../../../server/serve.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { goodPassword } from '../../fixtures/identity-service.ts'

interface Answer {
  readonly status: number
  readonly cookie: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of many shapes
  readonly body: any
}

onBothEngines('two servers over one database', (makeDb) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-replicas-'))
  const logged: string[] = []
  const secrets: string[] = [goodPassword]
  let [a, b]: Server[] = []

  beforeAll(async () => {
    const database = await makeDb.makeTarget()
    const start = (name: string): Promise<Server> =>
      serve({
        database,
        host: '127.0.0.1',
        port: 0,
        publicUrl: null,
        egressAllow: [],
        logger: createLogger({ level: 'debug', write: (line) => void logged.push(line) }),
        environment: {},
        version: '0.0.0',
        setupFile: join(folder, name),
        sample: true,
      })
    a = await start('link-a')
    b = await start('link-b')
  })
  afterAll(async () => {
    await Promise.all([a?.stop(), b?.stop()])
    rmSync(folder, { recursive: true, force: true })
  })

  const ask = async (
    server: Server | undefined,
    line: string,
    headers: Record<string, string> = {},
    body?: unknown,
  ): Promise<Answer> => {
    const [method = '', target = ''] = line.split(' ')
    const response = await fetch(`${server?.url}${target}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.includes('json') === true
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { status: response.status, cookie, body: json ? JSON.parse(text) : text }
  }

  test('from the set-up link to a key that is disabled, each step at the other server', async () => {
    const link = readFileSync(join(folder, 'link-a'), 'utf8').trim()
    expect(statSync(join(folder, 'link-a')).mode & 0o777).toBe(0o600)
    expect(link).toBe(a?.setupLink ?? '')
    const token = new URL(link).hash.replace('#token=', '')
    secrets.push(token)
    const ann = { email: 'ann@example.com', password: goodPassword }
    const claimed = await ask(b, 'POST /_app/claim', {}, { ...ann, name: 'Ann', token })
    expect(claimed.status).toBe(201)
    expect(existsSync(join(folder, 'link-b'))).toBe(false)
    const elsewhere = new URL(b?.setupLink ?? '').hash.replace('#token=', '')
    expect((await ask(a, 'POST /_app/claim', {}, { ...ann, name: 'Eve', token: elsewhere })).status).toBe(409)

    const session = { cookie: claimed.cookie, 'x-csrf-token': String(claimed.body.csrf_token) }
    secrets.push(claimed.cookie.split('=')[1] ?? '', session['x-csrf-token'], elsewhere)
    const made = await ask(a, 'POST /_app/tenants/local/api-keys', session, { name: 'CI' })
    expect(made.status).toBe(201)
    const key = String(made.body.key)
    secrets.push(key)
    const asKey = { 'x-api-key': key }
    expect((await ask(b, 'GET /v1/tenants/me', asKey)).body.items).toMatchObject([{ slug: 'local', role: 'member' }])
    expect((await ask(b, `GET /v1/schema/local/bookshop/1.0.0?api_key=${key}`)).status).toBe(200)
    expect((await ask(b, `GET /v1/tenants/me?api_key=${key}`)).status).toBe(401)

    const signedIn = await ask(b, 'POST /v1/auth/login', {}, ann)
    const { access_token: access, refresh_token: refresh } = signedIn.body
    secrets.push(String(access), String(refresh))
    const bearer = { authorization: `Bearer ${access}` }
    expect((await ask(a, 'GET /v1/auth/me', bearer)).body.user.email).toBe('ann@example.com')
    const next = await ask(a, 'POST /v1/auth/refresh', {}, { refresh_token: refresh })
    secrets.push(String(next.body.access_token), String(next.body.refresh_token))
    // Another tab of the program that renewed at once goes on too; the end of the sign-in is the end of both, and of their access.
    const tab = await ask(b, 'POST /v1/auth/refresh', {}, { refresh_token: refresh })
    secrets.push(String(tab.body.access_token), String(tab.body.refresh_token))
    expect([tab.status, (await ask(b, 'GET /v1/auth/me', bearer)).status]).toEqual([200, 200])
    expect((await ask(b, 'POST /v1/auth/logout', {}, { refresh_token: next.body.refresh_token })).status).toBe(204)
    expect((await ask(a, 'POST /v1/auth/refresh', {}, { refresh_token: tab.body.refresh_token })).status).toBe(401)
    expect((await ask(b, 'POST /v1/auth/refresh', {}, { refresh_token: next.body.refresh_token })).status).toBe(401)
    expect((await ask(a, 'GET /v1/auth/me', bearer)).status).toBe(401)

    const off = await ask(b, `PATCH /_app/tenants/local/api-keys/${made.body.id}`, session, { enabled: false })
    expect(off.body.status).toBe('disabled')
    expect((await ask(a, 'GET /v1/tenants/me', asKey)).status).toBe(401)
    expect((await ask(a, `DELETE /_app/tenants/local/api-keys/${made.body.id}`, session)).status).toBe(204)
    expect((await ask(b, 'GET /v1/tenants/me', asKey)).status).toBe(401)
  })

  test('nothing that a socket carries makes a caller the local owner', async () => {
    for (const headers of [
      { 'x-local-owner': '1' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-svc-user': 'owner@localhost' },
      { host: 'localhost' },
    ])
      expect((await ask(a, 'GET /v1/tenants/me', headers as unknown as Record<string, string>)).status).toBe(401)
  })

  test('the budget of an address is one for both, whatever it says of itself', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) {
      const forged = { 'x-forwarded-for': `198.51.100.${n}`, forwarded: `for=198.51.100.${n}` }
      const guess = { email: `guess${n}@example.com`, password: 'guess' }
      statuses.push((await ask(n % 2 === 0 ? a : b, 'POST /v1/auth/login', forged, guess)).status)
    }
    // Claiming twice, signing in once and two refused refreshes took five of the ten.
    expect(statuses).toEqual([...Array<number>(5).fill(401), ...Array<number>(7).fill(429)])
  })

  test('no secret is in a log', () => {
    expect(logged.length).toBeGreaterThan(20)
    const text = logged.join('')
    expect(secrets).toHaveLength(12)
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(15)
      expect(text).not.toContain(secret)
    }
  })
})
