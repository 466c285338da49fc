/** The dialects, and how a narrowing becomes schemas at a place of a document. */
import { isObject, type Json, type JsonObject } from '../case.ts'
import {
  choiceKeywords,
  nullableKeyword,
  oldKeywords,
  sharedKeywords,
  type MakeNarrowing,
  type Narrowing,
} from './narrowings.ts'
import { newKeywords } from './new-narrowings.ts'
import type { Random } from './random.ts'

export type Version = '2.0' | '3.0' | '3.1' | '3.2'
export const versions: readonly Version[] = ['2.0', '3.0', '3.1', '3.2']

const modern = { ...sharedKeywords, ...choiceKeywords, ...newKeywords }

/** The keywords that a version of OpenAPI has, each with what makes a narrowing of it. */
export const keywordsOf: Readonly<Record<Version, Readonly<Record<string, MakeNarrowing>>>> = {
  '2.0': { ...sharedKeywords, ...oldKeywords },
  '3.0': { ...sharedKeywords, ...choiceKeywords, ...oldKeywords, ...nullableKeyword },
  '3.1': modern,
  '3.2': modern,
}

/** A copy with every `#DEFS/` replaced by where a document has its named schemas. */
export function withDefinitionsAt(value: Json, prefix: string): Json {
  if (typeof value === 'string') return value.startsWith('#DEFS/') ? prefix + value.slice('#DEFS/'.length) : value
  if (Array.isArray(value)) return value.map((item) => withDefinitionsAt(item, prefix))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withDefinitionsAt(part, prefix)]))
}

/** Puts both schemas and the witness below an object or an array, or leaves them where they are. */
export function placed(random: Random, narrowing: Narrowing): Narrowing {
  const place = random.pick(['root', 'property', 'property', 'items'])
  if (place === 'root') return narrowing
  if (place === 'items')
    return {
      ...narrowing,
      wide: { type: 'array', items: narrowing.wide },
      narrow: { type: 'array', items: narrowing.narrow },
      witness: [narrowing.witness],
    }
  const around = (schema: Json): JsonObject => ({
    type: 'object',
    required: ['held'],
    properties: { held: schema, beside: { type: 'string' } },
  })
  return {
    ...narrowing,
    wide: around(narrowing.wide),
    narrow: around(narrowing.narrow),
    witness: { held: narrowing.witness },
  }
}
