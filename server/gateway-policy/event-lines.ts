/** Lines of recorded events: what they may have, and the refusal of a line, which never repeats a value. */
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
import ipaddr from 'ipaddr.js'
import { groupIds } from '../../src/gateway-policy/catalogue.ts'
import { eventActions, severities } from '../../src/gateway-policy/event.ts'
import { readNetwork } from '../../src/gateway-policy/network.ts'
import { positiveChecks } from '../../src/gateway-policy/model.ts'
import { oneOf, orNull } from '../../src/kernel/shapes.ts'
import { SvcError } from '../../src/errors.ts'

const closed = { additionalProperties: false }
const short = Type.String({ minLength: 1, maxLength: 200 })
const maybe = <T extends TSchema>(it: T) => Type.Optional(orNull(it))
const whole = (maximum: number, minimum = 0) => maybe(Type.Integer({ minimum, maximum }))
const instant = Type.String({
  maxLength: 40,
  pattern: '^\\d{4}-\\d\\d-\\d\\d[Tt ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:[Zz]|[+-]\\d\\d:\\d\\d)$',
})
const importedRef = Type.String({
  pattern: '^(?:crs:\\d{1,9}|rule:[\\w-]{1,64}|positive:[A-Za-z]{1,32}|rate:[!-~]{1,100})$',
})
const score = {
  inbound: Type.Integer({ minimum: 0, maximum: 100_000 }),
  threshold: Type.Integer({ minimum: 0, maximum: 100_000 }),
  detection: Type.Integer({ minimum: 0, maximum: 4 }),
}
const route = Type.String({ maxLength: 500, pattern: '^/[^?#]*$' })

/** An event as a person imports it; a value of it is replaced before anything is stored. */
const ImportedLine = Type.Object(
  {
    id: Type.Optional(Type.String({ pattern: '^[\\w:.-]{1,100}$' })),
    at: instant,
    firstAt: Type.Optional(instant),
    lastAt: Type.Optional(instant),
    action: oneOf(eventActions),
    ruleRef: importedRef,
    groupId: maybe(oneOf(groupIds)),
    method: maybe(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,31}$' })),
    route: maybe(route),
    status: whole(999),
    source: Type.Optional(short),
    region: maybe(short),
    releaseId: maybe(short),
    policyVersion: whole(2 ** 31 - 1),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    client: Type.Optional(
      Type.Object({ ip: Type.Optional(short), country: maybe(Type.String({ pattern: '^[A-Za-z]{2}$' })) }, closed),
    ),
    score: maybe(Type.Object(score, closed)),
    matches: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ruleRef: importedRef,
            groupId: maybe(oneOf(groupIds)),
            paranoia: whole(4, 1),
            severity: maybe(oneOf(severities)),
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
export type ImportedLine = Static<typeof ImportedLine>

const uuid = Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
// Nothing that a client writes fits into these.
const sentRef = Type.String({
  maxLength: 80,
  pattern: `^(?:crs:\\d{1,7}|(?:rule|rate):(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]{1,12})|positive:(?:${positiveChecks.join('|')}))$`,
})
const digest = Type.String({ pattern: '^hmac-sha256:[0-9a-f]{32}$' })
const method = Type.String({ pattern: '^[A-Z]{1,16}$' })
const pathShape = Type.String({ maxLength: 200, pattern: '^/' })

// A newer gateway may send more than this service knows: what is unknown is left out.
const SentMatch = Type.Object({
  kind: Type.Literal('match'),
  id: uuid,
  at: instant,
  releaseId: maybe(Type.String({ maxLength: 100 })),
  action: oneOf(eventActions),
  ruleRef: sentRef,
  groupId: maybe(oneOf(groupIds)),
  method,
  route: maybe(route),
  pathShape: maybe(pathShape),
  status: whole(999),
  network: maybe(Type.String({ maxLength: 50 })),
  clientDigest: maybe(digest),
  score: maybe(Type.Object(score)),
  matches: Type.Array(
    Type.Object({
      ruleRef: sentRef,
      groupId: maybe(oneOf(groupIds)),
      paranoia: whole(4, 1),
      severity: maybe(oneOf(severities)),
      field: maybe(Type.String({ maxLength: 500 })),
      length: whole(2 ** 31 - 1),
      digest: maybe(digest),
      shape: maybe(Type.String({ maxLength: 200 })),
    }),
    { maxItems: 100 },
  ),
  exceptionIds: Type.Array(uuid, { maxItems: 50 }),
})
const SentSeen = Type.Object({
  kind: Type.Literal('seen'),
  id: uuid,
  at: instant,
  method,
  route: maybe(route),
  pathShape: maybe(pathShape),
  count: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
})
export type SentMatch = Static<typeof SentMatch>
export type SentSeen = Static<typeof SentSeen>

const checkers = {
  imported: TypeCompiler.Compile(ImportedLine),
  match: TypeCompiler.Compile(SentMatch),
  seen: TypeCompiler.Compile(SentSeen),
}

/** The refusal of a batch for one of its lines. */
export const invalidLine = (line: number, reason: string) => new SvcError('event-batch-invalid', { line, reason })

/** Lines that are not empty, with their numbers from 1. */
export const linesOf = (bytes: Uint8Array): { readonly text: string; readonly number: number }[] =>
  new TextDecoder()
    .decode(bytes)
    .split(/\r?\n/)
    .flatMap((text, index) => (text.trim() === '' ? [] : [{ text, number: index + 1 }]))

function parsed(text: string, number: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidLine(number, 'it is not JSON')
  }
}

function checked<T extends TSchema>(checker: TypeCheck<T>, value: unknown, number: number): Static<T> {
  if (checker.Check(value)) return value
  const problem = checker.Errors(value).First()
  // The value itself may be a secret, and so may the name of a property that no one declared: only its place is shown.
  throw invalidLine(
    number,
    `"${(problem?.path ?? '').slice(0, 100)}" is not valid: ${problem?.message ?? 'unknown shape'}`,
  )
}

/** @throws SvcError `event-batch-invalid` */
export const readImported = (text: string, number: number): ImportedLine =>
  checked(checkers.imported, parsed(text, number), number)

/**
 * A line of a gateway.
 * @throws SvcError `event-batch-invalid`
 */
export function readSent(text: string, number: number): SentMatch | SentSeen {
  const value = parsed(text, number)
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined
  if (kind === 'match') return checked(checkers.match, value, number)
  if (kind === 'seen') return checked(checkers.seen, value, number)
  throw invalidLine(number, '"/kind" is neither "match" nor "seen"')
}

/** An instant as an ISO text in UTC. @throws SvcError `event-batch-invalid` */
export function instantOf(text: string, number: number): string {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw invalidLine(number, `"${text.slice(0, 40)}" is not an instant`)
  return new Date(ms).toISOString()
}

/**
 * The network of an address, or of a network: /24 of IPv4, /48 of IPv6.
 * @param at where the line has it
 * @throws SvcError `event-batch-invalid`
 */
export function networkOf(ip: string, number: number, at: string): string {
  const read = readNetwork(ip.includes('/') ? (ip.split('/')[0] ?? '') : ip)
  if (typeof read === 'string') throw invalidLine(number, `"${at}" is not an address`)
  const [address = ''] = read.text.split('/')
  const parsedAddress = ipaddr.parse(address)
  return parsedAddress.kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`).toString()}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`).toString()}/48`
}
