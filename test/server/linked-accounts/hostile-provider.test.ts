/** A git provider that means harm: what it answers costs little, says nothing that we repeat, and gets no token elsewhere. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { linkedAccounts, secrets } from '../../../db/tables.gen.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { watchStalls } from '../../fixtures/stalls.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

const planted = 'planted-token-0123456789abcdef'
const user = '/api/v4/user'
const self = '/api/v4/personal_access_tokens/self'

type Answer = (path: string) => Response
const json = (value: unknown): Response => Response.json(value)
/** A body that goes on for as long as it is read. */
const endless = (piece: string, everyMs: number): Response =>
  new Response(
    new ReadableStream({
      async pull(controller) {
        await Bun.sleep(everyMs)
        controller.enqueue(new TextEncoder().encode(piece))
      },
    }),
    { headers: { 'content-type': 'application/json' } },
  )
const who =
  (username: unknown): Answer =>
  (path) =>
    path === user
      ? json({ id: 1, username, state: 'active' })
      : json({ id: 1, scopes: ['read_api', 'read_repository'], active: true })

onBothEngines('a hostile provider', (makeDb) => {
  let it: TestService
  let db: Awaited<ReturnType<typeof makeDb>>
  let answer: Answer = () => json({})
  const seen: (string | null)[] = []
  let lab: Bun.Server<undefined>
  let elsewhere: Bun.Server<undefined>
  let headers: Record<string, string> = {}

  beforeAll(async () => {
    db = await makeDb()
    lab = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      idleTimeout: 120,
      fetch: ({ url }) => answer(new URL(url).pathname),
    })
    elsewhere = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ headers: got }) => {
        seen.push(got.get('authorization') ?? got.get('private-token'))
        return json({ id: 1, username: 'eve' })
      },
    })
    it = await startService(db, { egressAllow: '127.0.0.0/8', gitHosts: `127.0.0.1:${lab.port}=gitlab` })
    headers = {
      authorization: `Bearer ${(await it.service.identity.tokens.issue(it.ownerId)).token}`,
      'content-type': 'application/json',
    }
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await Promise.all([lab.stop(true), elsewhere.stop(true)])
  })

  const link = async (): Promise<{ status: number; text: string; code: unknown }> => {
    const body = JSON.stringify({ provider: 'gitlab', host: `127.0.0.1:${lab.port}`, token: planted })
    const request = new Request('http://localhost/v1/tenants/local/linked-accounts', { method: 'POST', headers, body })
    const response = await it.service.handle(request)
    const text = await response.text()
    return { status: response.status, text, code: (JSON.parse(text) as { detail?: { code?: string } }).detail?.code }
  }

  const refused: [string, Answer, string][] = [
    ['a body without an end', () => endless(' '.repeat(1_000_000), 0), 'fetch-failed'],
    ['brackets without an end', () => endless('['.repeat(1_000_000), 0), 'fetch-failed'],
    ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), 'provider-failed'],
    ['nothing', () => new Response(''), 'provider-failed'],
    ['null', () => json(null), 'provider-failed'],
    ['a list', () => json([{ username: 'eve' }]), 'provider-failed'],
    ['a name that is no text', who({ $ne: null }), 'provider-failed'],
    ['an empty name', who(''), 'provider-failed'],
    ['a redirect', () => Response.redirect(`http://127.0.0.1:${elsewhere.port}/api/v4/user`, 302), 'provider-failed'],
    ['its own failure', () => new Response('x'.repeat(100_000), { status: 500 }), 'provider-failed'],
    [
      'a refusal with prose',
      () => Response.json({ message: 'planted-prose' }, { status: 401 }),
      'account-token-refused',
    ],
  ]
  for (const [name, given, code] of refused)
    test(`${name} links nothing`, async () => {
      answer = given
      const stalls = watchStalls()
      const begun = performance.now()
      const linked = await link()
      expect([linked.code, await stalls()]).toEqual([code, []])
      expect(performance.now() - begun).toBeLessThan(30_000)
      expect(linked.text).not.toContain('planted')
      expect(await db.read.$count(linkedAccounts)).toBe(0)
      expect(await db.read.$count(secrets)).toBe(0)
    })

  test('a token never follows a redirect', () => expect(seen).toEqual([]))

  test('a name is kept as one line of bounded length, whatever is in it', async () => {
    answer = who(`\u001b[31mroot\u202e\n${'x'.repeat(100_000)}`)
    const { status, text, code } = await link()
    if (status >= 400) expect(code).toBe('provider-failed')
    else {
      const { login } = JSON.parse(text) as { login: string }
      expect(login.length).toBeLessThanOrEqual(255)
      expect(login).not.toMatch(/[\p{Cc}\u202e]/u)
    }
  })

  test('scopes and dates of any type are read or left out', async () => {
    for (const more of [
      { scopes: 'all' },
      { scopes: [1, {}, null] },
      { expires_at: 'never' },
      { expires_at: 9e15 },
      { scopes: Array.from({ length: 100_000 }, () => 'api') },
    ]) {
      answer = (path) => (path === self ? json({ id: 1, active: true, ...more }) : who('eve')(path))
      const { status, text } = await link()
      expect([status < 500, text.length < 20_000, text.includes(planted)]).toEqual([true, true, false])
    }
  })

  test('an answer that cannot be read does not end an account', async () => {
    await db.inTransaction((tx) => tx.delete(linkedAccounts))
    answer = who('eve')
    expect((await link()).status).toBe(201)
    const [row] = await db.read.select().from(linkedAccounts)
    answer = () => new Response('<html>')
    const request = new Request(`http://localhost/v1/tenants/local/linked-accounts/${row?.id}/verify`, {
      method: 'POST',
      headers,
    })
    const verified = (await (await it.service.handle(request)).json()) as { status: string; last_error: string }
    expect([verified.status, verified.last_error]).toEqual([
      'error',
      expect.stringContaining('its answer does not name the account of the token'),
    ])
  })
})
