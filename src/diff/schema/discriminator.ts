import { isObject } from '../../kernel/json.ts'
import type { Json } from '../../kernel/json.ts'
import { mappedReference } from '../family.ts'
import type { Family } from '../family.ts'
import { isSameValue } from '../sameness.ts'
import type { SchemaPair } from './pair.ts'
import type { Judgement } from './judgement.ts'
import type { Use } from './use.ts'
import { listedValues } from '../selector.ts'
import { pointerOf } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'
import type { View } from '../view.ts'

/** What a discriminator says on one side. */
interface Discriminator {
  readonly property: Json
  /** The schemas that it names itself, by value. */
  readonly mapping: ReadonlyMap<string, Json>
  /** All that a value can mean, the names of schemas included. */
  readonly meanings: ReadonlyMap<string, PlacedValue>
  /** The values that are sent: the name of a schema is not where the mapping has others for it. */
  readonly sent: ReadonlySet<string>
  /** Those that extend the schema and are not a branch of another choice, by value: nothing else leads to them. */
  readonly heirs: ReadonlyMap<string, PlacedValue>
}

const nameOf = (place: PlacedValue): string => {
  const ref = isObject(place.value) ? place.value.$ref : undefined
  return typeof ref === 'string' ? decodeURIComponent(ref.slice(ref.lastIndexOf('/') + 1)) : ''
}

/** Whether a value is written for a place: neither its mapping nor its name counts if the place lists other values only. */
const isMeant = (side: Side, place: PlacedValue, property: Json, value: string): boolean => {
  const listed = typeof property === 'string' ? listedValues(side, place, property) : null
  return listed === null || listed.includes(value)
}

/**
 * Reads a discriminator with what its values mean (OpenAPI 3.0.3, "Discriminator Object"): explicitly by its mapping, implicitly
 * by the name of each branch, or, where there are no branches, of each schema that extends the one with the discriminator in
 * `allOf`. Of a schema that itself extends that one, only what extends it in turn counts.
 */
const read = (view: View, side: Side, family: Family): Discriminator | null => {
  const word = view.words.get('discriminator')
  const given = word?.value
  if (word === undefined || (!isObject(given) && typeof given !== 'string')) return null
  const property = isObject(given) ? (given.propertyName ?? null) : (given ?? null)
  const written = isObject(given) && isObject(given.mapping) ? Object.entries(given.mapping) : []
  const meanings = new Map<string, PlacedValue>()
  const heirs = new Map<string, PlacedValue>()
  const [top] = view.places
  const within = top ? family.descendantsOf(top) : []
  const isOwn = top === undefined || pointerOf(word.path).startsWith(`${pointerOf(top.path)}/`)
  const reached = new Set([...(top ? [top] : []), ...within.map((it) => it.place)].map((it) => pointerOf(it.path)))
  const isReached = (place: PlacedValue): boolean => isOwn || reached.has(pointerOf(place.path))
  for (const union of view.unions)
    for (const branch of union.branches) {
      const [name, place] = [nameOf(branch), side.follow(branch)]
      if (name !== '' && isReached(place) && isMeant(side, place, property, name)) meanings.set(name, place)
    }
  if (view.unions.length === 0)
    for (const { name, place } of within) {
      if (isMeant(side, place, property, name)) meanings.set(name, place)
      heirs.set(name, place)
    }
  const mapping = new Map<string, Json>()
  for (const [value, target] of written) {
    const place = typeof target === 'string' ? side.find(mappedReference(target)) : null
    if (!isOwn && !(place && isReached(place))) continue
    mapping.set(value, target)
    if (!place) continue
    meanings.set(value, place)
    if (view.unions.length === 0 && place.value !== top?.value) heirs.set(value, place)
  }
  if (view.unions.length === 0 && (within.length > 0 || !isOwn) && top && top.path.length > 0) {
    const own = String(top.path.at(-1))
    if (!meanings.has(own) && isMeant(side, top, property, own)) meanings.set(own, top)
  }
  const mapped = new Set([...mapping.keys()].map((value) => meanings.get(value)?.value))
  // Those who send one of several heirs send its name, not that of the schema that they extend.
  const isImplied = (it: PlacedValue): boolean => !mapped.has(it.value) && (!isOwn || it.value !== top?.value)
  const sent = new Set([...meanings].flatMap(([value, it]) => (mapping.has(value) || isImplied(it) ? [value] : [])))
  return { property, mapping, meanings, sent, heirs }
}

const breaks = (reason: string) => (): Judgement => ({ verdict: 'breaking', witness: null, reason })

/** Whether a value means the same on both sides: the schema of one place, or one that allows the same values. */
const isSameMeaning = (pair: SchemaPair, before: PlacedValue | undefined, after: PlacedValue | undefined): boolean => {
  if (!before || !after) return before === after
  // A schema of the same name is the same one: what changed of it is reported there.
  return before.path.at(-1) === after.path.at(-1) || pair.schemas.identical([before], [after], pair.use.direction)
}

/** Whether objects whose value selects no schema have one (OpenAPI 3.2, section 4.25, `defaultMapping`). */
const hasDefault = (discriminator: Json | undefined): boolean =>
  isObject(discriminator) && typeof discriminator.defaultMapping === 'string'

/** States what changed of the values of a discriminator, and compares what only it leads to. */
export const compareDiscriminator = (pair: SchemaPair): void => {
  const [left, right] = [pair.base.words.get('discriminator'), pair.head.words.get('discriminator')]
  if (!left && !right) return
  const places = {
    base: left?.path ?? null,
    head: right?.path ?? null,
    before: left?.value ?? null,
    after: right?.value ?? null,
  }
  const a = read(pair.base, pair.sides.base, pair.schemas.selector(pair.sides.base).family)
  const b = read(pair.head, pair.sides.head, pair.schemas.selector(pair.sides.head).family)
  if (!a || !b) {
    if (!isSameValue(left?.value, right?.value))
      pair.state({ kind: 'discriminator', action: left ? 'removed' : 'added', ...places })
    return
  }
  if (!isSameValue(a.property, b.property)) {
    pair.state({
      kind: 'discriminator',
      action: 'changed',
      ...places,
      always: true,
      judge: breaks('another property tells the branches apart'),
    })
    return
  }
  const [given, other] = [hasDefault(left?.value), hasDefault(right?.value)]
  if (given !== other)
    pair.state({
      kind: 'discriminator',
      action: 'changed',
      ...places,
      remark: `\`defaultMapping\` was ${given ? 'removed' : 'added'}`,
      ...(given === pair.use.fromClient
        ? { always: true, judge: breaks('objects whose value selects no schema have one on this side only') }
        : {}),
    })
  compareValues(pair, a, b)
  const compared = new Set<string>()
  for (const [value, place] of a.heirs) {
    const other = b.heirs.get(value)
    const key = other ? `${pointerOf(place.path)} ${pointerOf(other.path)}` : ''
    if (!other || compared.has(key)) continue
    compared.add(key)
    pair.beside([place], [other], selectedBy(pair, a, b, place, other))
  }
}

/** The values that select one place in the base and the other in the head. */
const selectedBy = (
  pair: SchemaPair,
  a: Discriminator,
  b: Discriminator,
  place: PlacedValue,
  other: PlacedValue,
): Use['selected'] | null => {
  const { sent } = pair.use.fromClient ? a : b
  const values = [...a.meanings].flatMap(([value, it]) =>
    sent.has(value) && it.value === place.value && b.meanings.get(value)?.value === other.value ? [value] : [],
  )
  return values.length > 0 && typeof a.property === 'string' ? { property: a.property, values: values.sort() } : null
}

/** The values of the discriminators of a pair that select one branch in the base and the other in the head. */
export const selectionOf = (pair: SchemaPair): ((base: PlacedValue, head: PlacedValue) => Use['selected'] | null) => {
  const { base, head } = pair.sides
  const a = read(pair.base, base, pair.schemas.selector(base).family)
  const b = read(pair.head, head, pair.schemas.selector(head).family)
  if (!a || !b || !isSameValue(a.property, b.property)) return () => null
  return (left, right) => selectedBy(pair, a, b, base.follow(left), head.follow(right))
}

/**
 * The values of the property that tells branches or heirs apart, for the one who sends them: those that select something. Null
 * where it tells nothing apart.
 */
export const tagOf = (pair: SchemaPair): NonNullable<Use['selected']> | null => {
  if (pair.use.selected) return pair.use.selected
  const [view, side] = pair.use.fromClient ? [pair.base, pair.sides.base] : [pair.head, pair.sides.head]
  const found = read(view, side, pair.schemas.selector(side).family)
  if (!found || typeof found.property !== 'string' || found.meanings.size === 0) return null
  const listed = view.places[0] ? listedValues(side, view.places[0], found.property) : null
  return { property: found.property, values: [...new Set([...found.sent, ...(listed ?? [])])].sort() }
}

/** The values that mean something on one side alone, or something else. */
const compareValues = (pair: SchemaPair, a: Discriminator, b: Discriminator): void => {
  for (const value of [
    ...new Set([...a.meanings.keys(), ...b.meanings.keys(), ...a.mapping.keys(), ...b.mapping.keys()]),
  ].sort()) {
    const [before, after] = [a.meanings.get(value), b.meanings.get(value)]
    const [wasSent, isSent] = [a.sent.has(value) || a.mapping.has(value), b.sent.has(value) || b.mapping.has(value)]
    if (before && after && isSameMeaning(pair, before, after)) continue
    const [written, fresh] = [a.mapping.get(value), b.mapping.get(value)]
    if (!before && !after && isSameValue(written, fresh)) continue
    const action = before && after ? 'changed' : (before ?? written) === undefined ? 'added' : 'removed'
    if (action === 'removed' ? !wasSent : action === 'added' ? !isSent : !wasSent && !isSent) continue
    pair.state({
      kind: 'discriminator-mapping',
      action,
      base: pair.base.words.get('discriminator')?.path ?? null,
      head: pair.head.words.get('discriminator')?.path ?? null,
      before: written ?? (before ? `#${pointerOf(before.path)}` : null),
      after: fresh ?? (after ? `#${pointerOf(after.path)}` : null),
      subject: `the discriminator value "${value}"`,
      ...valueStance(pair, action, a, value, after),
    })
  }
}

/** Whether the property that tells branches apart could have the value by its own schema, which lists values. */
const isListed = (pair: SchemaPair, place: PlacedValue | undefined, property: Json, value: string): boolean =>
  place !== undefined &&
  typeof property === 'string' &&
  listedValues(pair.sides.base, place, property)?.includes(value) === true

const valueStance = (
  pair: SchemaPair,
  action: 'added' | 'removed' | 'changed',
  base: Discriminator,
  value: string,
  after: PlacedValue | undefined,
): { always?: true; judge?: () => Judgement; policy?: 'response-branch-added' } => {
  if (action === 'changed') return { always: true, judge: breaks('the value now names another branch') }
  if (action === 'removed')
    return pair.use.fromClient ? { always: true, judge: breaks('no schema can be determined for the value') } : {}
  const known = [...base.meanings.values()].find((it) => after && pointerOf(it.path) === pointerOf(after.path))
  if (pair.use.fromClient || isListed(pair, known, base.property, value)) return {}
  return {
    always: true,
    judge: breaks('a branch is announced by a value that clients do not know'),
    policy: 'response-branch-added',
  }
}
