import { isObject } from '../document/json.ts'
import type { Json } from '../document/json.ts'
import { canonical } from '../schema/node.ts'
import { mappedReference } from './family.ts'
import type { Family } from './family.ts'
import { isSameValue } from './sameness.ts'
import type { SchemaPair } from './schema-pair.ts'
import type { Judgement } from './schemas.ts'
import { pointerOf } from './side.ts'
import type { Place, Side } from './side.ts'
import { viewOf } from './view.ts'
import type { View } from './view.ts'

/** What a discriminator says on one side. */
interface Discriminator {
  readonly property: Json
  /** The schemas that it names itself, by value. */
  readonly mapping: ReadonlyMap<string, Json>
  /** All that a value can mean, the names of schemas included. */
  readonly meanings: ReadonlyMap<string, Place>
  /** Those that extend the schema and are nobody's branch, by value: nothing else leads to them. */
  readonly heirs: ReadonlyMap<string, Place>
}

const nameOf = (place: Place): string => {
  const ref = isObject(place.value) ? place.value.$ref : undefined
  return typeof ref === 'string' ? decodeURIComponent(ref.slice(ref.lastIndexOf('/') + 1)) : ''
}

/**
 * Reads a discriminator with what its values mean (OpenAPI 3.0.3, "Discriminator Object"): explicitly by its mapping, implicitly
 * by the name of each branch, or, where there are no branches, of each schema that extends this one in `allOf`.
 */
const read = (view: View, side: Side, family: Family): Discriminator | null => {
  const given = view.words.get('discriminator')?.value
  if (given === undefined || (!isObject(given) && typeof given !== 'string')) return null
  const written = isObject(given) && isObject(given.mapping) ? Object.entries(given.mapping) : []
  const meanings = new Map<string, Place>()
  const heirs = new Map<string, Place>()
  for (const union of view.unions)
    for (const branch of union.branches) if (nameOf(branch) !== '') meanings.set(nameOf(branch), side.follow(branch))
  if (view.unions.length === 0)
    for (const { name, place } of view.places[0] ? family.descendantsOf(view.places[0]) : []) {
      meanings.set(name, place)
      heirs.set(name, place)
    }
  for (const [value, target] of written) {
    const place = typeof target === 'string' ? side.find(mappedReference(target)) : null
    if (!place) continue
    meanings.set(value, place)
    if (view.unions.length === 0) heirs.set(value, place)
  }
  const property = isObject(given) ? (given.propertyName ?? null) : given
  return { property, mapping: new Map(written), meanings, heirs }
}

const breaks = (reason: string) => (): Judgement => ({ verdict: 'breaking', witness: null, reason })

/** Whether a value means the same on both sides: the schema of one place, or one that allows the same values. */
const isSameMeaning = (pair: SchemaPair, before: Place | undefined, after: Place | undefined): boolean => {
  if (!before || !after) return before === after
  const { direction } = pair.use
  if (pointerOf(before.path) === pointerOf(after.path) || pair.schemas.equal([before], [after], direction)) return true
  return [true, false].every(
    (fromClient) => pair.schemas.judge([before], [after], { direction, fromClient }).verdict === 'safe',
  )
}

/** Whether the property that tells branches apart could have the value by its own schema, which lists values. */
const isListed = (place: Place | undefined, side: Side, property: Json, value: string): boolean => {
  if (!place || typeof property !== 'string') return false
  const { words } = viewOf(side, viewOf(side, [place]).properties.get(property) ?? [])
  const values = words.has('const') ? [words.get('const')!.value] : words.get('enum')?.value
  return Array.isArray(values) && (values as readonly Json[]).some((it) => canonical(it) === canonical(value))
}

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
  const a = read(pair.base, pair.sides.base, pair.families.base)
  const b = read(pair.head, pair.sides.head, pair.families.head)
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
  compareValues(pair, a, b)
  const compared = new Set<string>()
  for (const [value, place] of a.heirs) {
    const other = b.heirs.get(value)
    const key = other ? `${pointerOf(place.path)} ${pointerOf(other.path)}` : ''
    if (!other || compared.has(key)) continue
    compared.add(key)
    pair.beside([place], [other])
  }
}

/** The values that mean something on one side alone, or something else; a branch that came or went is told as such. */
const compareValues = (pair: SchemaPair, a: Discriminator, b: Discriminator): void => {
  const told = (side: Discriminator, value: string): boolean => side.mapping.has(value) || side.heirs.has(value)
  for (const value of [
    ...new Set([...a.meanings.keys(), ...b.meanings.keys(), ...a.mapping.keys(), ...b.mapping.keys()]),
  ].sort()) {
    if (!told(a, value) && !told(b, value)) continue
    const [before, after] = [a.meanings.get(value), b.meanings.get(value)]
    if (before && after && isSameMeaning(pair, before, after)) continue
    const [written, fresh] = [a.mapping.get(value), b.mapping.get(value)]
    if (!before && !after && isSameValue(written, fresh)) continue
    const action = before && after ? 'changed' : (before ?? written) === undefined ? 'added' : 'removed'
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

const valueStance = (
  pair: SchemaPair,
  action: 'added' | 'removed' | 'changed',
  base: Discriminator,
  value: string,
  after: Place | undefined,
): { always?: true; judge?: () => Judgement; policy?: 'response-branch-added' } => {
  if (action === 'changed') return { always: true, judge: breaks('the value now names another branch') }
  if (action === 'removed')
    return pair.use.fromClient ? { always: true, judge: breaks('no schema can be determined for the value') } : {}
  const known = [...base.meanings.values()].find((it) => after && pointerOf(it.path) === pointerOf(after.path))
  if (pair.use.fromClient || isListed(known, pair.sides.base, base.property, value)) return {}
  return {
    always: true,
    judge: breaks('a branch is announced by a value that clients do not know'),
    policy: 'response-branch-added',
  }
}
