import { isObject } from '../../document/json.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { canonical } from '../../schema/node.ts'
import type { Operation } from '../model/api.ts'
import type { Context } from '../context.ts'
import type { TopicIn } from '../rules.ts'
import { isSameValue } from '../sameness.ts'
import { objectAt } from '../side.ts'
import type { Place, Side } from '../side.ts'

/** One way to be let in: schemes with the scopes that each has to have; no scheme at all lets everybody in. */
type Alternative = ReadonlyMap<string, ReadonlySet<string>>

const alternativesOf = (place: Place | null): readonly Alternative[] => {
  if (!place || !Array.isArray(place.value) || place.value.length === 0) return [new Map()]
  return (place.value as readonly Json[]).map(
    (it) =>
      new Map(
        Object.entries(isObject(it) ? it : {}).map(([name, scopes]) => [
          name,
          new Set(Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : []),
        ]),
      ),
  )
}

/** Whether who satisfies `given` satisfies `asked` too. */
const satisfies = (given: Alternative, asked: Alternative): boolean =>
  [...asked].every(([name, scopes]) => {
    const own = given.get(name)
    return own !== undefined && [...scopes].every((scope) => own.has(scope))
  })

const plain = (alternative: Alternative): Json =>
  Object.fromEntries(
    [...alternative].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, scopes]) => [name, [...scopes].sort()]),
  )

const nameOf = (alternative: Alternative): string =>
  alternative.size === 0 ? 'access without credentials' : `access by ${[...alternative.keys()].sort().join(' and ')}`

/** What happened to an alternative that is gone as it was; with the same schemes only its scopes changed. */
const lost = (alternative: Alternative, sameSchemes: boolean): TopicIn<'security'> =>
  alternative.size === 0
    ? { kind: 'anonymous', action: 'removed' }
    : sameSchemes
      ? { kind: 'scopes', action: 'changed' }
      : { kind: 'alternative', action: 'removed' }

/** Compares who may call an operation: alternatives, each a set of schemes and scopes. */
export const compareSecurity = (context: Context, operation: string, base: Operation, head: Operation): void => {
  const before = alternativesOf(base.security)
  const after = alternativesOf(head.security)
  const keys = (list: readonly Alternative[]): Set<string> => new Set(list.map((it) => canonical(plain(it))))
  const old = keys(before)
  const fresh = keys(after)
  const places = { base: base.security ?? base.place, head: head.security ?? head.place }
  for (const it of before) {
    if (fresh.has(canonical(plain(it)))) continue
    const kept = after.some((other) => satisfies(it, other))
    const sameSchemes = after.find((other) => isSameValue([...other.keys()].sort(), [...it.keys()].sort()))
    context.note(operation, {
      direction: 'request',
      area: 'security',
      ...lost(it, sameSchemes !== undefined),
      ...places,
      subject: nameOf(it),
      before: plain(it),
      after: sameSchemes ? plain(sameSchemes) : null,
      breaking: !kept,
      ...(kept ? {} : { reason: 'who called it this way is refused' }),
    })
  }
  for (const it of after) {
    if (old.has(canonical(plain(it)))) continue
    if (before.some((other) => other.size > 0 && isSameValue([...other.keys()].sort(), [...it.keys()].sort()))) continue
    context.note(operation, {
      direction: 'request',
      area: 'security',
      kind: it.size === 0 ? 'anonymous' : 'alternative',
      action: 'added',
      ...places,
      subject: nameOf(it),
      after: plain(it),
    })
  }
}

const schemesOf = (side: Side): ReadonlyMap<string, Place> => {
  const place = side.at(side.dialect === 'swagger-2.0' ? ['securityDefinitions'] : ['components', 'securitySchemes'])
  return new Map(place ? side.members(place) : [])
}

/** A scheme as OpenAPI 3 writes it: what Swagger 2.0 calls `basic` is one of HTTP's own. */
const schemeAt = (place: Place): JsonObject => {
  const raw = objectAt(place)
  return raw.type === 'basic' ? { ...raw, type: 'http', scheme: 'basic' } : raw
}

const identity = ['type', 'in', 'name', 'scheme'] as const
const endpoints = ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'openIdConnectUrl'] as const

/** Compares the schemes themselves, for the operations that use them. */
export const compareSchemes = (context: Context, users: ReadonlyMap<string, ReadonlySet<string>>): void => {
  const before = schemesOf(context.base)
  const after = schemesOf(context.head)
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const a = before.get(name)
    const b = after.get(name)
    const operations = [...(users.get(name) ?? [])].sort()
    const common = {
      direction: null,
      base: a ?? null,
      head: b ?? null,
      subject: `security scheme \`${name}\``,
    } as const
    const note: Noter = (rest) => {
      for (const operation of operations.length > 0 ? operations : [null])
        context.note(operation, { ...common, ...rest, area: 'security' })
    }
    if (!a || !b) {
      note({ kind: 'scheme', action: a ? 'removed' : 'added' })
      continue
    }
    context.docs(null, a, b)
    const left = schemeAt(a)
    const right = schemeAt(b)
    for (const word of identity) {
      const lower = (value: Json | undefined): Json =>
        word === 'scheme' && typeof value === 'string' ? value.toLowerCase() : (value ?? null)
      if (isSameValue(lower(left[word]), lower(right[word]))) continue
      note({
        kind: 'scheme',
        action: 'changed',
        before: left[word] ?? null,
        after: right[word] ?? null,
        breaking: true,
      })
    }
    if (!isSameValue(left.bearerFormat, right.bearerFormat)) {
      note({
        kind: 'bearer-format',
        action: 'changed',
        before: left.bearerFormat ?? null,
        after: right.bearerFormat ?? null,
        breaking: true,
        policy: 'security-scheme-endpoint-changed',
      })
    }
    compareFlows(left, right, note)
  }
}

type Noter = (
  rest: TopicIn<'security'> & {
    before?: Json
    after?: Json
    breaking?: boolean
    policy?: 'security-scheme-endpoint-changed'
  },
) => void

const flowsOf = (scheme: {
  readonly [key: string]: Json
}): Readonly<Record<string, { readonly [key: string]: Json }>> => {
  if (isObject(scheme.flows))
    return Object.fromEntries(
      Object.entries(scheme.flows)
        .filter(([key]) => !key.startsWith('x-'))
        .map(([key, it]) => [key, isObject(it) ? it : {}]),
    )
  // In Swagger 2.0 a scheme has one flow, under names of its own.
  const names: Readonly<Record<string, string>> = { accessCode: 'authorizationCode', application: 'clientCredentials' }
  if (typeof scheme.flow === 'string') return { [names[scheme.flow] ?? scheme.flow]: scheme }
  return { '': scheme }
}

const compareFlows = (
  left: { readonly [key: string]: Json },
  right: { readonly [key: string]: Json },
  note: Noter,
): void => {
  const a = flowsOf(left)
  const b = flowsOf(right)
  for (const flow of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
    const before = a[flow]
    const after = b[flow]
    if (!before || !after) {
      note({
        kind: 'flow',
        action: before ? 'removed' : 'added',
        before: before ? flow : null,
        after: after ? flow : null,
        breaking: before !== undefined,
      })
      continue
    }
    for (const word of endpoints) {
      if (isSameValue(before[word], after[word])) continue
      note({
        kind: 'endpoint',
        action: 'changed',
        before: before[word] ?? null,
        after: after[word] ?? null,
        breaking: before[word] !== undefined,
        policy: 'security-scheme-endpoint-changed',
      })
    }
    const old = isObject(before.scopes) ? before.scopes : {}
    const fresh = isObject(after.scopes) ? after.scopes : {}
    for (const scope of [...new Set([...Object.keys(old), ...Object.keys(fresh)])].sort()) {
      if (scope in old && scope in fresh) continue
      note({
        kind: 'scope',
        action: scope in old ? 'removed' : 'added',
        before: scope in old ? scope : null,
        after: scope in fresh ? scope : null,
        breaking: scope in old,
      })
    }
  }
}

/** The schemes that an operation names, in either document. */
export const schemesUsed = (operation: Operation): readonly string[] =>
  alternativesOf(operation.security).flatMap((it) => [...it.keys()])
