/**
 * Attacks comparisons: `npm run fuzz -- [--pairs N] [--wire N] [--seed N] [--seconds N] [--record]`. Pairs of schemas are generated,
 * compared and checked by ajv: no value may refute a safe verdict, every breaking one has to show a value that the base accepts and
 * the head rejects. Pairs of arrays and objects (a tenth of `--pairs`) are checked by every value of a small world. Pairs of API
 * descriptions (`--wire`, a tenth of `--pairs` otherwise) are checked by requests and responses as text, written by serializers that
 * are not ours, and as many pairs with discriminators by a checker of discriminators. Prints what came out; exit code 1 with the
 * pair whose verdict is refuted. `--record` adds the result to docs/fuzzing.md, or replaces that of the same seed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attackWire } from '../test/src/diff/protocol/attack.ts'
import { attackModels } from '../test/src/diff/polymorphism.ts'
import { randomFrom } from '../test/src/diff/mutations.ts'
import { attack, attackContainers } from '../test/src/schema/judge.ts'

const option = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const pairs = option('pairs', 10_000)
const small = Math.ceil(pairs / 10)
const wire = option('wire', small)
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

interface Row {
  readonly kind: string
  readonly seed: number
  readonly counts: readonly number[]
}

const row = (kind: string, { done, total }: { done: number; total: Readonly<Record<string, number>> }): Row => ({
  kind,
  seed,
  counts: [done, ...['safe', 'breaking', 'unknown', 'unproven', 'skipped'].map((key) => total[key] ?? 0)],
})

const verdicts = ['safe', 'breaking', 'unknown', 'skipped'] as const
const proofs = ['safe', 'breaking', 'unproven'] as const
const rows = [
  row(
    'schemas',
    run(pairs, verdicts, (count) => attack(count, random)),
  ),
  row(
    'arrays and objects',
    run(small, verdicts, (count) => attackContainers(count, random)),
  ),
  row(
    'messages',
    run(wire, proofs, (count) => attackWire(count, random)),
  ),
  row(
    'discriminators',
    run(wire, proofs, (count) => attackModels(count, random)),
  ),
]
const seconds = Math.round((performance.now() - begin) / 1000)

const written = ({ kind, seed: from, counts }: Row): string => `| ${kind} | ${from} | ${counts.join(' | ')} |`
console.log(`${rows.map(written).join('\n')}\nno verdict refuted (${seconds} s)`)

const page = join(import.meta.dir, '../docs/fuzzing.md')
const recorded = (): readonly Row[] =>
  [...readFileSync(page, 'utf8').matchAll(/^\| ([a-z ]+?) +\| (\d+) +\| ([\d |]+)\|$/gm)].map(
    ([, kind, from, counts]) => ({
      kind: kind!,
      seed: Number(from),
      counts: counts!.split('|').map(Number),
    }),
  )

if (process.argv.includes('--record')) {
  const all = [...recorded().filter((it) => it.seed !== seed), ...rows]
  const kinds = rows.map((it) => it.kind)
  all.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.seed - b.seed)
  const totals = kinds.map((kind) => {
    const own = all.filter((it) => it.kind === kind)
    const counts = rows[0]!.counts.map((_, i) => own.reduce((sum, it) => sum + it.counts[i]!, 0))
    return `| ${kind} | all | ${counts.join(' | ')} |`
  })
  writeFileSync(
    page,
    `# Fuzzing comparisons

This page is written by \`npm run fuzz -- --pairs N --wire N --seed N --record\`: each run adds its seed. Random pairs of documents
are compared, and every verdict is checked by programs that share nothing with the comparison. No verdict of these runs was refuted.

- **Schemas**: ajv checks that no value contradicts a safe verdict, and that the base accepts the counterexample of a breaking one
  and the head rejects it.
- **Arrays and objects**: ajv checks the same with every array and object that a few names and values make.
- **Messages**: pairs of API descriptions (parameters with styles, security, servers, error responses) are checked by the requests and
  responses as text, written by openapi-fetch and by RFC 6570 templates: of a safe verdict no message may be lost, of a breaking one
  some message is.
- **Discriminators**: pairs with discriminators, read-only and write-only properties and choices are checked by an interpreter that
  reads discriminators by itself: each counterexample is valid for the sender and refused by the reader, and where every object that
  there can be is tried, a breaking verdict has one that is refused.

*Undecided* pairs are reported as undecided; *unproven* ones break, but not every message could be tried; *not checked* are those
that the validator cannot read or is known to get wrong.

| Pairs | Seed | Number | Safe | Breaking | Undecided | Unproven | Not checked |
|---|---|---|---|---|---|---|---|
${[...totals, ...all.map(written)].join('\n')}
`,
  )
}
