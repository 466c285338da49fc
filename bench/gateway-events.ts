/** What gateways send, and what a change of a policy would have done to it: stored events a second, and a preview of 10,000 of them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../db/open.ts'
import { securityEvents, tenants } from '../db/tables.gen.ts'
import { enforcersApi, selfBase } from '../src/api/gateway-enforcers.ts'
import { environmentsApi } from '../src/api/environments.ts'
import { gatewayApi } from '../src/api/gateway.ts'
import { gatewayPositiveApi } from '../src/api/gateway-positive.ts'
import { groupIds } from '../src/gateway-policy/catalogue.ts'
import { startService } from '../test/fixtures/service.ts'
import { median, type Measurement } from './measure.ts'

const linesAtOnce = 500
const batches = 40
const rules = 100
const previewed = 10_000
const digest = `hmac-sha256:${'0a'.repeat(16)}`

const match = (index: number) => ({
  ruleRef: `crs:${942_100 + (index % 50)}`,
  groupId: 'sqli',
  paranoia: 1 + (index % 2),
  severity: 'critical',
  field: 'query:q',
  length: 12,
  digest,
  shape: "a'a",
})

const line = (number: number, at: string) =>
  JSON.stringify({
    kind: 'match',
    id: crypto.randomUUID(),
    at,
    releaseId: null,
    action: number % 3 === 0 ? 'block' : 'log',
    ruleRef: match(number).ruleRef,
    groupId: 'sqli',
    method: 'GET',
    route: null,
    pathShape: '/search',
    status: 403,
    network: `203.0.${number % 200}.0/24`,
    clientDigest: digest,
    score: { inbound: 5, threshold: 5, paranoia: 1, detection: 2 },
    matches: [match(number), match(number + 1)],
    exceptionIds: [],
  })

/** Both numbers, on SQLite. */
export async function gatewayEvents(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-events-'))
  const db = await openDatabase({ kind: 'sqlite', path: join(folder, 'svc.db') })
  const it = await startService(db)
  try {
    const environment = await it.call(environmentsApi.create, {
      body: { name: 'Lane', approvals: { required: false } },
    })
    const params = { environment_id: environment.id }
    const sent: number[] = []
    let key = ''
    for (let batch = 0; batch < batches; batch++) {
      // Another gateway for each part, so that no limit of one gateway is measured.
      const made =
        batch % 10 === 0
          ? await it.call(enforcersApi.create, { params, body: { label: `edge-${batch}`, engine: 'coraza-caddy' } })
          : null
      if (made !== null) key = made.key
      const at = new Date(Date.now() - batch * 60_000).toISOString()
      const body = Array.from({ length: linesAtOnce }, (_, index) => line(batch * 131 + index, at)).join('\n')
      const begun = performance.now()
      const answer = await it.service.handle(
        new Request(`http://localhost${selfBase}/events`, {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' },
          body,
        }),
      )
      await answer.text()
      sent.push(performance.now() - begun)
      if (answer.status !== 200) throw new Error(`${answer.status}`)
    }
    const perSecond = (linesAtOnce * batches * 1000) / sent.reduce((sum, ms) => sum + ms, 0)

    const [tenant] = await db.read.select({ id: tenants.id }).from(tenants)
    const matches = [match(0), match(1)].map((one) => ({
      ...one,
      groupId: 'sqli' as const,
      severity: 'critical' as const,
    }))
    await db.inTransaction(async (tx) => {
      await tx.delete(securityEvents)
      for (let from = 0; from < previewed; from += 100)
        await tx.insert(securityEvents).values(
          Array.from({ length: 100 }, (_, index) => {
            const number = from + index
            const at = new Date(Date.now() - number * 1000).toISOString()
            return {
              environmentId: environment.id,
              tenantId: tenant?.id ?? '',
              id: `event-${number}`,
              at,
              source: 'edge',
              ruleRef: 'crs:942100',
              ruleRefs: ' crs:942100 crs:942101 ',
              action: number % 3 === 0 ? 'block' : 'log',
              method: 'GET',
              route: `/route-${number % 40}`,
              count: 1,
              firstAt: at,
              lastAt: at,
              network: `203.0.${number % 200}.0/24`,
              score: { inbound: 5, threshold: 5, detection: 2 },
              matches,
              exceptionIds: [],
              policyVersion: 1,
            }
          }),
        )
    })
    for (let number = 0; number < rules; number++)
      await it.call(gatewayApi.createRule, {
        params,
        body: {
          name: `Rule ${number}`,
          action: 'block',
          expression: `http.path starts "/admin-${number}" and not ip.src cidr "10.${number}.0.0/16"`,
        },
      })
    const times: number[] = []
    for (let run = 0; run < 5; run++) {
      const begun = performance.now()
      const found = await it.call(gatewayPositiveApi.preview, {
        params,
        body: {
          change: {
            presets: { threshold: 7 },
            managedGroups: groupIds.slice(0, 5).map((id) => ({ id, mode: 'log' as const, reason: 'x' })),
          },
        },
      })
      times.push(performance.now() - begun)
      if (found.considered !== previewed) throw new Error(`${found.considered} were considered`)
    }
    return [
      {
        name: `events that gateways sent, ${linesAtOnce} at once, on SQLite`,
        ours: perSecond,
        reference: 500,
        referenceName: 'the bound',
        unit: 'requests/s',
        goal: 'at least 500 a second',
      },
      {
        name: `preview of a change on ${previewed.toLocaleString('en')} events, with ${rules} rules`,
        ours: median(times),
        reference: 1000,
        referenceName: 'the bound',
        unit: 'ms',
        goal: 'at most 1 s',
      },
    ]
  } finally {
    await it.service.stop(true)
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
