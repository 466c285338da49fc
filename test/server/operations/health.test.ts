import { expect, test } from 'bun:test'
import { createDrain } from '../../../server/operations/drain.ts'
import { livenessAnswer, readiness, readinessAnswer, type Check } from '../../../server/operations/health.ts'
import { createLogger } from '../../../server/operations/log.ts'

async function ready(checks: Readonly<Record<string, Check>>, isDraining = false) {
  const failures: string[] = []
  const onFailure = (name: string, reason: unknown) => failures.push(`${name}: ${String(reason)}`)
  const answer = readinessAnswer(
    await readiness({ checks, partial: new Set(['storage']), isDraining, timeoutMs: 30, onFailure }),
  )
  return { status: answer.status, body: await answer.json(), failures }
}

test('readiness is green only when every check is', async () => {
  const ok = async () => 1
  const broken = () => Promise.reject(new Error('connection refused by 10.0.0.5'))
  const hung = () => new Promise(() => {})
  expect(await ready({ database: ok })).toEqual({
    status: 200,
    body: { status: 'ready', checks: { database: 'ok' } },
    failures: [],
  })
  expect(await ready({ database: broken, disk: ok })).toEqual({
    status: 503,
    body: { status: 'unavailable', checks: { database: 'failed', disk: 'ok' } },
    failures: ['database: Error: connection refused by 10.0.0.5'],
  })
  expect(await ready({ database: hung })).toEqual({
    status: 503,
    body: { status: 'unavailable', checks: { database: 'unknown' } },
    failures: ['database: no answer in time'],
  })
  // A part of the requests needs it: a load balancer that takes every replica away would stop the others too.
  expect(await ready({ database: ok, storage: broken })).toEqual({
    status: 200,
    body: { status: 'degraded', checks: { database: 'ok', storage: 'failed' } },
    failures: ['storage: Error: connection refused by 10.0.0.5'],
  })
  expect((await ready({ database: broken, storage: hung })).body.status).toBe('unavailable')
  expect((await ready({ database: ok }, true)).body).toEqual({ status: 'draining', checks: { database: 'ok' } })
})

test('liveness asks nothing', async () => {
  const answer = livenessAnswer('1.2.3')
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok', version: '1.2.3' }])
})

function drainOf(steps: Readonly<Record<string, () => Promise<unknown>>>, graceMs = 100) {
  const lines: Record<string, unknown>[] = []
  const logger = createLogger({
    level: 'info',
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  })
  const list = Object.entries(steps).map(([name, run]) => ({ name, run }))
  return { lines, drain: createDrain({ steps: list, graceMs, announceMs: 0, logger }) }
}

test('a drain runs its steps in order, once, and says so', async () => {
  const ran: string[] = []
  const step = (name: string) => async () => {
    await Bun.sleep(1)
    ran.push(name)
  }
  const { drain } = drainOf({ listen: step('listen'), jobs: step('jobs'), database: step('database') })
  expect(drain.isDraining).toBe(false)
  const first = drain.stop()
  expect(drain.isDraining).toBe(true)
  expect(drain.signal.aborted).toBe(true)
  expect(await Promise.all([first, drain.stop()])).toEqual([true, true])
  expect(ran).toEqual(['listen', 'jobs', 'database'])
})

test('a step that fails or hangs does not keep the next ones from running', async () => {
  const ran: string[] = []
  const { drain, lines } = drainOf(
    {
      listen: () => Promise.reject(new Error('no')),
      jobs: () => new Promise(() => {}),
      database: async () => ran.push('database'),
    },
    20,
  )
  expect(await drain.stop()).toBe(false)
  expect(ran).toEqual(['database'])
  expect(lines.map(({ message, step }) => [message, step])).toEqual([
    ['shutdown step failed', 'listen'],
    ['shutdown step did not end in time', 'jobs'],
  ])
})
