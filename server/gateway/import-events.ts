/** Imports what gateways recorded, from lines of JSON. Nothing of a value is kept but its length and a keyed digest. */
import { createHmac } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import ipaddr from 'ipaddr.js'
import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { inTenant } from '../../db/conditions.ts'
import { newId } from '../../db/id.ts'
import { securityEvents } from '../../db/tables.gen.ts'
import { groupIds } from '../../src/gateway/policy/catalogue.ts'
import { eventActions, severities, type EventMatch } from '../../src/gateway/policy/event.ts'
import { readNetwork } from '../../src/gateway/policy/network.ts'
import { oneOf, orNull } from '../../src/api/shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, tenantOf } from '../auth/caller.ts'
import type { Grant } from '../auth/grant.ts'
import { inParts } from '../auth/people.ts'
import type { Deps } from '../deps.ts'
import { evidenceKey } from './evidence.ts'
import { appendAudit, findEnvironment, lockEnvironment, type EnvironmentRow, type EventRow } from './store.ts'

const mostLines = 5000
const closed = { additionalProperties: false }
const short = Type.String({ minLength: 1, maxLength: 200 })
const maybe = <T extends ReturnType<typeof Type.String>>(it: T) => Type.Optional(orNull(it))
const whole = (maximum: number) => Type.Optional(orNull(Type.Integer({ minimum: 0, maximum })))
const ruleRef = Type.String({
  pattern: '^(?:crs:\\d{1,9}|rule:[\\w-]{1,64}|positive:[A-Za-z]{1,32}|rate:[!-~]{1,100})$',
})
const instant = Type.String({
  maxLength: 40,
  pattern: '^\\d{4}-\\d\\d-\\d\\d[Tt ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:[Zz]|[+-]\\d\\d:\\d\\d)$',
})

const Line = Type.Object(
  {
    id: Type.Optional(Type.String({ pattern: '^[\\w:.-]{1,100}$' })),
    at: instant,
    firstAt: Type.Optional(instant),
    lastAt: Type.Optional(instant),
    action: oneOf(eventActions),
    ruleRef,
    groupId: Type.Optional(orNull(oneOf(groupIds))),
    method: maybe(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,31}$' })),
    route: maybe(Type.String({ maxLength: 500, pattern: '^/[^?#]*$' })),
    status: whole(999),
    source: Type.Optional(short),
    region: maybe(short),
    releaseId: maybe(short),
    policyVersion: whole(2 ** 31 - 1),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    client: Type.Optional(
      Type.Object({ ip: Type.Optional(short), country: maybe(Type.String({ pattern: '^[A-Za-z]{2}$' })) }, closed),
    ),
    score: Type.Optional(
      orNull(
        Type.Object(
          {
            inbound: Type.Integer({ minimum: 0, maximum: 100_000 }),
            threshold: Type.Integer({ minimum: 0, maximum: 100_000 }),
            detection: Type.Integer({ minimum: 0, maximum: 4 }),
          },
          closed,
        ),
      ),
    ),
    matches: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ruleRef,
            groupId: Type.Optional(orNull(oneOf(groupIds))),
            paranoia: Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: 4 }))),
            severity: Type.Optional(orNull(oneOf(severities))),
            field: maybe(Type.String({ maxLength: 500, pattern: '^(?:query|header|cookie|json|path|body):.' })),
            value: Type.Optional(Type.String()),
            length: whole(2 ** 31 - 1),
          },
          closed,
        ),
        { maxItems: 100 },
      ),
    ),
    exceptionIds: Type.Optional(Type.Array(short, { maxItems: 50 })),
  },
  closed,
)
type Line = Static<typeof Line>
const checker = TypeCompiler.Compile(Line)

const invalid = (line: number, reason: string) => new SvcError('event-batch-invalid', { line, reason })

/** @throws SvcError `event-batch-invalid` */
function readLine(text: string, number: number): Line {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid(number, 'it is not JSON')
  }
  if (checker.Check(value)) return value
  const [problem] = checker.Errors(value)
  // The value itself may be a secret: only its place is shown.
  throw invalid(number, `"${problem?.path ?? ''}" is not valid: ${problem?.message ?? 'unknown shape'}`)
}

/** The network of an address: /24 of IPv4, /48 of IPv6. */
function networkOf(ip: string, number: number): string {
  const read = readNetwork(ip.includes('/') ? (ip.split('/')[0] ?? '') : ip)
  if (typeof read === 'string') throw invalid(number, '"/client/ip" is not an address')
  const [address = ''] = read.text.split('/')
  const parsed = ipaddr.parse(address)
  return parsed.kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`).toString()}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`).toString()}/48`
}

function instantOf(text: string, number: number): string {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw invalid(number, `"${text.slice(0, 40)}" is not an instant`)
  return new Date(ms).toISOString()
}

type Digest = (kind: string, text: string) => string

const matchOf = ({ value, ...it }: NonNullable<Line['matches']>[number], digest: Digest): EventMatch => ({
  ruleRef: it.ruleRef,
  groupId: it.groupId ?? null,
  paranoia: it.paranoia ?? null,
  severity: it.severity ?? null,
  field: it.field ?? null,
  length: value === undefined ? (it.length ?? null) : Array.from(value).length,
  digest: value === undefined ? null : digest('value', value),
  shape: null,
})

function rowOf(line: Line, number: number, row: EnvironmentRow, digest: Digest): EventRow {
  const at = instantOf(line.at, number)
  const matches = (line.matches ?? []).map((it) => matchOf(it, digest))
  const refs = new Set([line.ruleRef, ...matches.map((it) => it.ruleRef)])
  const { client = {} } = line
  return {
    environmentId: row.id,
    tenantId: row.tenantId,
    id: line.id ?? newId(),
    at,
    enforcerId: null,
    releaseId: line.releaseId ?? null,
    source: line.source ?? 'import',
    region: line.region ?? null,
    ruleRef: line.ruleRef,
    ruleRefs: ` ${[...refs].join(' ')} `,
    groupId: line.groupId ?? matches.find((it) => it.ruleRef === line.ruleRef)?.groupId ?? null,
    action: line.action,
    route: line.route ?? null,
    method: line.method?.toUpperCase() ?? null,
    status: line.status ?? null,
    count: line.count ?? 1,
    firstAt: line.firstAt === undefined ? at : instantOf(line.firstAt, number),
    lastAt: line.lastAt === undefined ? at : instantOf(line.lastAt, number),
    network: client.ip === undefined ? null : networkOf(client.ip, number),
    clientDigest: client.ip === undefined ? null : digest('client', client.ip),
    country: client.country?.toUpperCase() ?? null,
    score: line.score ?? null,
    matches,
    exceptionIds: line.exceptionIds ?? [],
    policyVersion: line.policyVersion ?? null,
  }
}

/**
 * Stores recorded events: all lines, or none. Those whose id is known are skipped, so that a batch can be sent again.
 * @param bytes lines of JSON; empty lines are skipped
 * @throws SvcError `environment-not-found`, `event-batch-invalid`, `secret-key-missing`
 */
export async function importEvents(deps: Deps, grant: Grant, ref: string, bytes: Uint8Array) {
  const { id: tenantId } = tenantOf(grant)
  await findEnvironment(deps.db.read, tenantId, ref)
  const lines = new TextDecoder()
    .decode(bytes)
    .split(/\r?\n/)
    .flatMap((text, index) => (text.trim() === '' ? [] : [{ text, number: index + 1 }]))
  if (lines.length > mostLines) throw invalid(lines.length, `a batch has at most ${mostLines} lines`)
  const read = lines.map(({ text, number }) => ({ line: readLine(text, number), number }))
  return deps.db.inTransaction(async (tx) => {
    const row = await lockEnvironment(tx, tenantId, ref)
    const key = await evidenceKey(deps, tx, tenantId)
    const digest: Digest = (kind, text) =>
      `hmac-sha256:${createHmac('sha256', key).update(`${kind}\n${text}`).digest('hex').slice(0, 32)}`
    const rows = new Map(read.map(({ line, number }) => rowOf(line, number, row, digest)).map((it) => [it.id, it]))
    for (const part of inParts([...rows.keys()])) {
      const known = await tx
        .select({ id: securityEvents.id })
        .from(securityEvents)
        .where(
          inTenant(
            securityEvents,
            tenantId,
            and(eq(securityEvents.environmentId, row.id), inArray(securityEvents.id, part)),
          ),
        )
      for (const { id } of known) rows.delete(id)
    }
    for (const part of inParts([...rows.values()], 50)) await tx.insert(securityEvents).values(part)
    const stored = rows.size
    if (stored > 0)
      await appendAudit(tx, row, {
        actor: actorOf(grant) ?? 'system',
        action: 'events.imported',
        target: 'events',
        after: { stored },
        policyVersion: row.policyVersion,
        at: deps.clock.iso(),
      })
    return { stored, known: lines.length - stored }
  })
}
