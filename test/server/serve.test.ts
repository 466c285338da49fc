import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onBothEngines } from '../fixtures/engines.ts'
import { createLogger } from '../../server/operations/log.ts'
import { serve, type ServeOptions } from '../../server/serve.ts'

interface Refused {
  readonly detail: { readonly code: string }
}

onBothEngines('a server', (makeDb) => {
  const start = async (setupFile: string, lines: string[], more: Partial<ServeOptions> = {}) =>
    serve({
      database: await makeDb.makeTarget(),
      host: '127.0.0.1',
      port: 0,
      publicUrl: null,
      egressAllow: [],
      logger: createLogger({ level: 'warn', write: (line) => lines.push(line) }),
      environment: {},
      version: '0.0.0',
      agents: null,
      setupFile,
      sample: false,
      ...more,
    })

  test('seeds an empty database once, is ready, and leaves the set-up link in a folder that was not there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-serve-'))
    const file = join(folder, 'not', 'yet', 'setup-link')
    const server = await start(file, [], { sample: true })
    expect([server.seeded, statSync(file).mode & 0o777, await Bun.file(file).text()]).toEqual([
      true,
      0o600,
      `${server.setupLink}\n`,
    ])
    const ready = await fetch(`${server.url}/readyz`)
    expect(await ready.json()).toEqual({ status: 'ready', checks: { database: 'ok', jobs: 'ok' } })
    expect((await fetch(`${server.url}/v1/schema/local/bookshop/latest`)).status).toBe(200)
    expect((await (await fetch(`${server.url}/metrics`)).text()).includes('svc_http_requests_total')).toBe(true)
    expect(await server.stop()).toBe(true)
    rmSync(folder, { recursive: true })
  })

  test('every answer says its id, the metrics are for this machine', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-serve-'))
    const server = await start(join(folder, 'setup-link'), [])
    const paths = ['/', '/healthz', '/readyz', '/metrics', '/app/', '/docs', '/v1/openapi.json', '/v1/none', '/mcp']
    const headers = { 'x-request-id': 'mine' }
    const answers: Response[] = []
    // One after the other: on a busy machine nine at once are nine connections that have to be taken in time.
    for (const path of paths) answers.push(await fetch(server.url + path, { headers }))
    expect(answers.map((answer) => answer.headers.get('x-request-id'))).toEqual(paths.map(() => 'mine'))
    expect((await fetch(`${server.url}/healthz`)).headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    for (const name of ['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP']) {
      const proxied = await fetch(`${server.url}/metrics`, { headers: { [name]: '203.0.113.9' } })
      expect([name, proxied.status, ((await proxied.json()) as Refused).detail.code]).toEqual([
        name,
        403,
        'metrics-local-only',
      ])
    }
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  test('with a token, the metrics require it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-serve-'))
    const server = await start(join(folder, 'setup-link'), [], { metricsToken: 'a-token-of-the-operator' })
    const ask = async (authorization?: string) => {
      const answer = await fetch(`${server.url}/metrics`, authorization ? { headers: { authorization } } : {})
      return answer.status === 200 ? 200 : [answer.status, ((await answer.json()) as Refused).detail.code]
    }
    expect(await ask()).toEqual([401, 'metrics-token-missing'])
    expect(await ask('Bearer a-token')).toEqual([401, 'credentials-invalid'])
    expect(await ask('Bearer a-token-of-the-operator')).toBe(200)
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  test('starts where the link cannot be written, and says so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-serve-'))
    writeFileSync(join(folder, 'file'), '')
    const lines: string[] = []
    const server = await start(join(folder, 'file', 'setup-link'), lines)
    expect(server.setupLink?.startsWith(`${server.url}/app/claim#token=`)).toBe(true)
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      'the set-up link could not be written',
    ])
    expect(existsSync(join(folder, 'file', 'setup-link'))).toBe(false)
    await server.stop()
    rmSync(folder, { recursive: true })
  })
})
