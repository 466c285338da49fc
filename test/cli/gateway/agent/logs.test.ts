/** Logs across rotation, truncation, crashes and a service that is away. */
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'bun:test'
import { Folder } from '../../../../cli/gateway/agent/folder.ts'
import { markerOf } from '../../../../cli/gateway/agent/probe.ts'
import { ServiceFailure, type Service } from '../../../../cli/gateway/agent/service.ts'
import { batchesOf, Shipper } from '../../../../cli/gateway/agent/ship.ts'
import { Spool } from '../../../../cli/gateway/agent/spool.ts'
import { Tail } from '../../../../cli/gateway/agent/tail.ts'
import type { LogRecord } from '../../../../src/gateway/log/model.ts'
import { bundleOf } from '../../../fixtures/gateway/bundle.ts'

const folders: string[] = []
const newDir = (): string => {
  folders.push(mkdtempSync(join(tmpdir(), 'svc-logs-')))
  return folders.at(-1) ?? ''
}
afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true })
})
const most = 1 << 16

test('a tail reads each whole line once: appended, torn, rotated, truncated, replaced', () => {
  const dir = newDir()
  const path = join(dir, 'audit.log')
  const tail = new Tail(path)
  const read = (): readonly string[] | null => tail.read(most)?.lines ?? null
  expect(read()).toBeNull()
  writeFileSync(path, 'one\ntwo\nthr')
  expect([read(), read()]).toEqual([['one', 'two'], null])
  appendFileSync(path, 'ee\n')
  expect(read()).toEqual(['three'])
  // Rotated by renaming: what came after the last look is in the old file.
  appendFileSync(path, 'four\n')
  renameSync(path, join(dir, 'audit.log.1'))
  writeFileSync(path, 'five\n')
  expect([read(), read(), read()]).toEqual([['four'], ['five'], null])
  // Rotated by copying: the same file begins again.
  truncateSync(path)
  appendFileSync(path, 'six\n')
  expect(read()).toEqual(['six'])
  rmSync(path)
  expect(read()).toBeNull()
  writeFileSync(path, 'seven\n')
  expect(read()).toEqual(['seven'])
})

test('a tail goes on where it was saved, and skips what is too long', () => {
  const path = join(newDir(), 'a.log')
  writeFileSync(path, 'one\ntwo\n')
  const first = new Tail(path)
  first.skipToEnd()
  appendFileSync(path, `three\n${'x'.repeat(200)}\nfour\n`)
  const second = new Tail(path, first.position)
  const got: string[] = []
  let tooLong = 0
  for (let part = second.read(100); part !== null; part = second.read(100)) {
    got.push(...part.lines)
    tooLong += part.tooLong
  }
  expect([got, tooLong]).toEqual([['three', 'four'], 1])
})

const release = bundleOf('r-1', {
  'svc.conf': `SecRule REMOTE_ADDR "@ipMatch 203.0.113.0/24" "id:20001,phase:1,deny,status:403,log,tag:'svc/rule/r1'"\n`,
})
const history = [{ digest: release.digest, releaseId: 'r-1', fromMs: 0 }]
const audit = (n: number): string =>
  `${JSON.stringify({
    transaction: {
      id: `tx-${n}`,
      unix_timestamp: 1_795_427_325e9 + n,
      client_ip: '198.51.100.7',
      request: { method: 'GET', uri: '/pets/7?q=secretvalue' },
      is_interrupted: true,
    },
    messages: [{ data: { id: 20_001, tags: ['svc/rule/r1'], msg: 'secretvalue', severity: 2 } }],
  })}\n`
const access = (path: string, agent = 'x'): string =>
  `198.51.100.7 - - [23/Nov/2026:09:48:45 +0000] "GET ${path} HTTP/1.1" 200 3 "-" "${agent}"\n`

interface Rig {
  readonly shipper: Shipper
  readonly spool: Spool
  readonly told: string[]
}
function rigIn(
  dir: string,
  over: { spoolBytes?: number; before?: (step: string) => void; fromStart?: boolean } = {},
): Rig {
  const folder = new Folder(dir, undefined, over.before, () => undefined)
  folder.prepare()
  if (folder.manifest(release.digest) === null) folder.store(release)
  const told: string[] = []
  const spool = new Spool(folder, over.spoolBytes ?? most)
  const shipper = new Shipper({
    folder,
    spool,
    auditLog: join(dir, 'audit.log'),
    accessLog: join(dir, 'access.log'),
    fromStart: over.fromStart ?? true,
    tell: (event, data) => told.push(`${event} ${data['count'] ?? data['reason'] ?? ''}`),
  })
  return { shipper, spool, told }
}
/** A service that keeps what it gets, or fails. */
function sinkOf(fail: () => ServiceFailure | null = () => null): Service & { readonly got: LogRecord[] } {
  const got: LogRecord[] = []
  return {
    got,
    bundle: async () => ({ kind: 'unchanged' }),
    status: async () => undefined,
    events: async (lines) => {
      const failure = fail()
      if (failure !== null) throw failure
      got.push(...lines.map((it) => JSON.parse(it) as LogRecord))
      return { accepted: lines.length, duplicates: 0, throttled: 0 }
    },
  }
}
const never = new AbortController().signal
const readAll = ({ shipper }: Rig): void => {
  while (shipper.read(history)) continue
}
const sendAll = async ({ shipper }: Rig, service: Service): Promise<void> => {
  while (await shipper.send(service, never)) continue
}

test('records leave redacted, each once, and the place is kept', async () => {
  const dir = newDir()
  writeFileSync(join(dir, 'audit.log'), audit(1) + audit(2))
  writeFileSync(
    join(dir, 'access.log'),
    access('/pets/1') +
      access('/health', markerOf(release.digest)) +
      access('/pets/2?x=secretvalue') +
      access('/admin'),
  )
  const rig = rigIn(dir)
  const service = sinkOf()
  expect(rig.shipper.read([])).toBeFalse()
  readAll(rig)
  expect(readFileSync(join(dir, 'spool/000000000001.ndjson'), 'utf8')).not.toContain('secret')
  await sendAll(rig, service)
  expect(
    service.got.map((it) =>
      it.kind === 'match'
        ? [it.action, it.ruleRef, it.route, it.status, it.releaseId]
        : [it.count, it.route, it.pathShape],
    ),
  ).toEqual([
    ['block', 'rule:r1', '/pets/{id}', 403, 'r-1'],
    ['block', 'rule:r1', '/pets/{id}', 403, 'r-1'],
    [2, '/pets/{id}', null],
    [1, null, '/admin'],
  ])
  expect(new Set(service.got.map(({ id }) => id)).size).toBe(4)
  // Another process goes on behind it.
  appendFileSync(join(dir, 'audit.log'), audit(3))
  const next = rigIn(dir)
  readAll(next)
  await sendAll(next, service)
  expect(service.got.length).toBe(5)
  expect([rig.told, next.told]).toEqual([[], []])
})

test('what the logs had before the first start is left, unless it is asked for', () => {
  const dir = newDir()
  writeFileSync(join(dir, 'audit.log'), audit(1))
  expect(rigIn(dir, { fromStart: false }).shipper.read(history)).toBeFalse()
})

test('a service that is away: records wait, then arrive; one that refuses a part gets what follows', async () => {
  const dir = newDir()
  writeFileSync(join(dir, 'audit.log'), audit(1))
  const rig = rigIn(dir)
  const failures: (ServiceFailure | null)[] = [
    new ServiceFailure('refused', null),
    new ServiceFailure('busy', 503),
    null,
    new ServiceFailure('wrong', 422, 'event-batch-invalid'),
    null,
  ]
  const service = sinkOf(() => failures.shift() ?? null)
  readAll(rig)
  const attempt = (): Promise<unknown> =>
    rig.shipper.send(service, never).catch((error: unknown) => (error as Error).message)
  expect([await attempt(), await attempt(), await attempt(), await attempt()]).toEqual(['refused', 'busy', true, false])
  appendFileSync(join(dir, 'audit.log'), audit(2))
  readAll(rig)
  expect(await attempt()).toBeTrue()
  appendFileSync(join(dir, 'audit.log'), audit(3))
  readAll(rig)
  expect(await attempt()).toBeTrue()
  expect([service.got.length, rig.told]).toEqual([2, ['records-refused 1']])
})

test('a full spool drops the oldest records, counts them and says so; the count survives', () => {
  const dir = newDir()
  const rig = rigIn(dir, { spoolBytes: 1500 })
  for (let n = 1; n <= 6; n++) {
    appendFileSync(join(dir, 'audit.log'), audit(n))
    readAll(rig)
  }
  const kept = rig.spool.oldest()
  expect(kept?.name).toBe('000000000005.ndjson')
  expect([rig.spool.dropped, rig.told]).toEqual([
    4,
    ['records-dropped 1', 'records-dropped 1', 'records-dropped 1', 'records-dropped 1'],
  ])
  expect(rigIn(dir, { spoolBytes: 1500 }).spool.dropped).toBe(4)
})

test('killed or without space at any step: no record is lost, and the service can tell the ones that come twice', async () => {
  const logs = (dir: string, n: number): void => {
    appendFileSync(join(dir, 'audit.log'), audit(n))
    appendFileSync(join(dir, 'access.log'), access(`/pets/${n}`))
  }
  const round = async (rig: Rig, service: Service): Promise<void> => {
    readAll(rig)
    await sendAll(rig, service)
  }
  const steps: string[] = []
  const trial = newDir()
  logs(trial, 1)
  await round(rigIn(trial, { before: (step) => void steps.push(step) }), sinkOf())
  const count = steps.length
  expect(count).toBeGreaterThan(12)
  for (let at = 0; at < count; at++) {
    const dir = newDir()
    logs(dir, 1)
    const service = sinkOf()
    let n = 0
    const before = (): void => {
      if (n++ >= at) throw Object.assign(new Error('gone'), { code: 'ENOSPC' })
    }
    try {
      const rig = rigIn(dir, { before })
      rig.shipper.read(history)
      await rig.shipper.send(service, never)
      await rig.shipper.send(service, never)
    } catch {
      // The process is gone.
    }
    logs(dir, 2)
    await round(rigIn(dir), service)
    const byId = new Map(service.got.map((it) => [it.id, it]))
    const matches = [...byId.values()].filter((it) => it.kind === 'match').length
    const calls = [...byId.values()].reduce((sum, it) => sum + (it.kind === 'seen' ? it.count : 0), 0)
    expect([at, matches, calls]).toEqual([at, 2, 2])
  }
})

test('lines are sent in parts that the service takes', () => {
  expect(batchesOf(Array.from({ length: 1200 }, () => 'x')).map((it) => it.length)).toEqual([500, 500, 200])
  expect(batchesOf(Array.from({ length: 5 }, () => 'x'.repeat(400_000))).map((it) => it.length)).toEqual([2, 2, 1])
  expect(batchesOf([])).toEqual([])
})
