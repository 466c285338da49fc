import { isObject } from '../../kernel/json.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { canonical } from '../../schema/node.ts'
import type { Context } from '../context.ts'
import type { Operation } from '../model/api.ts'
import { normalUrl } from '../model/url.ts'
import type { TopicIn } from '../rules.ts'
import { isSameValue } from '../sameness.ts'
import type { PlacedValue } from '../side.ts'
import { endpoints, flowsOf, schemeKey, SchemeNames, schemesOf } from './schemes.ts'
import type { Scheme } from './schemes.ts'

/** A scheme that an alternative needs, by its name in the comparison, and the scopes that it needs. */
interface Need {
  readonly key: string
  readonly name: string
  readonly scopes: ReadonlySet<string>
}

/** One way to authenticate: everything that it needs at once; without a need it lets everybody in. */
interface Alternative {
  readonly needs: readonly Need[]
  /** As it is written. */
  readonly value: JsonObject
}

const alternativesOf = (place: PlacedValue | null, nameOf: (key: string) => string): readonly Alternative[] => {
  const list = place && Array.isArray(place.value) ? (place.value as readonly Json[]) : []
  if (list.length === 0) return [{ needs: [], value: {} }]
  return list.map((entry) => {
    const value = Object.fromEntries(
      Object.entries(isObject(entry) ? entry : {})
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, scopes]) => [key, Array.isArray(scopes) ? scopes.map(String).sort() : []]),
    )
    const needs = Object.entries(value).map(([key, scopes]) => ({ key, name: nameOf(key), scopes: new Set(scopes) }))
    return { needs, value }
  })
}

/**
 * Whether credentials for `given` are enough for `wanted`. Two schemes of one alternative are two credentials, also where they
 * look alike on the wire.
 */
const satisfies = ({ needs: given }: Alternative, { needs: wanted }: Alternative): boolean => {
  if (wanted.length > given.length) return false
  const byKey = new Map(given.map((it) => [it.key, it]))
  // The first ones last, so that those that are taken can be left off.
  const byName = Map.groupBy(given.toReversed(), (it) => it.name)
  const free = new Set(given)
  const fits = (it: Need, { name, scopes }: Need): boolean =>
    it.name === name && free.has(it) && [...scopes].every((scope) => it.scopes.has(scope))
  // Needs that are under the same key in both are matched first.
  const inOrder = [...wanted.filter(({ key }) => byKey.has(key)), ...wanted.filter(({ key }) => !byKey.has(key))]
  return inOrder.every((need) => {
    const same = byKey.get(need.key)
    if (same && fits(same, need)) return free.delete(same)
    const alike = byName.get(need.name) ?? []
    while (alike.length > 0 && !free.has(alike.at(-1)!)) alike.pop()
    const own = alike.findLast((it) => fits(it, need))
    return own !== undefined && free.delete(own)
  })
}

/** What an alternative asks for, one entry for each scope of each scheme: who has all of them may have what it needs. */
const asksOf = ({ needs }: Alternative): readonly string[] =>
  needs.flatMap(({ name, scopes }) => (scopes.size === 0 ? [name] : [...scopes].map((scope) => `${name} ${scope}`)))

/** Alternatives by the rarest of what they ask for, so that two long lists are compared without comparing each with each. */
class AskIndex {
  readonly #free: readonly Alternative[]
  readonly #byAsk: ReadonlyMap<string, readonly Alternative[]>

  constructor(list: readonly Alternative[]) {
    const counts = new Map<string, number>()
    for (const it of list) for (const ask of asksOf(it)) counts.set(ask, (counts.get(ask) ?? 0) + 1)
    const rarest = (it: Alternative): string | null =>
      asksOf(it).reduce<string | null>(
        (best, ask) => (best === null || counts.get(ask)! < counts.get(best)! ? ask : best),
        null,
      )
    const groups = Map.groupBy(list, rarest)
    this.#free = groups.get(null) ?? []
    this.#byAsk = groups as ReadonlyMap<string, readonly Alternative[]>
  }

  /** Whether credentials for an alternative are enough for one of the list. */
  isSatisfiedBy(given: Alternative): boolean {
    if (this.#free.length > 0) return true
    const asks = new Set([...asksOf(given), ...given.needs.map(({ name }) => name)])
    for (const ask of asks) if (this.#byAsk.get(ask)?.some((it) => satisfies(given, it))) return true
    return false
  }
}

const identityOf = ({ needs }: Alternative): string =>
  canonical(needs.map(({ name, scopes }) => [name, ...scopes].join(' ')).sort())

const schemesIn = ({ needs }: Alternative): string => canonical(needs.map(({ name }) => name).sort())

const subjectOf = ({ needs }: Alternative): string =>
  needs.length === 0 ? 'access without credentials' : `access by ${needs.map(({ key }) => key).join(' and ')}`

/** What happened to an alternative that is gone as it was; with the same schemes only its scopes changed. */
const lost = ({ needs }: Alternative, sameSchemes: boolean): TopicIn<'security'> =>
  needs.length === 0
    ? { kind: 'anonymous', action: 'removed' }
    : sameSchemes
      ? { kind: 'scopes', action: 'changed' }
      : { kind: 'alternative', action: 'removed' }

type SchemeNote = TopicIn<'security'> & {
  readonly before?: Json
  readonly after?: Json
  readonly breaking?: boolean
  readonly docs?: boolean
  readonly policy?: 'security-scheme-endpoint-changed'
}

/**
 * Compares who may call the operations. Schemes are known by what is on the wire; the key of a scheme is a name in the document, and
 * a scheme that no operation uses on both sides affects no caller.
 */
export class SecurityComparer {
  private readonly context: Context
  private readonly base: ReadonlyMap<string, Scheme>
  private readonly head: ReadonlyMap<string, Scheme>
  private readonly names: SchemeNames
  /** The operations by the name of a scheme that they use on both sides. */
  private readonly users = new Map<string, Set<string>>()
  /** The scopes that operations of the base need, each with the name of its scheme. */
  private readonly needed = new Set<string>()

  constructor(context: Context) {
    this.context = context
    this.base = schemesOf(context.base)
    this.head = schemesOf(context.head)
    this.names = new SchemeNames(this.base, this.head)
  }

  /** Compares the alternatives of an operation. */
  compare(title: string, a: Operation, b: Operation): void {
    const before = alternativesOf(a.security, (key) => this.names.ofBase(schemeKey(this.base, key)))
    const after = alternativesOf(b.security, (key) => this.names.ofHead(schemeKey(this.head, key)))
    this.remember(title, before, after)
    const [old, fresh] = [before, after].map((list) => new Set(list.map(identityOf))) as [Set<string>, Set<string>]
    const places = { base: a.security ?? a.place, head: b.security ?? b.place }
    const given = new AskIndex(after)
    const bySchemes = new Map(after.toReversed().map((it) => [schemesIn(it), it]))
    const oldSchemes = new Set(before.filter(({ needs }) => needs.length > 0).map(schemesIn))
    for (const it of before) {
      if (fresh.has(identityOf(it))) continue
      const kept = given.isSatisfiedBy(it)
      const same = bySchemes.get(schemesIn(it))
      this.context.note(title, {
        direction: 'request',
        area: 'security',
        ...lost(it, same !== undefined),
        ...places,
        subject: subjectOf(it),
        before: it.value,
        after: same?.value ?? null,
        breaking: !kept,
        ...(kept ? {} : { reason: 'callers that authenticate in this way are rejected' }),
      })
    }
    for (const it of after) {
      if (old.has(identityOf(it))) continue
      if (oldSchemes.has(schemesIn(it))) continue
      this.context.note(title, {
        direction: 'request',
        area: 'security',
        kind: it.needs.length === 0 ? 'anonymous' : 'alternative',
        action: 'added',
        ...places,
        subject: subjectOf(it),
        after: it.value,
      })
    }
  }

  private remember(title: string, before: readonly Alternative[], after: readonly Alternative[]): void {
    for (const { name, scopes } of before.flatMap((it) => it.needs))
      for (const scope of scopes) this.needed.add(`${name} ${scope}`)
    const wanted = new Set(after.flatMap((it) => it.needs.map(({ name }) => name)))
    for (const name of before.flatMap((it) => it.needs.map((need) => need.name)))
      if (wanted.has(name)) this.users.set(name, (this.users.get(name) ?? new Set()).add(title))
  }

  /** Compares the schemes themselves, after all operations. */
  finish(): void {
    const known = new Set<string>()
    for (const scheme of this.base.values()) {
      const other = this.names.counterpart(scheme.key)
      if (other) {
        known.add(other.key)
        this.compareScheme(scheme, other)
      }
      if (!this.head.has(scheme.key)) this.noteKey(scheme, other !== null, 'removed')
    }
    for (const scheme of this.head.values())
      if (!this.base.has(scheme.key)) this.noteKey(scheme, known.has(scheme.key), 'added')
  }

  /** A key that is only on one side; where the scheme has another key there, that is a matter of the document alone. */
  private noteKey(scheme: Scheme, renamed: boolean, action: 'added' | 'removed'): void {
    this.context.note(null, {
      direction: null,
      area: 'security',
      kind: 'scheme',
      action,
      base: action === 'removed' ? scheme.place : null,
      head: action === 'added' ? scheme.place : null,
      subject: `security scheme \`${scheme.key}\``,
      ...(renamed ? { docs: true } : {}),
    })
  }

  private compareScheme(a: Scheme, b: Scheme): void {
    const operations = [...(this.users.get(this.names.ofBase(a.key)) ?? [])].sort()
    const isUsed = operations.length > 0
    const note = ({ breaking = false, policy, ...rest }: SchemeNote): void => {
      for (const operation of isUsed ? operations : [null])
        this.context.note(operation, {
          direction: null,
          area: 'security',
          base: a.place,
          head: b.place,
          subject: `security scheme \`${b.key}\``,
          ...rest,
          breaking: breaking && isUsed,
          ...(policy !== undefined && isUsed ? { policy } : {}),
        })
    }
    this.context.docs(null, a.place, b.place)
    if (a.wire !== b.wire) compareForm(a, b, note)
    if (!isSameValue(a.raw.bearerFormat, b.raw.bearerFormat))
      note({
        kind: 'bearer-format',
        action: 'changed',
        before: a.raw.bearerFormat ?? null,
        after: b.raw.bearerFormat ?? null,
      })
    compareFlows(a.raw, b.raw, (scope) => this.needed.has(`${b.key} ${scope}`), note)
  }
}

/** Reports where credentials are sent in another way. */
const compareForm = (a: Scheme, b: Scheme, note: (rest: SchemeNote) => void): void => {
  for (const word of ['type', 'in', 'name', 'scheme'] as const) {
    const spelled = (value: Json | undefined): Json =>
      (word === 'scheme' || (word === 'name' && b.raw.in === 'header')) && typeof value === 'string'
        ? value.toLowerCase()
        : (value ?? null)
    if (isSameValue(spelled(a.raw[word]), spelled(b.raw[word]))) continue
    note({
      kind: 'scheme',
      action: 'changed',
      before: a.raw[word] ?? null,
      after: b.raw[word] ?? null,
      breaking: true,
    })
  }
}

const isSameUrl = (a: Json | undefined, b: Json | undefined): boolean =>
  isSameValue(a, b) || (typeof a === 'string' && typeof b === 'string' && normalUrl(a) === normalUrl(b))

/** Compares how clients get tokens: flows, their URLs, and the scopes that they can ask for. */
const compareFlows = (
  left: JsonObject,
  right: JsonObject,
  isNeeded: (scope: string) => boolean,
  note: (rest: SchemeNote) => void,
): void => {
  if (left.type !== right.type) return
  const [a, b] = [flowsOf(left), flowsOf(right)]
  for (const flow of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
    const [before, after] = [a[flow], b[flow]]
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
      if (isSameUrl(before[word], after[word])) continue
      note({
        kind: 'endpoint',
        action: 'changed',
        before: before[word] ?? null,
        after: after[word] ?? null,
        breaking: before[word] !== undefined,
        policy: 'security-scheme-endpoint-changed',
      })
    }
    const [old, fresh] = [before.scopes, after.scopes].map((it) => (isObject(it) ? it : {})) as [JsonObject, JsonObject]
    for (const scope of [...new Set([...Object.keys(old), ...Object.keys(fresh)])].sort()) {
      if (scope in old && scope in fresh) continue
      note({
        kind: 'scope',
        action: scope in old ? 'removed' : 'added',
        before: scope in old ? scope : null,
        after: scope in fresh ? scope : null,
        // No one asks for a scope that no operation needed.
        breaking: scope in old && isNeeded(scope),
      })
    }
  }
}
