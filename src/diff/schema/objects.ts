import { isObject } from '../../kernel/json.ts'
import type { Json } from '../../kernel/json.ts'
import { typeBit } from '../../schema/node.ts'
import type { SchemaPair } from './pair.ts'
import { tagOf } from './discriminator.ts'
import { innerUse, isParameter } from './use.ts'
import type { Judgement } from './judgement.ts'
import type { Policy } from '../profile.ts'
import type { PlacedValue, Side } from '../side.ts'
import { typeWords } from '../judge-words.ts'
import { sizeOf, viewOf } from '../view.ts'
import type { View } from '../view.ts'

/**
 * What an object says of one property, its requirement with it, and of all that it does not list; what either side of the pair
 * lists is out of question.
 */
const objectWith = (view: View, name: string | null, pair: SchemaPair): Json => {
  const schema: Record<string, Json> = { type: 'object' }
  const isOpen = view.additional.length === 0 && !view.words.has('patternProperties')
  const others = isOpen ? [] : [...pair.base.properties.keys(), ...pair.head.properties.keys()]
  const properties = new Map<string, Json>(others.map((it) => [it, true]))
  const places = name === null ? undefined : view.properties.get(name)
  if (name !== null) properties.delete(name)
  if (name !== null && places)
    properties.set(name, places.length === 1 ? places[0]!.value : { allOf: places.map((it) => it.value) })
  if (properties.size > 0) schema.properties = Object.fromEntries(properties)
  if (name !== null && view.required.has(name)) schema.required = [name]
  const patterns = view.words.get('patternProperties')
  if (patterns) schema.patternProperties = patterns.value
  if (view.additional.length > 0) schema.additionalProperties = view.additional[0]!.value
  return schema
}

const judgeName = (pair: SchemaPair, name: string | null): Judgement =>
  pair.schemas.judge(
    [pair.schemas.made(objectWith(pair.base, name, pair))],
    [pair.schemas.made(objectWith(pair.head, name, pair))],
    pair.use,
  )

const flag = (places: readonly PlacedValue[], word: string): boolean =>
  places.some(
    (place) =>
      typeof place.value === 'object' && place.value !== null && !Array.isArray(place.value) && word in place.value,
  )

/** Whether a schema for the names of properties lists a name. */
const listsName = (names: Json | undefined, name: string): boolean =>
  isObject(names) && (names.const === name || (Array.isArray(names.enum) && names.enum.includes(name)))

/** The schemas that hold under a condition: those of `then`, `else` and `dependentSchemas`. */
const conditionsOf = (view: View): readonly PlacedValue[] => {
  const direct = ['then', 'else'].flatMap((word) => view.words.get(word) ?? [])
  const dependent = ['dependentSchemas', 'dependencies'].flatMap((word): readonly PlacedValue[] => {
    const found = view.words.get(word)
    if (!found || !isObject(found.value)) return []
    return Object.entries(found.value).map(([name, value]) => ({ value, path: [...found.path, name] }))
  })
  return [...direct, ...dependent]
}

/** How deep choices and conditions within each other are looked into. */
const mostLevels = 4

/** Whether some branch of a choice or a condition lists the property: then it is there, and neither added nor removed. */
const isListedWithin = (view: View, side: Side, name: string, level = 0): boolean => {
  if (level === mostLevels) return false
  const within = [...conditionsOf(view), ...view.unions.flatMap((union) => union.branches)]
  return within.some((place) => {
    const inner = viewOf(side, [place])
    return inner.properties.has(name) || isListedWithin(inner, side, name, level + 1)
  })
}

/** Whether a rule for other properties still speaks about the name. */
const stillSpokenOf = (view: View, name: string): boolean =>
  view.additional.some((place) => typeof place.value === 'object') ||
  view.words.has('patternProperties') ||
  listsName(view.words.get('propertyNames')?.value, name)

/** Whether any value of the base has a property of that name. */
const canHave = ({ schemas, base, use }: SchemaPair, name: string): boolean => {
  const having = schemas.made({ type: 'object', required: [name] })
  return schemas.judge([...base.places, having], [schemas.made(false)], innerUse(use)).verdict !== 'safe'
}

const removalPolicy = (pair: SchemaPair, name: string): { readonly policy?: Policy } => {
  if (stillSpokenOf(pair.head, name)) return {}
  // What could never be sent is not missed.
  if (pair.use.fromClient && !canHave(pair, name)) return {}
  if (pair.use.fromClient) return { policy: 'request-property-removed' }
  return pair.base.required.has(name) ? {} : { policy: 'response-optional-property-removed' }
}

/**
 * Whether a property says that it is not sent in the direction of the comparison: a read-only one in a request, a write-only one
 * in a response, regardless of the sender (OpenAPI 3.0.3, "Schema Object"). Swagger 2.0 has no `writeOnly`.
 */
const isMarked = (pair: SchemaPair, side: Side, property: readonly PlacedValue[]): boolean => {
  const { direction } = pair.use
  if (direction === null) return false
  const word = direction === 'request' ? 'readOnly' : 'writeOnly'
  if (word === 'writeOnly' && side.dialect === 'swagger-2.0') return false
  if (!property.some(({ value }) => side.isDirected(value))) return false
  return viewOf(side, property).words.get(word)?.value === true
}

/** Whether a property has to be there in the direction of the comparison. */
const isDemanded = (pair: SchemaPair, view: View, side: Side, name: string): boolean =>
  view.required.has(name) && !isMarked(pair, side, view.properties.get(name) ?? [])

/** A property that is not sent in this direction may change as it likes. */
const isUnsent = (pair: SchemaPair, head: readonly PlacedValue[]): boolean => isMarked(pair, pair.sides.head, head)

/** Who fills in a default before a value is checked: frameworks do for parameters, which they read part by part. */
const requiredPolicy = ({ use }: SchemaPair): Policy =>
  isParameter(use) ? 'parameter-property-required-with-default' : 'required-with-default'

/** Whether the property of a discriminator still has all the values that select something. */
const isSameTag = (
  { schemas, use }: SchemaPair,
  base: readonly PlacedValue[],
  head: readonly PlacedValue[],
  values: readonly string[],
): boolean => {
  if (schemas.equal(base, head, use.direction)) return false
  const known = schemas.made({ enum: values })
  return schemas.judge([...base, known], [...head, known], innerUse(use)).verdict === 'safe'
}

const compareProperties = (pair: SchemaPair): void => {
  const { base, head } = pair
  const names = [...new Set([...base.properties.keys(), ...head.properties.keys()])].sort()
  const tag = tagOf(pair)
  for (const name of names) {
    const a = base.properties.get(name)
    const b = head.properties.get(name)
    if (a && b) {
      if (pair.isSame(a, b)) continue
      compareFlags(pair, name, a, b)
      pair.below(a, b, isUnsent(pair, b) || (name === tag?.property && isSameTag(pair, a, b, tag.values)))
    } else if (a ? isListedWithin(head, pair.sides.head, name) : isListedWithin(base, pair.sides.base, name)) {
      // What is listed at another place now is reported with that place, and with the requirement.
      continue
    } else if (a) {
      pair.state({
        kind: base.required.has(name) ? 'required-property' : 'optional-property',
        action: 'removed',
        base: a[0]!.path,
        head: null,
        before: a[0]!.value,
        after: null,
        judge: () => judgeName(pair, name),
        ...removalPolicy(pair, name),
        ...(isMarked(pair, pair.sides.base, a) ? { unsent: true } : {}),
      })
    } else if (b) {
      pair.state({
        kind: head.required.has(name) ? 'required-property' : 'optional-property',
        action: 'added',
        base: null,
        head: b[0]!.path,
        before: null,
        after: b[0]!.value,
        judge: () => judgeName(pair, name),
        ...(head.required.has(name) && pair.use.fromClient && flag(b, 'default')
          ? { policy: requiredPolicy(pair) }
          : !pair.use.fromClient && base.additional.some((place) => place.value === false)
            ? { policy: 'response-object-opened' as const }
            : {}),
      })
    }
  }
}

/** A property that is no longer sent, or is sent now: everything else is reported with its requirement. */
const compareFlags = (pair: SchemaPair, name: string, a: readonly PlacedValue[], b: readonly PlacedValue[]): void => {
  const { direction, fromClient } = pair.use
  const { sides } = pair
  if (!a.some(({ value }) => sides.base.isDirected(value)) && !b.some(({ value }) => sides.head.isDirected(value)))
    return
  const [left, right] = [viewOf(pair.sides.base, a), viewOf(pair.sides.head, b)]
  pair.schemas.effort.walk((sizeOf(left) + sizeOf(right)) / 10)
  for (const [word, kind, silent] of [
    ['readOnly', 'read-only', 'request'],
    ['writeOnly', 'write-only', 'response'],
  ] as const) {
    const [before, after] = [left.words.get(word), right.words.get(word)]
    if ((before?.value === true) === (after?.value === true)) continue
    const action = after?.value === true ? 'added' : 'removed'
    const stops = action === 'added' && direction === silent && isMarked(pair, pair.sides.head, b)
    pair.state({
      kind,
      action,
      base: before?.path ?? null,
      head: after?.path ?? null,
      before: before?.value ?? null,
      after: after?.value ?? null,
      // A client's value is read no more, or an optional one does not come any more; one that was required is reported there.
      ...(stops && fromClient ? { policy: 'request-property-read-only' as const } : {}),
      ...(stops && !fromClient && !isDemanded(pair, pair.base, pair.sides.base, name)
        ? { policy: 'response-optional-property-removed' as const }
        : {}),
      ...(stops && !fromClient && isDemanded(pair, pair.base, pair.sides.base, name)
        ? { policy: 'response-property-write-only' as const }
        : {}),
    })
  }
}

/** A requirement alone: what else changed of the property is reported there. Only in which direction it is sent counts. */
const judgeRequired = (pair: SchemaPair, name: string): Judgement => {
  const made = (view: View, side: Side): PlacedValue => {
    const { words } = viewOf(side, view.properties.get(name) ?? [])
    const flags = ['readOnly', 'writeOnly'].filter((word) => words.get(word)?.value === true)
    return pair.schemas.made({
      type: 'object',
      properties: { [name]: Object.fromEntries(flags.map((word) => [word, true])) },
      ...(view.required.has(name) ? { required: [name] } : {}),
    })
  }
  return pair.schemas.judge([made(pair.base, pair.sides.base)], [made(pair.head, pair.sides.head)], pair.use)
}

/** The property that a requirement is about, by its whole name. */
const requiredName = (pair: SchemaPair, name: string, a: PlacedValue | undefined, b: PlacedValue | undefined): string =>
  name === ''
    ? 'the property without a name'
    : pair.subject([...(b ?? a)!.path.slice(0, -2), 'properties', name], b !== undefined)

const compareRequired = (pair: SchemaPair): void => {
  const { base, head } = pair
  const names = [...new Set([...base.required.keys(), ...head.required.keys()])].sort()
  for (const name of names) {
    const a = base.required.get(name)
    const b = head.required.get(name)
    const before = isDemanded(pair, base, pair.sides.base, name)
    const after = isDemanded(pair, head, pair.sides.head, name)
    if (a && b && before === after) continue
    const inBase = base.properties.has(name)
    const inHead = head.properties.has(name)
    // A property that came or went with its requirement is reported as one change.
    const isMoved = inBase ? isListedWithin(head, pair.sides.head, name) : isListedWithin(base, pair.sides.base, name)
    if (inBase !== inHead && !isMoved) continue
    const declared = head.properties.get(name)
    const added = a && b ? after : !a
    pair.state({
      kind: 'required',
      action: added ? 'added' : 'removed',
      base: a?.path ?? null,
      head: b?.path ?? null,
      before: added ? null : name,
      after: added ? name : null,
      subject: requiredName(pair, name, a, b),
      judge: () => judgeRequired(pair, name),
      ...(declared && isUnsent(pair, declared) ? { unsent: true } : {}),
      ...(b && pair.use.fromClient && declared && flag(declared, 'default') ? { policy: requiredPolicy(pair) } : {}),
    })
  }
}

const openness = (view: View): Json => (view.additional.length === 0 ? true : view.additional[0]!.value)

const compareAdditional = (pair: SchemaPair): void => {
  const a = openness(pair.base)
  const b = openness(pair.head)
  const left = pair.base.additional
  const right = pair.head.additional
  const both = left.length > 0 && right.length > 0 && typeof a === 'object' && typeof b === 'object'
  if (both) {
    pair.below(left, right)
    return
  }
  if (pair.schemas.equal([pair.schemas.made(a)], [pair.schemas.made(b)], pair.use.direction)) return
  const closed = b === false
  const opened = a === false
  pair.state({
    kind: 'additional-properties',
    action: closed ? 'removed' : opened ? 'added' : 'changed',
    base: left[0]?.path ?? null,
    head: right[0]?.path ?? null,
    before: a,
    after: b,
    judge: () => judgeName(pair, null),
    ...(opened && !pair.use.fromClient ? { policy: 'response-object-opened' as const } : {}),
  })
}

const isArray = (view: View): boolean => (view.mask & typeBit.array) !== 0

const prefixOf = (view: View): readonly PlacedValue[] => {
  const place = view.words.get('prefixItems')
  return place && Array.isArray(place.value)
    ? (place.value as readonly Json[]).map((value, i) => ({ value, path: [...place.path, i] }))
    : []
}

const compareItems = (pair: SchemaPair): void => {
  const { base, head } = pair
  if (base.items.length > 0 && head.items.length > 0) pair.below(base.items, head.items)
  else if (base.items.length + head.items.length > 0) {
    const made = (view: View, side: Side): PlacedValue =>
      pair.schemas.made({
        ...(view.typePlace === null ? { type: 'array' } : typeWords(view, side.dialect)),
        ...(view.words.has('prefixItems') ? { prefixItems: prefixOf(view).map(() => true) } : {}),
        ...(view.items.length > 0 ? { items: view.items[0]!.value } : {}),
      })
    pair.state({
      kind: 'items',
      action: head.items.length > 0 ? 'added' : 'removed',
      base: base.items[0]?.path ?? null,
      head: head.items[0]?.path ?? null,
      before: base.items[0]?.value ?? null,
      after: head.items[0]?.value ?? null,
      // Where one side has no arrays, it is the change of the type that tells.
      ...(isArray(base) && isArray(head)
        ? { judge: () => pair.schemas.judge([made(base, pair.sides.base)], [made(head, pair.sides.head)], pair.use) }
        : {}),
    })
  }
}

/** Compares the first items one by one; that there are more or fewer of them is reported separately. */
const comparePrefix = (pair: SchemaPair): void => {
  const [left, right] = [prefixOf(pair.base), prefixOf(pair.head)]
  for (const [i, a] of left.entries()) if (right[i]) pair.below([a], [right[i]])
  if (left.length === right.length) return
  const made = (view: View, side: Side): PlacedValue =>
    pair.schemas.made({
      ...(view.typePlace === null ? { type: 'array' } : typeWords(view, side.dialect)),
      ...(view.words.has('prefixItems') ? { prefixItems: view.words.get('prefixItems')!.value } : {}),
      ...(view.items.length > 0 ? { items: view.items[0]!.value } : {}),
    })
  pair.state({
    kind: 'prefix-items',
    action: left.length === 0 ? 'added' : right.length === 0 ? 'removed' : 'changed',
    base: pair.base.words.get('prefixItems')?.path ?? null,
    head: pair.head.words.get('prefixItems')?.path ?? null,
    before: left.map((it) => it.value),
    after: right.map((it) => it.value),
    judge: () => pair.schemas.judge([made(pair.base, pair.sides.base)], [made(pair.head, pair.sides.head)], pair.use),
  })
}

/** States the differences of what objects and arrays hold, and goes below. */
export const compareObjects = (pair: SchemaPair): void => {
  compareProperties(pair)
  compareRequired(pair)
  compareAdditional(pair)
  compareItems(pair)
  comparePrefix(pair)
}
