/**
 * Attacks comparisons: `npm run fuzz -- [--pairs N] [--wire N] [--seed N] [--seconds N] [--record]`. Pairs of schemas are generated,
 * compared and checked by ajv: no value may refute a safe verdict, every breaking one has to show a value that the base accepts and
 * the head rejects. Pairs of API descriptions (`--wire`, a tenth of `--pairs` otherwise) are checked by requests and responses as
 * text, written by serializers that are not ours, and as many pairs with discriminators by a checker of discriminators. Prints what came out; exit code 1 with the pair whose verdict is refuted.
 * `--record` writes the result into docs/fuzzing.md.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attackWire } from '../test/src/diff/protocol/attack.ts'
import { attackModels } from '../test/src/diff/polymorphism.ts'
import { randomFrom } from '../test/src/diff/mutations.ts'
import { attack } from '../test/src/schema/judge.ts'

const option = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const pairs = option('pairs', 10_000)
const wire = option('wire', Math.ceil(pairs / 10))
const seed = option('seed', Date.now() % 1_000_000)
const limitMs = option('seconds', Infinity) * 1000
const portion = 500

const begin = performance.now()
const random = randomFrom(seed)

/** Runs portions until all pairs are done, the time is over, or a verdict is refuted, which ends the program. */
const run = <Key extends string>(
  count: number,
  keys: readonly Key[],
  attackSome: (count: number) => {
    readonly tally: Readonly<Record<Key, number>>
    readonly refuted: { readonly why: string } | null
  },
): { readonly done: number; readonly total: Readonly<Record<Key, number>> } => {
  const total = Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>
  let done = 0
  while (done < count && performance.now() - begin < limitMs) {
    const { tally, refuted } = attackSome(Math.min(portion, count - done))
    for (const key of keys) total[key] += tally[key]
    done += Math.min(portion, count - done)
    if (refuted) {
      console.log(`seed ${seed}: ${refuted.why}\n${JSON.stringify(refuted, null, 2)}`)
      process.exit(1)
    }
  }
  return { done, total }
}

const schemas = run(pairs, ['safe', 'breaking', 'unknown', 'skipped'], (count) => attack(count, random))
const messages = run(wire, ['safe', 'breaking', 'unproven'], (count) => attackWire(count, random))
const models = run(wire, ['safe', 'breaking', 'unproven'], (count) => attackModels(count, random))
const seconds = Math.round((performance.now() - begin) / 1000)

const { safe, breaking, unknown, skipped } = schemas.total
const share = ((100 * unknown) / Math.max(1, safe + breaking + unknown)).toFixed(2)
const lines = [
  `${schemas.done} pairs of schemas, seed ${seed}: ${safe} safe, ${breaking} breaking with a validated counterexample, ${unknown} undecided (${share} %), ${skipped} not supported by the validator; no verdict refuted`,
  `${messages.done} pairs of API descriptions, seed ${seed}: ${messages.total.safe} safe, ${messages.total.breaking} breaking with a message that is lost, ${messages.total.unproven} breaking where not every message could be tried; no verdict refuted`,
  `${models.done} pairs with discriminators, read-only and write-only properties and choices, seed ${seed}: ${models.total.safe} safe, ${models.total.breaking} breaking with a message that is lost, ${models.total.unproven} breaking where no such message was tried; no verdict refuted`,
]
console.log(`${lines.join('\n')} (${seconds} s)`)
if (process.argv.includes('--record'))
  writeFileSync(
    join(import.meta.dir, '../docs/fuzzing.md'),
    `# Fuzzing comparisons

This page is written by \`npm run fuzz -- --pairs ${schemas.done} --wire ${messages.done} --seed ${seed} --record\`.

It generates pairs of schemas, compares them, and checks every verdict with ajv: no value may contradict a safe verdict, and every
breaking verdict has a counterexample that the base accepts and the head rejects.

It generates pairs of API descriptions (parameters with styles, security, servers, error responses) and checks every verdict by the
requests and responses as text, written by openapi-fetch and by RFC 6570 templates: of a safe verdict no message may be lost, of a
breaking one some message is.

It generates pairs with discriminators, read-only and write-only properties and choices, and checks them with an interpreter that reads
discriminators by itself: a counterexample has a value that selects a schema on the side that sends it, it is valid there and refused
on the other side, and where every object that there can be is tried, a breaking verdict has one that is refused.

${lines.map((line) => `- ${line}.\n`).join('')}`,
  )
