/** Authorizing at a provider, and making a GitHub App, where the provider answers what no provider should: nothing is linked or made. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gitApps, linkedAccounts, secrets } from '../../../db/tables.gen.ts'
import { authorizationWorld, registerClients } from '../../fixtures/authorization.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

type Answer = () => Response

const json = (value: unknown, status = 200): Response => Response.json(value, { status })
const endless = (piece: string): Response =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(piece)),
    }),
    { headers: { 'content-type': 'application/json' } },
  )

onBothEngines('a hostile provider of OAuth', (makeDb) => {
  const world = authorizationWorld(makeDb, registerClients)
  const { begin, comeBack } = world
  const asked: string[] = []
  const faults = () => world.log.lines.filter((it) => it.includes('"fault"'))
  let elsewhere: Bun.Server<undefined>
  beforeAll(() => {
    elsewhere = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async (request) => {
        asked.push(`${request.method} ${await request.text()}`)
        return json({ access_token: 'taken', token_type: 'bearer' })
      },
    })
  })
  afterAll(() => elsewhere.stop(true))

  const answers: readonly (readonly [string, Answer])[] = [
    ['a page', () => new Response('<html>planted-prose', { headers: { 'content-type': 'text/html' } })],
    ['nothing', () => new Response('')],
    ['null', () => json(null)],
    ['a list', () => json([{ access_token: 'x', token_type: 'bearer' }])],
    ['a token that is no text', () => json({ access_token: { $ne: null }, token_type: 'bearer' })],
    ['an empty token', () => json({ access_token: '', token_type: 'bearer' })],
    ['a token with a line feed', () => json({ access_token: 'x\r\nx-evil: 1', token_type: 'bearer' })],
    ['a token of another type', () => json({ access_token: 'x', token_type: 'mac' })],
    ['an error with prose', () => json({ error: 'planted-prose', error_description: '<b>planted-prose' }, 400)],
    ['its own failure', () => new Response('x'.repeat(100_000), { status: 500 })],
    ['a redirect', () => Response.redirect(`http://127.0.0.1:${elsewhere.port}/token`, 307)],
    ['a body without an end', () => endless(' '.repeat(1_000_000))],
    ['brackets without an end', () => endless('['.repeat(1_000_000))],
  ]
  for (const [name, answer] of answers)
    test(`${name} in the place of a token links nothing`, async () => {
      const { oauth } = world.fakes.gitlab
      const own = oauth.answer
      const before = await world.db.read.$count(secrets)
      const back = oauth.visit(String((await begin('bob')).value['url']), 'bob-lab')
      oauth.answer = async (_, url) => (url.pathname === '/oauth/token' ? answer() : null)
      try {
        expect(await comeBack('bob', back)).toMatch(/^\/app\/settings\?tab=accounts&error=[a-z-]+$/)
      } finally {
        oauth.answer = own
      }
      expect([await world.db.read.$count(linkedAccounts), await world.db.read.$count(secrets)]).toEqual([0, before])
    }, 60_000)

  test('the secret of the client goes to no other host, and texts of the provider are not repeated', () => {
    expect(asked).toEqual([])
    expect([...world.texts, ...world.log.lines].filter((it) => it.includes('planted-prose'))).toEqual([])
    expect(faults()).toEqual([])
  })

  const made = {
    id: 1,
    slug: 'svc',
    name: 'svc',
    owner: { login: 'acme' },
    client_id: 'c',
    client_secret: 's',
    webhook_secret: 'w',
    pem: 'no key',
    html_url: 'http://x',
  }
  const manifests: readonly (readonly [string, Answer])[] = [
    ['null', () => json(null, 201)],
    ['a page', () => new Response('<html>', { status: 201 })],
    ['an invalid key', () => json(made, 201)],
    ['no key', () => json({ ...made, pem: undefined }, 201)],
    ['an id that is no number', () => json({ ...made, id: { $gt: 0 } }, 201)],
    ['its own failure', () => new Response('x', { status: 500 })],
    ['a redirect', () => Response.redirect(`http://127.0.0.1:${elsewhere.port}/app`, 307)],
    ['a body without an end', () => endless('{"a":'.repeat(100_000))],
  ]
  for (const [name, answer] of manifests)
    test(`${name} in the place of a GitHub App makes none`, async () => {
      const { app, host } = world.fakes.github
      const own = app.answer
      const body = { host, return_to: '/app/providers' }
      const begun = await world.send('ada', 'POST', '/_app/providers/github/manifest', body)
      const headers = { cookie: world.people['ada']?.['cookie'] ?? '' }
      const page = await world.it.service.handle(
        new Request(`http://localhost${String(begun.value['url'])}`, { headers }),
      )
      const back = app.postManifest(await page.text())
      app.answer = async (_, url) => (url.pathname.includes('/app-manifests/') ? answer() : null)
      try {
        expect(await comeBack('ada', back)).toMatch(/^\/app\/providers\?error=[a-z-]+$/)
      } finally {
        app.answer = own
      }
      expect([await world.db.read.$count(gitApps), asked]).toEqual([0, []])
      expect(faults()).toEqual([])
    }, 60_000)
})
