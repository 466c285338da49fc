/** Lets an independent validator judge what a comparison of two schemas says. */
import { compileByAjv } from '../../fixtures/ajv.ts'
import { diff } from '../../../src/diff/diff.ts'
import { isExact } from '../../../src/document/exact.ts'
import { isObject } from '../../../src/kernel/json.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { Containers } from './generate-containers.ts'
import { Generator } from './generate.ts'

export interface Tally {
  readonly safe: number
  readonly breaking: number
  readonly unknown: number
  /** Pairs that the validator itself could not take (a reference without end, what it is known to get wrong). */
  readonly skipped: number
}

/** An answer that did not survive. */
export interface Refuted {
  readonly base: Json
  readonly head: Json
  readonly verdict: string
  readonly value: Json | undefined
  readonly why: string
}

const validators = (base: Json, head: Json): readonly ((value: Json) => boolean)[] =>
  [base, head].map((schema) => compileByAjv(readable(schema)))

const values = (generator: Generator, base: Json, head: Json, count: number): Json[] =>
  Array.from({ length: count }, (_, i) =>
    i % 3 === 0 ? generator.value() : generator.near(i % 3 === 1 ? base : head, i % 3 === 1 ? base : head),
  )

/**
 * Keywords that ajv 8 judges wrongly where they stand together: it takes `[]` for `prefixItems` beside `contains`, forgets what `properties` evaluate where `dependentSchemas` stand beside `unevaluatedProperties`, and counts what an `if` that
 * does not hold has looked at as evaluated.
 */
const confusing = [
  ['prefixItems', 'contains'],
  ['unevaluatedProperties', 'dependentSchemas'],
] as const

const words = (schema: Json, all = new Set<string>()): ReadonlySet<string> => {
  if (Array.isArray(schema)) for (const it of schema as readonly Json[]) words(it, all)
  if (!isObject(schema)) return all
  for (const [word, it] of Object.entries(schema)) words(it, all.add(word))
  return all
}

const confusesFar = (schema: Json): boolean => {
  const all = words(schema)
  return (all.has('if') && (all.has('unevaluatedProperties') || all.has('unevaluatedItems'))) || entersTwice(schema)
}

/** Whether a document enters both trees: ajv 8 keeps the dynamic scope of the first where it evaluates the second. */
const entersTwice = (schema: Json): boolean => {
  const text = JSON.stringify(schema)
  return ['tree', 'strict'].every((name) => text.includes(`"$ref":"https://schemas.example/${name}"`))
}

/**
 * The same schema for ajv 8, which looks at the types of `items` to find equal items, and misses those of `prefixItems` beside them:
 * wrapped, they are not seen.
 */
const readable = (schema: Json): Json => {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map(readable)
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, it]) => {
      const isMissed = key === 'items' && schema.prefixItems !== undefined && schema.uniqueItems === true
      return [key, isMissed ? { allOf: [readable(it)] } : readable(it)]
    }),
  )
}

const confuses = (schema: Json): boolean =>
  Array.isArray(schema)
    ? (schema as readonly Json[]).some(confuses)
    : isObject(schema) &&
      (confusing.some((pair) => pair.every((word) => schema[word] !== undefined)) ||
        Object.values(schema).some(confuses))

const holdsExact = (value: Json): boolean =>
  isExact(value) ||
  (typeof value === 'object' && value !== null && Object.values(value as Record<string, Json>).some(holdsExact))

/** Judges one pair: null where the answer survives. */
const judge = (
  base: Json,
  head: Json,
  tried: () => Iterable<Json>,
): { verdict: 'safe' | 'breaking' | 'unknown' | 'skipped'; refuted: Refuted | null } => {
  if ([base, head].some((it) => confuses(it) || confusesFar(it))) return { verdict: 'skipped', refuted: null }
  const [before, after] = [base, head].map((it) => parseDocument(JSON.stringify(it), { source: 'schema.json' }))
  const { verdict, witness } = diff(before!, after!, { mode: 'backward' })
  try {
    const [isBase, isHead] = validators(base, head) as [(value: Json) => boolean, (value: Json) => boolean]
    const refused = (value: Json | undefined, why: string) => ({
      verdict,
      refuted: { base, head, verdict, value, why },
    })
    // ajv calculates with doubles, which cannot hold such a number.
    if (witness && holdsExact(witness.value)) return { verdict: 'skipped', refuted: null }
    if (verdict === 'breaking') {
      if (!witness) return refused(undefined, 'breaking without a witness')
      if (!isBase(witness.value)) return refused(witness.value, 'the witness is not valid for the base')
      if (isHead(witness.value)) return refused(witness.value, 'the witness is valid for the head')
    }
    if (verdict === 'safe') {
      for (const value of tried())
        if (isBase(value) && !isHead(value)) return refused(value, 'safe, and yet this value is refused')
    }
    return { verdict, refuted: null }
  } catch (thrown) {
    // A reference without end, or code of its own that ajv cannot run.
    if (thrown instanceof RangeError || thrown instanceof TypeError) return { verdict: 'skipped', refuted: null }
    throw thrown
  }
}

/** Generates and judges pairs until one does not survive or there are enough. */
export const attack = (
  pairs: number,
  random: () => number,
  attacks = 40,
  onPair?: (done: number) => void,
): { readonly tally: Tally; readonly refuted: Refuted | null } => {
  const generator = new Generator(random)
  const tally = { safe: 0, breaking: 0, unknown: 0, skipped: 0 }
  for (let done = 0; done < pairs; done++) {
    const [base, head] = generator.pair()
    const { verdict, refuted } = judge(base, head, () => values(generator, base, head, attacks))
    tally[verdict]++
    if (refuted) return { tally, refuted }
    onPair?.(done + 1)
  }
  return { tally, refuted: null }
}

/** Judges pairs of arrays and objects, each by every value of a small world. */
export const attackContainers = (
  pairs: number,
  random: () => number,
): { readonly tally: Tally; readonly refuted: Refuted | null } => {
  const containers = new Containers(random)
  const tally = { safe: 0, breaking: 0, unknown: 0, skipped: 0 }
  for (let done = 0; done < pairs; done++) {
    const { base, head, values: all } = containers.pair()
    const { verdict, refuted } = judge(base, head, () => all)
    tally[verdict]++
    if (refuted) return { tally, refuted }
  }
  return { tally, refuted: null }
}
