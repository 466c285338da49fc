/**
 * Compares the replay of recorded requests with the engine: requests go through Coraza under each of many policies, its audit log
 * becomes events as the agent makes them, each event is replayed under each other policy, and the same request went through
 * Coraza under that policy too. Needs Go.
 *
 *     node scripts/bun.mjs run scripts/gateway-replay.ts
 *
 * It ends with an error if a replay that says "refused" or "passed" differs from the engine. "Unknown" is never wrong.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../src/kernel/json.ts'
import { compileRelease } from '../src/gateway/compile/index.ts'
import { readAudit } from '../src/gateway/log/audit.ts'
import { eventOf, type LogRelease } from '../src/gateway/log/event.ts'
import { factsOf } from '../src/gateway/log/release-facts.ts'
import { routesOf, type Route } from '../src/gateway/log/routes.ts'
import type { GroupMode, TierId } from '../src/gateway-policy/catalogue.ts'
import type { RecordedEvent } from '../src/gateway-policy/event.ts'
import type { Policy } from '../src/gateway-policy/model.ts'
import { replay } from '../src/gateway-policy/replay.ts'
import { Coraza } from './gateway/coraza.ts'
import { scenarios, type Sent } from './gateway/scenarios.ts'

interface Tried {
  readonly name: string
  readonly policy: Policy
  readonly document: Json
}

const withTier = (policy: Policy, tier: TierId): Policy => ({ ...policy, presets: { ...policy.presets, tier } })
const withMode = (policy: Policy, mode: GroupMode): Policy => ({
  ...policy,
  groups: { ...policy.groups, sqli: { mode, reason: 'r' }, xss: { mode, reason: 'r' } },
})

/** The policies of the scenarios, and each with other tiers and modes. */
const tried: readonly Tried[] = scenarios.flatMap(({ name, policy, document }) => [
  { name, policy, document },
  { name: `${name}, basic`, policy: withTier(policy, 'basic'), document },
  { name: `${name}, strict`, policy: withTier(policy, 'strict'), document },
  { name: `${name}, groups log`, policy: withMode(policy, 'log'), document },
  { name: `${name}, groups off`, policy: withMode(policy, 'off'), document },
])

const requests: readonly Sent[] = [
  ...new Map(scenarios.flatMap((it) => it.cases).map(({ sent }) => [JSON.stringify(sent), sent])).values(),
]

const evidence = { kind: 'digest', key: new Uint8Array(32) } as const

interface Verdict {
  readonly isRefused: boolean
  /** Null where nothing of the request was logged. */
  readonly event: RecordedEvent | null
}

/** Sends every request under a policy: what became of each, and the event that the agent would have sent. */
async function verdictsOf(engine: Coraza, { policy, document }: Tried): Promise<Verdict[]> {
  const { files } = compileRelease({
    policy,
    policyVersion: 1,
    environment: { id: 'e', slug: 'e', hostnames: [], basePaths: [] },
    document,
    dialect: 'coraza',
    releaseId: 'r',
    crs: 'bundled',
  })
  const log = join(engine.folder, 'audit.log')
  writeFileSync(log, '')
  await engine.load(
    files.map((it) => (it.path === 'svc.conf' ? { ...it, text: `SecAuditLog ${log}\n${it.text}` } : it)),
  )
  const routes = JSON.parse(files.find(({ path }) => path === 'routes.json')?.text ?? '[]') as Route[]
  const release: LogRelease = { releaseId: 'r', facts: factsOf(files), routes: routesOf(routes) }
  const found: Verdict[] = []
  let [seen, count] = [0, 0]
  for (const sent of requests) {
    const headers = {
      Host: 'api.example.com',
      'User-Agent': 'svc',
      Accept: '*/*',
      ...(sent.body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(sent.body)) }),
      ...sent.headers,
    }
    const { status } = await engine.send({
      ip: sent.ip ?? '127.0.0.1',
      method: sent.method ?? 'GET',
      uri: sent.uri,
      protocol: 'HTTP/1.1',
      headers: Object.entries(headers),
      body: Buffer.from(sent.body ?? '').toString('base64'),
    })
    const text = readFileSync(log, 'utf8')
    const line = text.slice(seen).trim()
    seen = text.length
    const raw = line === '' ? null : readAudit(line, (ms) => ms)
    const record = raw === null ? null : eventOf(raw, release, evidence)
    const event =
      record === null
        ? null
        : {
            ...record,
            id: String(count),
            count: 1,
            country: null,
            policyVersion: 1,
            documentId: document === null ? null : 'd',
          }
    count++
    found.push({ isRefused: status !== 0, event })
  }
  return found
}

await using engine = Coraza.build()
const now = new Date().toISOString()
const verdicts = new Map<Tried, Verdict[]>()
for (const it of tried) verdicts.set(it, await verdictsOf(engine, it))
rmSync(join(engine.folder, 'audit.log'), { force: true })

const counts = { exact: 0, unknown: 0, wrong: 0, events: 0, blocked: 0, allowed: 0 }
const wrongNames: string[] = []
for (const [then, recorded] of verdicts)
  for (const [candidate, under] of verdicts) {
    // Two documents are two versions: what one lets in says nothing about the other.
    if (then.document !== candidate.document && then.document !== null && candidate.document !== null) continue
    for (const [at, { event }] of recorded.entries()) {
      if (event === null) continue
      counts.events++
      const { newlyBlocked, newlyAllowed, unknown } = replay(
        [event],
        candidate.policy,
        new Map([[1, then.policy]]),
        now,
        candidate.document === null ? null : 'd',
      )
      const was = event.action === 'block' || event.action === 'challenge' || event.action === 'rate-limit'
      const says = unknown > 0 ? null : newlyBlocked > 0 ? true : newlyAllowed > 0 ? false : was
      counts.blocked += newlyBlocked
      counts.allowed += newlyAllowed
      if (says === null) counts.unknown++
      else if (says === under[at]?.isRefused) counts.exact++
      else {
        counts.wrong++
        const sent = requests[at]
        wrongNames.push(
          `${then.name} → ${candidate.name}: ${sent?.method ?? 'GET'} ${sent?.uri.slice(0, 80)}: says ${says ? 'refused' : 'passed'}, the engine ${under[at]?.isRefused ? 'refuses' : 'lets it pass'}; recorded ${event.action} ${event.ruleRef}`,
        )
      }
    }
  }
for (const it of wrongNames.slice(0, 40)) console.log(it)
console.log(
  `${tried.length} policies, ${requests.length} requests: ${counts.events} replays, ${counts.exact} as the engine (${counts.blocked} newly refused, ${counts.allowed} newly let through), ${counts.unknown} unknown, ${counts.wrong} wrong`,
)
process.exit(counts.wrong > 0 ? 1 : 0)
