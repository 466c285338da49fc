import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onBothEngines } from '../fixtures/engines.ts'
import { createLogger } from '../../server/operations/log.ts'
import { serve } from '../../server/serve.ts'

onBothEngines('a server', (makeDb) => {
  const start = async (setupFile: string, lines: string[]) =>
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
      sample: true,
    })

  test('seeds an empty database once, is ready, and leaves the set-up link in a folder that was not there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-serve-'))
    const file = join(folder, 'not', 'yet', 'setup-link')
    const server = await start(file, [])
    expect([server.seeded, statSync(file).mode & 0o777, await Bun.file(file).text()]).toEqual([
      true,
      0o600,
      `${server.setupLink}\n`,
    ])
    const ready = await fetch(`${server.url}/readyz`)
    expect(await ready.json()).toEqual({ status: 'ready', checks: { database: 'ok' } })
    expect((await fetch(`${server.url}/v1/schema/local/bookshop/latest`)).status).toBe(200)
    expect((await (await fetch(`${server.url}/metrics`)).text()).includes('svc_http_requests_total')).toBe(true)
    expect(await server.stop()).toBe(true)
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
