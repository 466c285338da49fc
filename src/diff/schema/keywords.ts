import { compareNumbers, exactAsJson, isNumeric } from '../../document/exact.ts'
import type { Numeric } from '../../document/exact.ts'
import type { Json } from '../../kernel/json.ts'
import { typeBit } from '../../schema/node.ts'
import type { Policy } from '../profile.ts'
import { isSameValue } from '../sameness.ts'
import type { SchemaPair, Statement, ValueKind } from './pair.ts'
import type { Judgement } from './judgement.ts'
import { isParameter } from './use.ts'
import type { PlacedValue } from '../side.ts'
import { compareEnums } from './enums.ts'
import { judgeWords, typeWords } from '../judge-words.ts'
import { namesOf } from '../view.ts'
import type { View } from '../view.ts'

/** The effective bound of numbers on one side; for integers always an inclusive one. */
const boundOf = (
  view: View,
  low: boolean,
): { readonly value: Numeric; readonly exclusive: boolean; readonly place: PlacedValue } | null => {
  const plain = view.words.get(low ? 'minimum' : 'maximum')
  const exclusive = view.words.get(low ? 'exclusiveMinimum' : 'exclusiveMaximum')
  let found: { value: Numeric; exclusive: boolean; place: PlacedValue } | null = null
  if (plain && isNumeric(plain.value))
    found = { value: plain.value, exclusive: exclusive?.value === true, place: plain }
  if (exclusive && isNumeric(exclusive.value)) {
    const order = found ? compareNumbers(exclusive.value, found.value) : 0
    const tighter = low ? order >= 0 : order <= 0
    if (tighter) found = { value: exclusive.value, exclusive: true, place: exclusive }
  }
  if (found && view.integral && typeof found.value === 'number') {
    const value = low
      ? found.exclusive
        ? Math.floor(found.value) + 1
        : Math.ceil(found.value)
      : found.exclusive
        ? Math.ceil(found.value) - 1
        : Math.floor(found.value)
    return { value, exclusive: false, place: found.place }
  }
  return found
}

const compareBounds = (pair: SchemaPair): void => {
  for (const low of [true, false]) {
    const a = boundOf(pair.base, low)
    const b = boundOf(pair.head, low)
    const order = a && b ? compareNumbers(b.value, a.value) : 0
    if (!a === !b && order === 0 && a?.exclusive === b?.exclusive) continue
    const words = low ? ['minimum', 'exclusiveMinimum'] : ['maximum', 'exclusiveMaximum']
    const sign = (it: boolean): number => (it === low ? 1 : -1)
    const action = !a
      ? 'added'
      : !b
        ? 'removed'
        : (order === 0 ? sign(b.exclusive) : order) > 0
          ? 'increased'
          : 'decreased'
    pair.state({
      kind: low ? 'minimum' : 'maximum',
      action,
      base: a?.place.path ?? null,
      head: b?.place.path ?? null,
      before: a ? exactAsJson(a.value) : null,
      after: b ? exactAsJson(b.value) : null,
      judge: () => judgeWords(pair, words),
    })
  }
}

const counts = [
  ['minLength', 'min-length'],
  ['maxLength', 'max-length'],
  ['minItems', 'min-items'],
  ['maxItems', 'max-items'],
  ['minProperties', 'min-properties'],
  ['maxProperties', 'max-properties'],
] as const

const compareCounts = (pair: SchemaPair): void => {
  for (const [word, kind] of counts) {
    const a = pair.base.words.get(word)
    const b = pair.head.words.get(word)
    const fallback = word.startsWith('min') ? 0 : null
    const before = a?.value ?? fallback
    const after = b?.value ?? fallback
    if (before === after) continue
    const action =
      !a || before === null || (before === 0 && fallback === 0)
        ? 'added'
        : !b || after === null
          ? 'removed'
          : Number(after) > Number(before)
            ? 'increased'
            : 'decreased'
    pair.state({
      kind,
      action,
      base: a?.path ?? null,
      head: b?.path ?? null,
      before: a?.value ?? null,
      after: b?.value ?? null,
      judge: () => judgeWords(pair, [word]),
    })
  }
}

/** Keywords that are either there, gone or something else. */
const plainWords: readonly { readonly word: string; readonly kind: ValueKind; readonly with?: readonly string[] }[] = [
  { word: 'pattern', kind: 'pattern' },
  { word: 'format', kind: 'format' },
  { word: 'multipleOf', kind: 'multiple-of' },
  { word: 'not', kind: 'not' },
  { word: 'if', kind: 'condition', with: ['then', 'else'] },
  { word: 'then', kind: 'condition', with: ['if', 'else'] },
  { word: 'else', kind: 'condition', with: ['if', 'then'] },
  { word: 'contains', kind: 'contains', with: ['minContains', 'maxContains'] },
  { word: 'minContains', kind: 'contains', with: ['contains', 'maxContains'] },
  { word: 'maxContains', kind: 'contains', with: ['contains', 'minContains'] },
  { word: 'propertyNames', kind: 'property-names' },
  { word: 'patternProperties', kind: 'pattern-properties' },
  { word: 'dependentRequired', kind: 'dependent-required' },
  { word: 'dependentSchemas', kind: 'dependent-schemas' },
  { word: 'dependencies', kind: 'dependent-schemas' },
  { word: 'unevaluatedProperties', kind: 'unevaluated' },
  { word: 'unevaluatedItems', kind: 'unevaluated' },
  { word: 'contentEncoding', kind: 'content' },
  { word: 'contentMediaType', kind: 'content' },
  { word: 'contentSchema', kind: 'content' },
]

const comparePlain = (pair: SchemaPair): void => {
  compareUnique(pair)
  const told = new Set<string>()
  for (const { word, kind, with: others } of plainWords) {
    const a = pair.base.words.get(word)
    const b = pair.head.words.get(word)
    if (isSameValue(a?.value, b?.value) || told.has(kind)) continue
    told.add(kind)
    pair.state({
      kind,
      action: a === undefined ? 'added' : b === undefined ? 'removed' : 'changed',
      base: a?.path ?? null,
      head: b?.path ?? null,
      before: a?.value ?? null,
      after: b?.value ?? null,
      judge: () => judgeWords(pair, [word, ...(others ?? [])]),
    })
  }
}

const compareUnique = (pair: SchemaPair): void => {
  const a = pair.base.words.get('uniqueItems')
  const b = pair.head.words.get('uniqueItems')
  const [before, after] = [a?.value === true, b?.value === true]
  if (before === after) return
  pair.state({
    kind: 'unique-items',
    action: after ? 'added' : 'removed',
    base: a?.path ?? null,
    head: b?.path ?? null,
    before: a?.value ?? null,
    after: b?.value ?? null,
    judge: () => judgeWords(pair, ['uniqueItems']),
  })
}

/** Whether null is allowed where no type tells: the values of the whole do. */
const compareNull = (pair: SchemaPair): void => {
  const { base, head } = pair
  if (base.nullToo === head.nullToo || (base.typePlace && head.typePlace)) return
  pair.state({
    kind: 'nullable',
    action: head.nullToo ? 'added' : 'removed',
    base: base.places[0]?.path ?? null,
    head: head.places[0]?.path ?? null,
    before: base.nullToo,
    after: head.nullToo,
    judge: () => pair.schemas.judge(base.places, head.places, pair.use, typeBit.null),
  })
}

const compareTypes = (pair: SchemaPair): void => {
  const { base, head } = pair
  if (base.mask === head.mask && base.integral === head.integral) return
  const [left, right] = [base, head].map((view, i) =>
    pair.schemas.made(typeWords(view, i === 0 ? pair.sides.base.dialect : pair.sides.head.dialect)),
  ) as [PlacedValue, PlacedValue]
  const judge = (): Judgement => pair.schemas.judge([left], [right], pair.use)
  const common = {
    base: base.typePlace?.path ?? null,
    head: head.typePlace?.path ?? null,
    before: [...namesOf(base)],
    after: [...namesOf(head)],
    judge,
  }
  if ((base.mask ^ head.mask) === typeBit.null && base.integral === head.integral && base.typePlace && head.typePlace) {
    pair.state({ kind: 'nullable', action: head.mask > base.mask ? 'added' : 'removed', ...common })
    return
  }
  const wider = (head.mask & base.mask) === base.mask && (!head.integral || base.integral)
  const narrower = (head.mask & base.mask) === head.mask && (!base.integral || head.integral)
  const integer = base.integral && !head.integral && base.mask === head.mask
  pair.state({
    kind: 'type',
    action: wider ? 'widened' : narrower ? 'narrowed' : 'changed',
    ...common,
    ...(integer && !pair.use.fromClient ? { policy: 'response-integer-to-number' as const } : {}),
  })
}

/** What changes how a schema is read without changing its set of values. */
const compareRemarks = (pair: SchemaPair): void => {
  compareDeprecation(pair)
  const policy = defaultPolicy(pair)
  compareRemark(pair, 'default', 'default', () => (policy === null ? {} : { policy }))
  const [a, b] = [pair.base, pair.head].map((view) => xmlOf(view.words.get('xml')?.value))
  if (isSameValue(a, b)) return
  // Where nothing is written as XML, it changes no byte.
  if (pair.use.xml !== true) compareRemark(pair, 'xml', 'xml')
  else
    compareRemark(pair, 'xml', 'xml', () => ({
      always: true,
      judge: () => ({
        verdict: 'unknown' as const,
        witness: null,
        reason: 'the XML representation of the value changed',
      }),
    }))
}

const compareDeprecation = (pair: SchemaPair): void => {
  const [a, b] = [pair.base, pair.head].map((view) => view.words.get('deprecated'))
  const [before, after] = [a?.value ?? false, b?.value ?? false]
  if (isSameValue(before, after)) return
  pair.state({
    kind: 'deprecated',
    action: before === false ? 'added' : 'removed',
    base: a?.path ?? null,
    head: b?.path ?? null,
    before: a?.value ?? null,
    after: b?.value ?? null,
  })
}

/**
 * The value that holds when a parameter is omitted is part of what a client asks for; in bodies it is mostly a remark, and of what is
 * always sent it says nothing.
 */
const defaultPolicy = (pair: SchemaPair): Policy | null => {
  if (pair.use.always === true) return null
  if (!pair.use.fromClient) return 'response-default-changed'
  return isParameter(pair.use) ? 'request-parameter-default-changed' : 'request-default-changed'
}

/** Reports a keyword that is added, removed or changed; `rest` decides about it by what happened. */
const compareRemark = (
  pair: SchemaPair,
  word: string,
  kind: ValueKind,
  rest: (action: 'added' | 'removed' | 'changed') => Partial<Statement> = () => ({}),
): void => {
  const a = pair.base.words.get(word)
  const b = pair.head.words.get(word)
  if (isSameValue(a?.value, b?.value)) return
  const action = a ? (b ? 'changed' : 'removed') : 'added'
  const { policy, always, judge } = rest(action)
  pair.state({
    ...(policy === undefined ? {} : { policy }),
    ...(always === undefined ? {} : { always }),
    ...(judge === undefined ? {} : { judge }),
    kind,
    action,
    base: a?.path ?? null,
    head: b?.path ?? null,
    before: a?.value ?? null,
    after: b?.value ?? null,
  })
}

const noXml: Json = {}

const xmlOf = (value: Json | undefined): Json => {
  if (value === undefined) return noXml
  const given = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return Object.fromEntries(Object.entries(given).filter(([key, it]) => it !== false && !key.startsWith('x-')))
}

/** States the differences of keywords that have one value. `equal`: both sides mean the same set. */
export const compareWords = (pair: SchemaPair, equal: boolean): void => {
  compareRemarks(pair)
  if (equal) {
    // Where formats are remarks, two sides can differ in them and still mean the same set.
    if (pair.schemas.options.formats === 'remarks') compareRemark(pair, 'format', 'format')
    return
  }
  compareTypes(pair)
  compareNull(pair)
  compareEnums(pair)
  compareBounds(pair)
  compareCounts(pair)
  comparePlain(pair)
}
