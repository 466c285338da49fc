/** Changes of listed values: `enum` and `const`. */
import type { Json } from '../../kernel/json.ts'
import { canonical, typeBit } from '../../schema/node.ts'
import { isNullableDialect, judgeWords, safe } from '../judge-words.ts'
import type { SchemaPair } from './pair.ts'
import type { Judgement } from './judgement.ts'
import type { PlacedValue } from '../side.ts'
import type { View } from '../view.ts'

const valuesOf = (view: View): { readonly values: readonly Json[]; readonly place: PlacedValue } | null => {
  const constant = view.words.get('const')
  if (constant) return { values: [constant.value], place: constant }
  const given = view.words.get('enum')
  return given && Array.isArray(given.value) ? { values: given.value, place: given } : null
}

/** So many values of a list are reported one by one, and those after them as one change. */
const mostValues = 1000

export const compareEnums = (pair: SchemaPair): void => {
  const a = valuesOf(pair.base)
  const b = valuesOf(pair.head)
  if (!a && !b) return
  const words = ['enum', 'const']
  // One verdict for all values of the list.
  let judged: Judgement | null = null
  const judge = (): Judgement => (judged ??= judgeWords(pair, words))
  if (!a || !b) {
    const place = (a ?? b)!.place.path
    pair.state({
      kind: 'enum',
      action: a ? 'removed' : 'added',
      base: a ? place : null,
      head: b ? place : null,
      before: a ? a.values : null,
      after: b ? b.values : null,
      judge,
    })
    return
  }
  // Before OpenAPI 3.1 some list null beside `nullable` and some do not; they mean the same.
  const bothNull = (pair.base.mask & pair.head.mask & typeBit.null) !== 0
  const skipNull = bothNull && [pair.sides.base, pair.sides.head].some((side) => isNullableDialect(side.dialect))
  const before = new Set(a.values.map(canonical))
  const after = new Set(b.values.map(canonical))
  for (const [list, other, action] of [
    [b.values, before, 'added'],
    [a.values, after, 'removed'],
  ] as const) {
    const different = list.filter((value) => !other.has(canonical(value)) && !(value === null && skipNull))
    const state = (value: Json, judgeValue: () => Judgement, remark?: string): void =>
      pair.state({
        kind: 'enum-value',
        action,
        base: a.place.path,
        head: b.place.path,
        before: action === 'removed' ? value : null,
        after: action === 'added' ? value : null,
        judge: () => (pair.use.fromClient === (action === 'removed') ? judgeValue() : safe),
        ...(action === 'added' && !pair.use.fromClient ? { policy: 'response-enum-value-added' as const } : {}),
        ...(remark === undefined ? {} : { remark }),
      })
    for (const value of different.slice(0, mostValues)) state(value, () => provenBy(pair, value, judge()))
    const rest = different.slice(mostValues)
    if (rest.length > 0) state(rest, () => among(pair, rest, judge()), `${rest.length} values in one change`)
  }
}

/** A judgement with the value that it is about as its witness, where that is one. */
const provenBy = (pair: SchemaPair, value: Json, judged: Judgement): Judgement => {
  if (judged.verdict !== 'breaking') return judged
  const witness = pair.schemas.witnessBy(pair.base.places, pair.head.places, pair.use, value)
  if (witness === null) return { ...judged, sent: pair.schemas.factory.values([value]) }
  const { refusing: _, ...rest } = judged
  return { ...rest, witness }
}

/** A judgement for values that are reported together: one of them proves it. */
const among = (pair: SchemaPair, values: readonly Json[], judged: Judgement): Judgement =>
  judged.verdict === 'breaking' ? { ...judged, sent: pair.schemas.factory.values(values) } : judged
