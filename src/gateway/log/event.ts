/** From one request of an engine's audit log to what may leave the machine. */
import ipaddr from 'ipaddr.js'
import {
  type EventAction,
  type GroupId,
  isOdd,
  managedGroups,
  type Severity,
  severityScore,
} from '../../gateway-policy/door.ts'
import { fieldOf, isPart } from './field.ts'
import type { LoggedMatch, LoggedScore, MatchRecord, RawMessage, RawRecord } from './model.ts'
import type { ReleaseFacts } from './release-facts.ts'
import { methodOf, sentPath, type Routes } from './routes.ts'
import { pathShapeOf, shapeOf } from './shape.ts'
import { sha256 } from '../../host/engine.ts'
import { hmacSha256 } from '../../host/native.ts'

/** The release that an engine followed when it wrote a record. */
export interface LogRelease {
  readonly releaseId: string
  readonly facts: ReleaseFacts
  readonly routes: Routes
}

/** How the lane wants its evidence. */
export interface Evidence {
  readonly kind: 'digest' | 'shape'
  /** 32 bytes of the environment: digests of equal values are equal there, and tell nothing elsewhere. */
  readonly key: Uint8Array
}

const digestOf = (evidence: Evidence, kind: 'value' | 'client', text: string): string =>
  `hmac-sha256:${hmacSha256(evidence.key, `${kind}\n${text}`).slice(0, 32)}`

/** A UUID (RFC 9562, version 8) of texts: the same texts have the same id. */
export function idOf(...texts: readonly string[]): string {
  const hex = sha256(JSON.stringify(texts))
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The network of an address: /24 of IPv4, /48 of IPv6; null: it is not an address. */
export function networkOf(ip: string): string | null {
  if (!ipaddr.isValid(ip)) return null
  const parsed = ipaddr.process(ip)
  return parsed.kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/24`).toString()}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString().split('%')[0]}/48`).toString()}/48`
}

const severities: Readonly<Record<number, Severity>> = { 2: 'critical', 3: 'error', 4: 'warning', 5: 'notice' }
const isCrs = (id: number): boolean => id >= 900_000 && id <= 999_999
/** Rules that add up (949, 959, 980) or set up (901, 905): no evidence of their own. */
const isBookkeeping = (id: number): boolean => isCrs(id) && /^(?:9[045]9|980|90[0-8])/.test(String(id))

const ours = /^svc\/(rule|positive|exception|rate)\/([\w-]{1,64})$/

interface Ref {
  readonly kind: string
  readonly ruleRef: string
  readonly id: string
}
/** What a message is about; null: set-up of ours, or a rule that svc does not know. */
function refOf({ ruleId, tags }: RawMessage): Ref | null {
  // Only our rules have our tags: the rule set has none that begin with "svc/".
  if (isCrs(ruleId)) return { kind: 'crs', ruleRef: `crs:${ruleId}`, id: String(ruleId) }
  for (const tag of tags) {
    const [, kind = '', id = ''] = ours.exec(tag) ?? []
    if (kind !== '') return { kind, ruleRef: `${kind}:${id}`, id }
  }
  return null
}

const groupByFile: ReadonlyMap<string, GroupId> = new Map(
  managedGroups.flatMap((group) => group.files.map((file) => [file, group.id] as const)),
)

function levelOf(tags: readonly string[]): number | null {
  const found = tags.map((it) => /^paranoia-level\/([1-4])$/.exec(it)?.[1]).find((it) => it !== undefined)
  return found === undefined ? null : Number(found)
}

function matchOf(message: RawMessage, ref: Ref, evidence: Evidence, { levels }: ReleaseFacts): LoggedMatch {
  const found = message.found !== null && isPart(message.found.variable) ? message.found : null
  const value = found?.value ?? null
  return {
    ruleRef: ref.ruleRef,
    groupId: ref.kind === 'crs' ? (groupByFile.get(ref.id.slice(0, 3)) ?? null) : null,
    paranoia: levelOf(message.tags) ?? levels.get(message.ruleId) ?? null,
    severity: severities[message.severity] ?? null,
    field: found === null ? null : fieldOf(found.variable),
    length: value === null ? null : Array.from(value).length,
    digest: value === null ? null : digestOf(evidence, 'value', value),
    shape: value === null || evidence.kind === 'digest' ? null : shapeOf(value),
  }
}

const mostMatches = 100

/** One match for each rule and field: engines write a chain link by link, and a rule once for each variable. */
function distinct(matches: readonly LoggedMatch[]): LoggedMatch[] {
  const byKey = new Map<string, LoggedMatch>()
  const told = new Set(matches.flatMap((it) => (it.length === null && it.field === null ? [] : [it.ruleRef])))
  for (const it of matches) {
    // A link without evidence says nothing beside one with it.
    if (it.length === null && it.field === null && told.has(it.ruleRef)) continue
    const key = `${it.ruleRef}\n${it.field ?? ''}`
    const known = byKey.get(key)
    if (known === undefined || (known.length === null && it.length !== null)) byKey.set(key, it)
  }
  return [...byKey.values()].slice(0, mostMatches)
}

function totalOf(messages: readonly RawMessage[]): number | null {
  for (const { ruleId, text } of messages) {
    const found = ruleId === 949_110 ? /\(Total Score: (\d{1,6})\)/.exec(text)?.[1] : undefined
    if (found !== undefined) return Number(found)
  }
  return null
}

/** What the engine added up; where it did not say, the sum of what it reported up to the blocking level. */
function scoreOf(record: RawRecord, matches: readonly LoggedMatch[], facts: ReleaseFacts): LoggedScore | null {
  const { threshold, paranoia, detection } = facts
  if (threshold === null || paranoia === null || detection === null) return null
  const rules = new Map(matches.filter((it) => it.ruleRef.startsWith('crs:')).map((it) => [it.ruleRef, it]))
  const sum = [...rules.values()]
    .filter((it) => (it.paranoia ?? 1) <= paranoia)
    .reduce((total, it) => total + (it.severity === null ? 0 : severityScore[it.severity]), 0)
  return { inbound: totalOf(record.messages) ?? sum, threshold, paranoia, detection }
}

const isEvaluation = (id: number): boolean => /^9[45]9/.test(String(id)) && isCrs(id)

interface Verdict {
  readonly action: EventAction
  /** The rule of ours that refused it; null: the sum of the managed rules, or none. */
  readonly by: RawMessage | null
  readonly status: number | null
}
function verdictOf(record: RawRecord, facts: ReleaseFacts): Verdict {
  const blocking = record.messages.find((it) => !isCrs(it.ruleId) && facts.rules.get(it.ruleId)?.action === 'block')
  const evaluated = record.messages.some((it) => isEvaluation(it.ruleId))
  // Where the log does not say it: a rule that refuses matched, and the answer is not that of a request that passed. Around a reload the
  // rules of the release are not always those that the request met.
  const isAnswered = record.status !== null && record.status < 400
  const refused = record.interrupted ?? ((blocking !== undefined || evaluated) && !isAnswered)
  if (refused) {
    // A rule of ours ends the request before the sum of the managed ones is asked.
    const by = evaluated ? null : (blocking ?? record.messages.findLast((it) => !isCrs(it.ruleId)) ?? null)
    const status = by === null ? 403 : (facts.rules.get(by.ruleId)?.status ?? 403)
    return {
      action: by !== null && refOf(by)?.kind === 'rate' ? 'rate-limit' : 'block',
      by,
      status: record.status ?? status,
    }
  }
  const allowing = record.messages.find((it) => !isCrs(it.ruleId) && facts.rules.get(it.ruleId)?.action === 'allow')
  if (allowing !== undefined) return { action: 'allow', by: allowing, status: record.status }
  const onlyExceptions = record.messages.every((it) => refOf(it)?.kind === 'exception')
  return { action: onlyExceptions ? 'exempt' : 'log', by: null, status: record.status }
}

const severityOrder: readonly (Severity | null)[] = ['critical', 'error', 'warning', 'notice', null]

/**
 * The rule that an event is listed under: the one that refused, else the one that would refuse first. Rules of ours end a request before
 * the sum of the managed ones is asked; of those the most severe match that counts.
 */
function leading(matches: readonly LoggedMatch[], verdict: Verdict, paranoia: number | null): LoggedMatch | undefined {
  const by = verdict.by === null ? null : refOf(verdict.by)
  const own = matches.find((it) => it.ruleRef === by?.ruleRef)
  const isBeyond = (it: LoggedMatch): number => Number((it.paranoia ?? 1) > (paranoia ?? 4))
  // Of equally severe ones the more certain rule: those of the first level refuse the fewest proper requests.
  const rank = (it: LoggedMatch): number =>
    Number(it.ruleRef.startsWith('crs:')) * 1000 +
    isBeyond(it) * 100 +
    severityOrder.indexOf(it.severity) * 10 +
    (it.paranoia ?? 5)
  return own ?? matches.toSorted((a, b) => rank(a) - rank(b))[0]
}

const noFacts: ReleaseFacts = { rules: new Map(), threshold: null, paranoia: null, detection: null, levels: new Map() }

/**
 * The redacted form of a record.
 * @param release that the engine followed; null: not known
 * @returns null where nothing of it concerns svc: no rule that it knows matched
 */
export function eventOf(record: RawRecord, release: LogRelease | null, evidence: Evidence): MatchRecord | null {
  const facts = release?.facts ?? noFacts
  const known = record.messages.flatMap((message) => {
    const ref = isBookkeeping(message.ruleId) ? null : refOf(message)
    return ref === null ? [] : [{ message, ref }]
  })
  const exceptionIds = [...new Set(known.filter(({ ref }) => ref.kind === 'exception').map(({ ref }) => ref.id))]
  const matches = distinct(
    known
      .filter(({ ref }) => ref.kind !== 'exception')
      .map(({ message, ref }) => matchOf(message, ref, evidence, facts)),
  )
  const verdict = verdictOf(record, facts)
  const lead = leading(matches, verdict, facts.paranoia)
  if (lead === undefined) return null
  const method = methodOf(record.method)
  // An odd path may be served as another operation: neither exceptions nor rules that let pass take its template for certain.
  const route = isOdd(sentPath(record.path)) ? null : (release?.routes.find(method, record.path) ?? null)
  return {
    kind: 'match',
    id: idOf('match', record.id, String(record.atMs)),
    at: new Date(record.atMs).toISOString(),
    releaseId: release?.releaseId ?? null,
    action: verdict.action,
    ruleRef: lead.ruleRef,
    groupId: lead.groupId,
    method,
    route,
    pathShape: route === null ? pathShapeOf(record.path, release?.routes.segments) : null,
    status: verdict.status,
    network: record.ip === null ? null : networkOf(record.ip),
    clientDigest: record.ip === null || !ipaddr.isValid(record.ip) ? null : digestOf(evidence, 'client', record.ip),
    score: scoreOf(record, matches, facts),
    matches,
    exceptionIds: exceptionIds.slice(0, 50),
  }
}
