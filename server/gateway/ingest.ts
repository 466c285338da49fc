/** What gateways send: checked line by line, bounded, stored without anything that a client wrote. */
import { gunzipSync } from 'node:zlib'
import { and, eq, inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { operations, securityPolicies } from '../../db/tables.gen.ts'
import { httpMethods } from '../../src/kernel/methods.ts'
import { isPlainName, pathShapeOf, shapeOf } from '../../src/gateway/log/shape.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, inParts } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import {
  addCounts,
  addRows,
  boundVersion,
  type EnvironmentRow,
  type EventRow,
  findEnvironment,
  instantOf,
  invalidLine,
  knownIds,
  knownLikenesses,
  likenessOf,
  linesOf,
  merged,
  networkOf,
  readSent,
  rememberIds,
  type SentMatch,
  type SentSeen,
} from '../gateway-policy/door.ts'
import type { EnforcerRow } from './enforcer-rows.ts'
import { releasesOf, type ReleaseFacts } from './release-facts.ts'
import { addSeen, type SeenCalls } from './seen.ts'
import { selfOf } from './self.ts'
import { KnownAllowances, lineLimit, rowLimit, takeLines, takeRows, type Limit } from './throttle.ts'

const mostLines = 500
const mostBytes = 1_000_000

const limits = { rows: rowLimit, lines: { limit: lineLimit, known: new KnownAllowances() } }

/** @throws SvcError `body-too-large`, `request-malformed` */
function unpacked(bytes: Uint8Array, coding: string | undefined): Uint8Array {
  if (coding === undefined || coding === 'identity') return bytes
  if (coding !== 'gzip')
    throw new SvcError('request-malformed', { reason: `the coding "${coding.slice(0, 20)}" is not gzip` })
  try {
    return gunzipSync(bytes, { maxOutputLength: mostBytes })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new SvcError('body-too-large', { limit_bytes: mostBytes })
    throw new SvcError('request-malformed', { reason: 'the body is not gzip' })
  }
}

/** The templates of documents that requests may have been compared with, and the words in them. */
interface Known {
  readonly routes: ReadonlySet<string>
  readonly segments: ReadonlySet<string>
}

async function knownOf(read: Reader, tenantId: string, versionIds: readonly string[]): Promise<Known> {
  const routes = new Set<string>()
  for (const part of inParts([...new Set(versionIds)])) {
    const found = await read
      .selectDistinct({ path: operations.path })
      .from(operations)
      .where(inTenant(operations, tenantId, inArray(operations.versionId, part)))
    for (const { path } of found) routes.add(path)
  }
  return { routes, segments: new Set([...routes].flatMap((it) => it.split('/')).filter((it) => !it.includes('{'))) }
}

/** A field as far as its name is one that developers give: "query:q", "json:/items/*\/note". */
function plainField(field: string | null | undefined): string | null {
  const [, kind, name = ''] = /^(query|header|cookie|body|json):(.+)$/su.exec(field ?? '') ?? []
  if (kind === undefined) return null
  if (kind === 'header') return /^[A-Za-z][A-Za-z-]{0,40}(?:md5)?$/.test(name) ? `header:${name.toLowerCase()}` : null
  if (kind !== 'json') return isPlainName(name) ? `${kind}:${name}` : null
  const segments = name.split('/').slice(1, 33)
  const told = segments.map((it) => (isPlainName(it) ? it : '*'))
  return told.every((it) => it === '*') ? null : `json:/${told.join('/')}`
}

/** Where a request went: a template of the document, or else the shape of its path. */
function placeOf({ route, pathShape }: Pick<SentSeen, 'route' | 'pathShape'>, { routes, segments }: Known) {
  if (route != null && routes.has(route)) return { route, pathShape: null }
  const path = route ?? pathShape ?? null
  return { route: null, pathShape: path === null ? null : pathShapeOf(path, segments) }
}

interface Sender {
  readonly enforcer: EnforcerRow
  readonly environment: EnvironmentRow
  readonly known: Known
  readonly releases: ReadonlyMap<string, ReleaseFacts>
}

function rowOf(line: SentMatch, number: number, { enforcer, environment, known, releases }: Sender): EventRow {
  const at = instantOf(line.at, number)
  const release = line.releaseId == null ? undefined : releases.get(line.releaseId)
  const matches = line.matches.map((match) => ({
    ruleRef: match.ruleRef,
    groupId: match.groupId ?? null,
    paranoia: match.paranoia ?? null,
    severity: match.severity ?? null,
    field: plainField(match.field),
    length: match.length ?? null,
    digest: match.digest ?? null,
    // What is a shape already stays; what is not becomes one.
    shape: match.shape == null ? null : shapeOf(match.shape),
  }))
  const refs = new Set([line.ruleRef, ...matches.map(({ ruleRef }) => ruleRef)])
  const { score } = line
  const row: EventRow = {
    environmentId: environment.id,
    tenantId: environment.tenantId,
    id: line.id,
    at,
    enforcerId: enforcer.id,
    releaseId: release?.id ?? null,
    source: enforcer.label,
    region: null,
    ruleRef: line.ruleRef,
    ruleRefs: ` ${[...refs].join(' ')} `,
    groupId: line.groupId ?? matches.find(({ ruleRef }) => ruleRef === line.ruleRef)?.groupId ?? null,
    action: line.action,
    ...placeOf(line, known),
    method: httpMethods.includes(line.method) ? line.method : 'OTHER',
    status: line.status ?? null,
    count: 1,
    firstAt: at,
    lastAt: at,
    network: line.network == null ? null : networkOf(line.network, number, '/network'),
    clientDigest: line.clientDigest ?? null,
    country: null,
    score: score == null ? null : { inbound: score.inbound, threshold: score.threshold, detection: score.detection },
    matches,
    exceptionIds: [...line.exceptionIds],
    policyVersion: release?.policyVersion ?? null,
    documentId: release?.versionId ?? null,
    likeness: null,
  }
  return { ...row, likeness: likenessOf(row) }
}

const callsOf = (line: SentSeen, number: number, { known }: Sender): SeenCalls => ({
  at: instantOf(line.at, number),
  method: httpMethods.includes(line.method) ? line.method : 'OTHER',
  ...placeOf(line, known),
  count: line.count,
})

/** An instant that a clock may show: what is far ahead would stay on top of every list. */
function assertPast(at: string, now: number, number: number): void {
  if (Date.parse(at) > now + 5 * 60_000) throw invalidLine(number, '"/at" is more than five minutes ahead')
}

interface Line {
  readonly number: number
  readonly it: SentMatch | SentSeen
}

async function store(deps: Deps, tx: Transaction, sender: Sender, read: readonly Line[], rows: Limit) {
  const { environment, enforcer } = sender
  const now = deps.clock.now()
  await tx.lock(`gateway-events:${environment.id}`)
  const first = new Map(read.map((line) => [line.it.id, line]))
  const known = await knownIds(tx, environment, [...first.keys()])
  const fresh = [...first.values()].filter(({ it }) => !known.has(it.id))
  const calls = fresh.flatMap(({ it, number }) => (it.kind === 'seen' ? [callsOf(it, number, sender)] : []))
  const events = fresh.flatMap(({ it, number }) => (it.kind === 'match' ? [rowOf(it, number, sender)] : []))
  const alike = merged(events)
  const begun = await knownLikenesses(
    tx,
    environment,
    alike.flatMap(({ likeness }) => likeness ?? []),
  )
  const isNew = (row: EventRow): boolean => row.likeness === null || !begun.has(row.likeness)
  let left = await takeRows(tx, enforcer, rows, alike.filter(isNew).length, now)
  const kept = alike.filter((row) => !isNew(row) || left-- > 0)
  const stored = new Set(kept)
  const throttled = alike.filter((row) => !stored.has(row))
  await addRows(tx, kept)
  await addCounts(tx, environment, alike, throttled)
  await addSeen(tx, environment, calls)
  await rememberIds(
    tx,
    environment,
    fresh.map(({ it }) => it.id),
    deps.clock.iso(),
  )
  const without = throttled.reduce((sum, { count }) => sum + count, 0)
  return { accepted: fresh.length - without, duplicates: read.length - fresh.length, throttled: without }
}

/**
 * Stores what a gateway recorded: all lines, or none. Lines whose id is known are skipped. Where a gateway begins more than 50 rows in a
 * second, further ones are counted only.
 * @throws SvcError `enforcer-not-found`, `event-batch-invalid`, `events-throttled`, `body-too-large`, `request-malformed`
 */
export async function ingestEvents(
  deps: Deps,
  grant: Grant,
  bytes: Uint8Array,
  coding: string | undefined,
  { rows, lines }: typeof limits = limits,
) {
  const { read } = deps.db
  const enforcer = await selfOf(read, grant)
  const given = linesOf(unpacked(bytes, coding))
  if (given.length > mostLines) throw invalidLine(given.length, `a batch has at most ${mostLines} lines`)
  const wait = await takeLines(deps.db, enforcer, lines, given.length, deps.clock.now())
  if (wait > 0) throw new SvcError('events-throttled', { retry_after: wait })
  const parsed = given.map(({ text, number }): Line => ({ number, it: readSent(text, number) }))
  for (const { it, number } of parsed) assertPast(instantOf(it.at, number), deps.clock.now(), number)
  const environment = await findEnvironment(read, enforcer.tenantId, enforcer.environmentId)
  const releaseIds = parsed.flatMap(({ it }) => (it.kind === 'match' ? (it.releaseId ?? []) : []))
  const releases = await releasesOf(read, environment, releaseIds)
  const [policy] = await read
    .select({ policy: securityPolicies.policy })
    .from(securityPolicies)
    .where(
      inTenant(
        securityPolicies,
        environment.tenantId,
        and(
          eq(securityPolicies.environmentId, environment.id),
          eq(securityPolicies.version, environment.policyVersion),
        ),
      ),
    )
  const bound = await boundVersion(read, environment.tenantId, policy?.policy.positive ?? null)
  const versionIds = [...releases.values()].flatMap(({ versionId }) => versionId ?? [])
  const known = await knownOf(read, environment.tenantId, [...versionIds, ...(bound === null ? [] : [bound.id])])
  return deps.db.inTransaction((tx) => store(deps, tx, { enforcer, environment, known, releases }, parsed, rows))
}
