import { isObject } from '../../kernel/json.ts'
import type { Json } from '../../kernel/json.ts'
import { canonical } from '../../schema/node.ts'
import { compareDiscriminator, selectionOf } from './discriminator.ts'
import type { SchemaPair } from './pair.ts'
import type { Judgement } from './judgement.ts'
import type { PlacedValue, Side } from '../side.ts'
import { typeWords } from '../judge-words.ts'
import { viewOf } from '../view.ts'
import type { Union, View } from '../view.ts'

/** Evaluates a choice together with the types beside it: without them it would speak about values that are out of question. */
const judgeUnion = (pair: SchemaPair, a: Union | undefined, b: Union | undefined): Judgement => {
  const { base, head } = pair.sides
  const made = (view: View, dialect: string, union: Union | undefined): PlacedValue =>
    pair.schemas.made({
      ...typeWords(view, dialect),
      ...(union
        ? { [union.word]: [...(union.place.value as readonly Json[]), ...(view.nullToo ? [{ type: 'null' }] : [])] }
        : {}),
    })
  return pair.schemas.judge([made(pair.base, base.dialect, a)], [made(pair.head, head.dialect, b)], pair.use)
}

const nameOf = (side: Side, place: PlacedValue): string => {
  const { value } = place
  if (isObject(value) && Array.isArray(value.allOf) && value.allOf.length === 1 && Object.keys(value).length === 1)
    return nameOf(side, { value: (value.allOf as readonly Json[])[0]!, path: [...place.path, 'allOf', 0] })
  if (isObject(value) && typeof value.$ref === 'string') return value.$ref.slice(value.$ref.lastIndexOf('/') + 1)
  const title = isObject(value) && typeof value.title === 'string' ? value.title : null
  return title ?? canonical(side.follow(place).value).slice(0, 200)
}

/** Pairs the branches of two unions: those that are equal, then those of one name, then those of one type in their order. */
export const matchBranches = (
  pair: SchemaPair,
  a: Union,
  b: Union,
): { pairs: [PlacedValue, PlacedValue][]; gone: PlacedValue[]; fresh: PlacedValue[] } => {
  const pairs: [PlacedValue, PlacedValue][] = []
  let gone = [...a.branches]
  let fresh = [...b.branches]
  pair.schemas.effort.walk(gone.length + fresh.length)
  /** Takes the branches of one key out of both, each with the first that is left. */
  const take = <Key>(keyOfBase: (place: PlacedValue) => Key, keyOfHead: (place: PlacedValue) => Key): void => {
    const waiting = new Map<Key, PlacedValue[]>()
    for (const right of fresh.toReversed()) {
      const key = keyOfHead(right)
      const list = waiting.get(key)
      if (list) list.push(right)
      else waiting.set(key, [right])
    }
    const taken = new Set<PlacedValue>()
    for (const left of gone) {
      const right = waiting.get(keyOfBase(left))?.pop()
      if (!right) continue
      taken.add(left).add(right)
      pairs.push([left, right])
    }
    gone = gone.filter((it) => !taken.has(it))
    fresh = fresh.filter((it) => !taken.has(it))
  }
  const { base, head } = pair.sides
  const nodeOf = (side: Side) => (place: PlacedValue) => pair.schemas.node(side, [place], pair.use.direction)
  take(nodeOf(base), nodeOf(head))
  take(
    (place) => nameOf(base, place),
    (place) => nameOf(head, place),
  )
  const kind = (side: Side, place: PlacedValue): string => {
    const value = side.follow(place).value
    return isObject(value) ? canonical(value.type ?? null) : ''
  }
  if (gone.length === fresh.length) {
    take(
      (place) => kind(base, place),
      (place) => kind(head, place),
    )
  }
  return { pairs, gone, fresh }
}

const namesIn = ({ schemas }: SchemaPair, view: View, side: Side): ReadonlySet<string> => {
  const all = new Set(view.properties.keys())
  for (const word of ['then', 'else']) {
    const place = view.words.get(word)
    if (place !== undefined) for (const name of viewOf(side, [place]).properties.keys()) all.add(name)
  }
  for (const union of view.unions) {
    schemas.effort.walk(union.branches.length)
    for (const branch of union.branches) for (const name of viewOf(side, [branch]).properties.keys()) all.add(name)
  }
  return all
}

/** Properties that the base declares in some branch and the head nowhere: a client that sends them is not heard any more. */
export const losesNames = (pair: SchemaPair): boolean => {
  if (!pair.use.fromClient) return false
  if (pair.head.additional.some((place) => typeof place.value === 'object')) return false
  const after = namesIn(pair, pair.head, pair.sides.head)
  return [...namesIn(pair, pair.base, pair.sides.base)].some((name) => !after.has(name))
}

/**
 * A kind of object that clients cannot know, although open branches let it pass as one of theirs: it names properties that no
 * branch had, or combines what no branch allowed together.
 */
export const isNewKind = (pair: SchemaPair, branch: PlacedValue): boolean => {
  if (pair.use.fromClient) return false
  const names = [...viewOf(pair.sides.head, [branch]).properties.keys()]
  if (names.length === 0) return false
  if (pair.base.words.has('discriminator') || pair.head.words.has('discriminator')) return true
  const before = namesIn(pair, pair.base, pair.sides.base)
  return (
    names.some((name) => !before.has(name)) || !pair.schemas.isWithin([branch], pair.base.places, pair.use.direction)
  )
}

const compareUnion = (pair: SchemaPair, word: 'oneOf' | 'anyOf'): void => {
  const kind = word === 'oneOf' ? 'one-of' : 'any-of'
  const a = pair.base.unions.find((it) => it.word === word)
  const b = pair.head.unions.find((it) => it.word === word)
  if (!a && !b) return
  const judge = (): Judgement => judgeUnion(pair, a, b)
  if (!a || !b) {
    pair.state({
      kind,
      action: a ? 'removed' : 'added',
      base: a?.place.path ?? null,
      head: b?.place.path ?? null,
      before: a?.place.value ?? null,
      after: b?.place.value ?? null,
      judge: () => judgeUnion(pair, a, b),
      ...(a && losesNames(pair) ? { policy: 'request-property-removed' as const } : {}),
    })
    return
  }
  const { pairs, gone, fresh } = matchBranches(pair, a, b)
  const selected = selectionOf(pair)
  for (const [left, right] of pairs) pair.branch([left], [right], selected(left, right))
  if (gone.length + fresh.length > 0 && pair.identical()) return
  for (const left of gone) {
    pair.state({
      kind: `${kind}-branch`,
      action: 'removed',
      base: left.path,
      head: b.place.path,
      before: left.value,
      after: null,
      judge,
      ...(losesNames(pair) ? { policy: 'request-property-removed' as const } : {}),
    })
  }
  for (const right of fresh) {
    pair.state({
      kind: `${kind}-branch`,
      action: 'added',
      base: a.place.path,
      head: right.path,
      before: null,
      after: right.value,
      judge,
      ...(isNewKind(pair, right) ? { policy: 'response-branch-added' as const } : {}),
    })
  }
}

/** States the differences of unions and of what tells their branches apart. */
export const compareUnions = (pair: SchemaPair): void => {
  for (const word of ['oneOf', 'anyOf'] as const) {
    const both = [pair.base, pair.head].every((view) => view.unions.some((union) => union.word === word))
    // One set written as a choice and without is one set.
    const one = [pair.base, pair.head].some((view) => view.unions.some((union) => union.word === word))
    if (both || (one && !pair.identical())) compareUnion(pair, word)
  }
  compareDiscriminator(pair)
}
