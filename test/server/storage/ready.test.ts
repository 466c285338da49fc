import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../../server/operations/log.ts'
import { serve } from '../../../server/serve.ts'
import { s3Objects } from '../../fixtures/objects.ts'
import { startS3 } from '../../fixtures/s3-server.ts'

test('a server whose storage is away stays where requests are sent, says so, and is well again by itself', async () => {
  const s3 = startS3()
  const folder = mkdtempSync(join(tmpdir(), 'svc-ready-'))
  const lines: string[] = []
  const server = await serve({
    database: { kind: 'sqlite', path: join(folder, 'svc.db'), objects: s3Objects(s3) },
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    egressAllow: [],
    logger: createLogger({ level: 'warn', write: (line) => lines.push(line) }),
    environment: {},
    version: '0.0.0',
    agents: null,
    setupFile: join(folder, 'setup-link'),
    sample: true,
  })
  const ready = async () => {
    const answer = await fetch(`${server.url}/readyz`)
    return [answer.status, await answer.json()]
  }
  const checks = (storage: string) => ({ database: 'ok', jobs: 'ok', storage })
  expect(await ready()).toEqual([200, { status: 'ready', checks: checks('ok') }])
  s3.fail('refused')
  expect(await ready()).toEqual([200, { status: 'degraded', checks: checks('failed') }])
  expect(lines.some((line) => (JSON.parse(line) as { check?: string }).check === 'storage')).toBe(true)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  // The sample is small, and is in the database.
  expect((await fetch(`${server.url}/v1/schema/local/bookshop/latest`)).status).toBe(200)
  // Who asks in the second after a failure is refused at once.
  await Bun.sleep(1100)
  s3.fail('slow')
  expect(await ready()).toEqual([200, { status: 'degraded', checks: checks('unknown') }])
  s3.fail(null)
  expect(await ready()).toEqual([200, { status: 'ready', checks: checks('ok') }])
  expect(await server.stop()).toBe(true)
  await s3.stop()
  rmSync(folder, { recursive: true, force: true })
})
