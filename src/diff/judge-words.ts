/** How a few keywords of two schemas are decided by themselves. */
import type { Json } from '../kernel/json.ts'
import type { SchemaPair } from './schema/pair.ts'
import type { Judgement } from './schema/judgement.ts'
import type { PlacedValue } from './side.ts'
import { namesOf } from './view.ts'
import type { View } from './view.ts'

/** Whether the dialect writes null as `nullable`. */
export const isNullableDialect = (dialect: string): boolean => dialect === 'openapi-3.0' || dialect === 'swagger-2.0'

/** The types of a view as the dialect writes them, so that a made-up schema speaks about the same values. */
export const typeWords = (
  view: Pick<View, 'typePlace' | 'mask' | 'integral'>,
  dialect: string,
): { readonly [key: string]: Json } => {
  if (view.typePlace === null) return {}
  const names = namesOf(view)
  if (!isNullableDialect(dialect)) return { type: names }
  const plain = names.filter((name) => name !== 'null')
  return { type: plain, ...(names.includes('null') ? { nullable: true } : {}) }
}

export const safe: Judgement = { verdict: 'safe', witness: null, reason: null }

/** The types that both sides have: what a keyword asks of other types is reported with the type. */
const commonTypes = ({ base, head }: SchemaPair): Pick<View, 'typePlace' | 'mask' | 'integral'> => ({
  typePlace: base.typePlace ?? head.typePlace,
  mask: base.mask & head.mask,
  integral: base.integral || head.integral,
})

/** Evaluates some keywords of a pair apart from all others. */
export const judgeWords = (pair: SchemaPair, words: readonly string[]): Judgement => {
  const types = commonTypes(pair)
  if (types.mask === 0) return safe
  const made = (view: View, dialect: string): PlacedValue => {
    const schema: Record<string, Json> = { ...typeWords(types, dialect) }
    for (const word of words) {
      const place = view.words.get(word)
      if (place) schema[word] = place.value
    }
    return pair.schemas.made(schema)
  }
  const judged = pair.schemas.judge(
    [made(pair.base, pair.sides.base.dialect)],
    [made(pair.head, pair.sides.head.dialect)],
    pair.use,
  )
  return judged.verdict === 'breaking' ? { ...judged, sent: pair.schemas.factory.types(types.mask) } : judged
}
