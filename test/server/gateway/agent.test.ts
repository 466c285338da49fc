/** The agent against the service itself: what it pulls, what it reports, and what people see of it. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startAgent } from '../../../cli/gateway/agent/start.ts'
import type { Database } from '../../../db/database.ts'
import { openDatabase } from '../../../db/open.ts'
import { makeRelease } from '../../../server/gateway/make-release.ts'
import { enforcersApi } from '../../../src/api/gateway-enforcers.ts'
import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { gatewayApi } from '../../../src/api/gateway.ts'
import { openGateway, type GatewayService } from '../../fixtures/gateway.ts'

/** Records of a real engine. */
const records = '../../src/gateway/log/records/coraza.ndjson'

let it: GatewayService
let db: Database
let server: ReturnType<typeof Bun.serve>
const dir = mkdtempSync(join(tmpdir(), 'svc-agent-'))
beforeAll(async () => {
  // What the service answers is tested on both databases elsewhere.
  db = await openDatabase({ kind: 'sqlite', path: join(dir, 'svc.db') })
  it = await openGateway(db, false)
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => it.service.handle(request) })
})
afterAll(async () => {
  await server.stop(true)
  await it.service.stop()
  await db.close()
  rmSync(dir, { recursive: true, force: true })
  expect(it.faults).toEqual([])
})

const compile = () => makeRelease(it.service.deps, it.tenantId, it.environment.id)
const enforcer = async () => (await it.as('eva')(enforcersApi.list, { params: it.params })).enforcers[0]

test('pulls, verifies and uses releases, and says which it uses or why not', async () => {
  const folder = join(dir, 'agent')
  const made = await it.as('ann')(enforcersApi.create, {
    params: it.params,
    body: { label: 'edge', engine: 'modsecurity' },
  })
  const run = async (validate: string, publicKey: string | undefined) => {
    const told: string[] = []
    const started = await startAgent({
      url: server.url.origin,
      key: made.key,
      dir: folder,
      engine: 'nginx',
      validate,
      reload: '',
      publicKey,
      acceptOlder: false,
      watchMs: 0,
      health: '',
      auditLog: undefined,
      accessLog: undefined,
      errorLog: undefined,
      keep: 3,
      spoolBytes: 1 << 20,
      fromStart: true,
      timeoutMs: 30_000,
      tell: (event) => told.push(event),
    })
    try {
      await started.agent.once(new AbortController().signal)
    } finally {
      started.stop()
    }
    return told
  }
  const used = (): string => readFileSync(join(folder, 'current/svc.conf'), 'utf8')

  expect(await run('true', made.publicKey)).toEqual([])
  expect([used().includes('SecRuleEngine Off'), (await enforcer())?.state]).toEqual([true, 'behind'])

  await it.as('ann')(gatewayApi.setPresets, { params: it.params, body: { tier: 'strict' } })
  await compile()
  // The key that was given at the first start is kept.
  expect(await run('true', undefined)).toEqual(['release-used', 'release-active'])
  const first = await enforcer()
  expect(first).toMatchObject({ state: 'current', lastError: null })
  expect(used()).toContain(`Release ${first?.activeReleaseId} of production`)
  expect(
    ['10-setup.conf', '90-groups.conf', 'routes.json'].filter((name) => !existsSync(join(folder, 'current', name))),
  ).toEqual([])

  // What the engine logged arrives without a value, once.
  const [, , , , , attack = ''] = readFileSync(join(import.meta.dir, records), 'utf8').split('\n')
  const record = JSON.parse(attack) as { transaction: object }
  const transaction = { ...record.transaction, unix_timestamp: Date.now() * 1e6 }
  writeFileSync(join(folder, 'audit.log'), `${JSON.stringify({ ...record, transaction })}\n`)
  expect([await run('true', undefined), await run('true', undefined)]).toEqual([[], []])
  const { events } = await it.as('eva')(gatewayRecordsApi.events, { params: it.params })
  expect(
    events.map(
      ({ action, ruleRef, groupId, method, pathShape, status, count, enforcerId, releaseId, client, score }) => [
        [action, ruleRef, groupId, method, pathShape, status, count],
        [enforcerId, releaseId, client.network, score?.inbound],
      ],
    ),
  ).toEqual([
    [
      ['block', 'crs:942100', 'sqli', 'GET', '/search', 403, 1],
      [made.enforcer.id, first?.activeReleaseId ?? null, '198.51.100.0/24', 5],
    ],
  ])
  const [event] = events
  const lead = event?.matches.find((match) => match.ruleRef === 'crs:942100')
  expect(lead).toMatchObject({ field: 'query:p', length: 15, paranoia: 1, severity: 'critical' })
  expect(JSON.stringify(event)).not.toContain("'1'='1")

  await it.as('ann')(gatewayApi.setPresets, {
    params: it.params,
    body: { tier: 'basic', reason: 'Too many refusals' },
  })
  await compile()
  expect(await run('echo "no such directive"; false', undefined)).toEqual(['release-failed'])
  expect(await enforcer()).toMatchObject({
    state: 'failed',
    activeReleaseId: first?.activeReleaseId,
    lastError: 'The engine does not accept the release.\nno such directive\nexit code 1',
  })
  expect(used()).toContain(`Release ${first?.activeReleaseId} of production`)
})
