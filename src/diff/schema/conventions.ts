import { isObject } from '../../kernel/json.ts'
import type { Json } from '../../kernel/json.ts'
import { canonical } from '../../schema/node.ts'
import { isDocsWord } from '../docs-words.ts'
import { stabilityRank } from '../stability.ts'
import { isSameValue } from '../sameness.ts'
import type { SchemaPair } from './pair.ts'
import type { PlacedValue, Side } from '../side.ts'

const listAt = (place: PlacedValue | undefined): readonly Json[] => (Array.isArray(place?.value) ? place.value : [])

/** `x-extensible-enum`: the values that are known today. */
const compareExtensibleEnum = (pair: SchemaPair): void => {
  const [a, b] = [pair.base, pair.head].map((view) => view.words.get('x-extensible-enum'))
  if (!a || !b) return
  const kept = new Set(listAt(b).map(canonical))
  for (const value of listAt(a)) {
    if (kept.has(canonical(value))) continue
    pair.state({
      kind: 'extensible-enum-value',
      action: 'removed',
      base: a.path,
      head: b.path,
      before: value,
      after: null,
      policy: 'extensible-enum-value-removed',
    })
  }
}

const compareStability = (pair: SchemaPair): void => {
  const [a, b] = [pair.base, pair.head].map((view) => view.words.get('x-stability-level'))
  const [before, after] = [stabilityRank(a?.value), stabilityRank(b?.value)]
  if (before === after) return
  pair.state({
    kind: 'stability',
    action: after < before ? 'decreased' : 'increased',
    base: a?.path ?? null,
    head: b?.path ?? null,
    before: a?.value ?? null,
    after: b?.value ?? null,
    ...(after < before ? { policy: 'stability-decreased' as const } : {}),
  })
}

/** The members of `allOf` that ask something. */
const membersOf = (place: PlacedValue | undefined): readonly PlacedValue[] => {
  if (!place || !isObject(place.value) || !Array.isArray(place.value.allOf)) return []
  return (place.value.allOf as readonly Json[])
    .map((value, i): PlacedValue => ({ value, path: [...place.path, 'allOf', i] }))
    .filter(({ value }) => !isObject(value) || !Object.keys(value).every(isDocsWord))
}

/** Members by what they name, else by what they are. */
const isCounterpart = (
  sides: { readonly base: Side; readonly head: Side },
  a: PlacedValue,
  b: PlacedValue,
): boolean => {
  const [left, right] = [a, b].map(({ value }) => (isObject(value) ? value.$ref : undefined))
  if (typeof left === 'string' && typeof right === 'string') return left === right
  return isSameValue(sides.base.follow(a).value, sides.head.follow(b).value) || (left ?? right) === undefined
}

/** To most, a member of `allOf` more or less is what it asks, which is reported anyway; some count the members. */
const compareMembers = (pair: SchemaPair): void => {
  const before = membersOf(pair.base.places[0])
  let fresh = membersOf(pair.head.places[0])
  const gone = before.filter((a) => {
    const other = fresh.find((b) => isCounterpart(pair.sides, a, b))
    fresh = fresh.filter((b) => b !== other)
    return other === undefined
  })
  for (const [places, action] of [
    [gone, 'removed'],
    [fresh, 'added'],
  ] as const)
    for (const place of places)
      pair.state({
        kind: 'all-of',
        action,
        base: action === 'removed' ? place.path : null,
        head: action === 'added' ? place.path : null,
        before: action === 'removed' ? place.value : null,
        after: action === 'added' ? place.value : null,
      })
}

/** States what is text to everybody but those who agreed on it: only a profile that does looks at it. */
export const compareConventions = (pair: SchemaPair): void => {
  const { stances, rules } = pair.profile
  if (stances['extensible-enum-value-removed'] === 'breaking') compareExtensibleEnum(pair)
  if (stances['stability-decreased'] === 'breaking') compareStability(pair)
  if (rules?.['schema-all-of-added'] !== undefined) compareMembers(pair)
}
