/**
 * Attacks containment at length: `bun scripts/fuzz-containment.ts [--pairs N] [--seed N]`. Every pair of generated schemas is
 * decided; a proof is attacked with generated values, a counterexample is checked by the validator. Prints what came out
 * and fails on the first answer that does not survive.
 */
import fc from 'fast-check'
import { contained, schema, survives, value } from '../test/src/schema/attack.ts'

const option = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const pairs = option('pairs', 10_000)
const seed = option('seed', Date.now() % 1_000_000)
const counts = { contained: 0, escapes: 0, unknown: 0 }
const begin = performance.now()
const outcome = fc.check(
  fc.property(schema, schema, fc.array(value, { minLength: 40, maxLength: 40 }), (inner, outer, values) => {
    const answer = contained(inner, outer)
    counts[answer.is]++
    return survives(inner, outer, answer, values)
  }),
  { numRuns: pairs, seed },
)
const seconds = ((performance.now() - begin) / 1000).toFixed(1)
console.log(
  `seed ${seed}: ${pairs} pairs in ${seconds} s: ${counts.contained} contained, ${counts.escapes} refuted with a witness, ${counts.unknown} undecided`,
)
if (outcome.failed) {
  console.log(`refuted by ${JSON.stringify(outcome.counterexample)}`)
  process.exit(1)
}
