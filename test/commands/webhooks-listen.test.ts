/** `svc webhooks listen`: what happens is posted to a program on this machine, signed, once for each event. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import webhooksCommands from '../../commands/webhooks/index.ts'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/open.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../fixtures/pets-project.ts'
import { registryOf, runCommand } from '../fixtures/run-command.ts'

const { listen } = webhooksCommands.commands

interface Got {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

const registry = registryOf({ 'webhooks listen': listen })
const folder = mkdtempSync(join(tmpdir(), 'svc-listen-'))
let db: Database
let it: PetsProject
let server: ReturnType<typeof Bun.serve>
let local: ReturnType<typeof Bun.serve>
let asked = 0
let status = 204
const received: Got[] = []

beforeAll(async () => {
  db = await openDatabase({ kind: 'sqlite', path: join(folder, 'svc.db') })
  it = await openPetsProject(db)
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      if (new URL(request.url).pathname.endsWith('/events')) asked += 1
      return it.service.handle(request)
    },
  })
  local = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      received.push({ path: pathname, headers: Object.fromEntries(request.headers), body: await request.text() })
      return new Response(null, { status, headers: status === 302 ? { location: '/elsewhere' } : {} })
    },
  })
})
afterAll(async () => {
  await Promise.all([server.stop(true), local.stop(true)])
  await it.service.stop(true)
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  received.length = 0
  asked = 0
  status = 204
})

const until = async (holds: () => boolean): Promise<void> => {
  for (let n = 0; n < 2000 && !holds(); n++) await Bun.sleep(5)
  expect(holds()).toBe(true)
}

/** Listens; `act` runs once it waits. */
async function listening(
  words: readonly string[],
  act: () => Promise<unknown>,
  env: Record<string, string> = {},
  signal?: AbortSignal,
) {
  const argv = ['--base-url', server.url.origin, 'webhooks', 'listen', ...words]
  const given = { env: { SVC_API_KEY: it.key, XDG_CONFIG_HOME: folder, ...env }, ...(signal ? { signal } : {}) }
  const run = runCommand(argv, registry, given)
  await until(() => asked >= 2)
  await act()
  return run
}

async function publish(label: string): Promise<void> {
  expect((await it.send('POST', '', { label, content: petsYaml(label) })).status).toBe(201)
  expect((await it.send('POST', `/${label}/publish`, {})).status).toBe(200)
}

test('events are posted as they happen, each once, with a signature of the printed secret', async () => {
  const forward = `${local.url.origin}/hook`
  const { exit, stdout, stderr } = await listening(['--forward', forward, '--count', '2', '--json'], async () => {
    await publish('1.0.0')
    await until(() => received.length === 1)
    await publish('1.1.0')
  })
  expect(exit).toBe(0)
  const secret = /whsec_\S+/.exec(stderr)?.[0] ?? ''
  const bodies = received.map(({ path, headers, body }) => {
    expect([path, headers['content-type']]).toEqual(['/hook', 'application/json'])
    return new Webhook(secret).verify(body, headers) as { type: string; data: { version_label: string } }
  })
  expect(bodies.map(({ type, data }) => [type, data.version_label])).toEqual([
    ['version.published', '1.0.0'],
    ['version.published', '1.1.0'],
  ])
  const { data } = JSON.parse(stdout) as { data: { id: string; type: string; status: number }[] }
  expect(data).toEqual(
    received.map(({ headers }) => ({ id: headers['webhook-id'] ?? '', type: 'version.published', status: 204 })),
  )
})

test('a secret of the environment signs and is not printed; answers are shown, redirects are not followed', async () => {
  const secret = 'a planted secret of the environment'
  status = 302
  const { exit, stderr } = await listening(
    ['--forward', `${local.url.origin}/moved`, '--count', '1'],
    () => publish('2.0.0'),
    { SVC_WEBHOOK_SECRET: secret },
  )
  expect([exit, received.map(({ path }) => path)]).toEqual([0, ['/moved']])
  const [got] = received
  const key = new TextEncoder().encode(secret)
  expect(new Webhook(key, { format: 'raw' }).verify(got?.body ?? '', got?.headers ?? {})).toMatchObject({
    type: 'version.published',
  })
  expect(stderr).toContain(`version.published ${got?.headers['webhook-id']} 302`)
  expect(stderr).not.toContain(secret)
})

test('a program that does not run is no reason to end; Ctrl-C is', async () => {
  const stop = new AbortController()
  const { stderr } = await listening(
    ['--forward', 'http://127.0.0.1:1/'],
    async () => {
      await publish('3.0.0')
      const before = asked
      await until(() => asked > before + 1)
      stop.abort()
    },
    {},
    stop.signal,
  )
  expect(stderr).toMatch(/version\.published \S+ no answer/)
})
