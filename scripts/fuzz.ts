/**
 * Attacks the comparison of schemas: `npm run fuzz -- [--pairs N] [--seed N] [--seconds N] [--record]`. Pairs are generated,
 * decided, and judged by ajv: no value may refute a safe verdict, every breaking one has to show a value that the base
 * accepts and the head refuses. Prints what came out; exit code 1 with the pair where an answer does not survive.
 * `--record` writes the result into docs/fuzzing.md.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attack } from '../test/src/schema/judge.ts'
import { randomFrom } from '../test/src/diff/mutations.ts'

const option = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const pairs = option('pairs', 10_000)
const seed = option('seed', Date.now() % 1_000_000)
const limitMs = option('seconds', Infinity) * 1000
const portion = 500

const begin = performance.now()
const random = randomFrom(seed)
const total = { safe: 0, breaking: 0, unknown: 0, skipped: 0 }
let done = 0
while (done < pairs && performance.now() - begin < limitMs) {
  const count = Math.min(portion, pairs - done)
  const { tally, refuted } = attack(count, random)
  for (const key of ['safe', 'breaking', 'unknown', 'skipped'] as const) total[key] += tally[key]
  done += count
  if (refuted) {
    console.log(`seed ${seed}: ${refuted.why}\n${JSON.stringify(refuted, null, 2)}`)
    process.exit(1)
  }
}
const seconds = Math.round((performance.now() - begin) / 1000)
const decided = total.safe + total.breaking
const share = ((100 * total.unknown) / Math.max(1, decided + total.unknown)).toFixed(2)
const line = `${done} pairs, seed ${seed}: ${total.safe} safe, ${total.breaking} breaking with a validated counterexample, ${total.unknown} undecided (${share} %), ${total.skipped} not supported by the validator; no verdict refuted`
console.log(`${line} (${seconds} s)`)
if (process.argv.includes('--record')) {
  const text = `# Fuzzing the comparison of schemas\n\nThis page is written by \`npm run fuzz -- --pairs ${done} --seed ${seed} --record\`. It generates pairs of schemas, compares them,\nand checks every verdict with ajv: no value may contradict a safe verdict, and every breaking verdict has a counterexample that\nthe base accepts and the head rejects.\n\n${line}.\n`
  writeFileSync(join(import.meta.dir, '../docs/fuzzing.md'), text)
}
