/**
 * Attacks comparisons: `npm run fuzz -- [--pairs N] [--wire N] [--seed N] [--seconds N] [--only KIND] [--keep FOLDER] [--record]`.
 *
 * - schemas: pairs of schemas are checked by ajv: no value may refute a safe verdict, every breaking one has to show a value that
 *   the base accepts and the head rejects (`--pairs`).
 * - arrays and objects: checked by every value of a small world.
 * - modes: a schema and a body of it are decided alike.
 * - messages: API descriptions of every version, checked by an interpreter of messages (`--wire`, a tenth of `--pairs` otherwise).
 * - texts: parameters, security, servers and errors, checked as texts written by serializers that are not ours.
 * - discriminators: checked by a checker of discriminators.
 *
 * All kinds take turns, so that `--seconds` ends them together. A refuted verdict is printed with its pair and the seed that makes it
 * again; `--keep` also writes it to a file and continues. Exit code 1 where there is one. `--record` adds the counts to
 * docs/fuzzing.md, or replaces those of the same seed. Where Python has the module `jsonschema`, it confirms what ajv refutes in messages.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attackMessages } from '../test/src/diff/messages/attack.ts'
import { attackModes } from '../test/src/diff/messages/modes.ts'
import { hasSecondOpinion } from '../test/src/diff/messages/validator.ts'
import { attackModels } from '../test/src/diff/polymorphism.ts'
import { attackWire } from '../test/src/diff/protocol/attack.ts'
import { randomFrom } from '../test/src/diff/mutations.ts'
import type { Random } from '../test/src/diff/mutations.ts'
import { attack, attackContainers } from '../test/src/schema/judge.ts'

const textOption = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const option = (name: string, fallback: number): number => Number(textOption(name) ?? fallback)

const pairs = option('pairs', 10_000)
const small = Math.ceil(pairs / 10)
const wire = option('wire', small)
const seed = option('seed', Date.now() % 1_000_000)
const limitMs = option('seconds', Infinity) * 1000
const [only, keep] = [textOption('only'), textOption('keep')]
const portion = 100

const python = hasSecondOpinion()
if (!python) console.log('Python has no module jsonschema here: ajv judges messages alone')

const verdicts = ['safe', 'breaking', 'unknown', 'unproven', 'skipped'] as const
type Counts = Partial<Readonly<Record<(typeof verdicts)[number], number>>>
type Attack = (
  count: number,
  random: Random,
) => { readonly tally: Counts; readonly refuted: { readonly why: string } | null }

const kinds: readonly { readonly kind: string; readonly count: number; readonly attack: Attack }[] = [
  { kind: 'schemas', count: pairs, attack: (count: number, random: Random) => attack(count, random) },
  { kind: 'arrays and objects', count: small, attack: attackContainers },
  { kind: 'modes', count: small, attack: attackModes },
  {
    kind: 'messages',
    count: wire,
    attack: (count: number, random: Random) => attackMessages(count, random, { python }),
  },
  { kind: 'texts', count: wire, attack: attackWire },
  { kind: 'discriminators', count: wire, attack: attackModels },
].filter((it) => only === undefined || it.kind === only)
if (kinds.length === 0) throw new Error(`--only names no kind: ${only}`)

/** The seed of a portion: `--seed` with it makes the portion again. */
const seedOf = (turn: number): number => seed + turn * 1_000_003

const begin = performance.now()
const totals = new Map(kinds.map(({ kind }) => [kind, new Map<string, number>()]))
let refutations = 0

const report = (kind: string, from: number, refuted: { readonly why: string }): void => {
  refutations++
  const finding = JSON.stringify({ kind, seed: from, ...refuted }, null, 2)
  console.log(`${kind}, seed ${from}: ${refuted.why}\n${finding}`)
  if (keep === undefined) process.exit(1)
  mkdirSync(keep, { recursive: true })
  writeFileSync(join(keep, `${kind.replaceAll(' ', '-')}-${from}.json`), finding)
}

const isInTime = (): boolean => performance.now() - begin < limitMs
for (let turn = 0, isOver = false; !isOver && isInTime(); turn++) {
  isOver = true
  for (const { kind, count, attack: attackSome } of kinds) {
    const left = count - turn * portion
    if (left <= 0 || !isInTime()) continue
    isOver = false
    const { tally, refuted } = attackSome(Math.min(portion, left), randomFrom(seedOf(turn)))
    const total = totals.get(kind)!
    for (const key of verdicts) total.set(key, (total.get(key) ?? 0) + (tally[key] ?? 0))
    if (refuted) report(kind, seedOf(turn), refuted)
  }
}

/** What one run, or all of them, counted for a kind of pairs. */
interface KindCounts {
  readonly kind: string
  readonly seed: number
  /** The number of pairs, then by verdict. */
  readonly counts: readonly number[]
}

const rows: readonly KindCounts[] = kinds.map(({ kind }) => {
  const counts = verdicts.map((key) => totals.get(kind)!.get(key) ?? 0)
  return { kind, seed, counts: [counts.reduce((sum, it) => sum + it, 0), ...counts] }
})
const seconds = Math.round((performance.now() - begin) / 1000)
const written = ({ kind, seed: from, counts }: KindCounts): string => `| ${kind} | ${from} | ${counts.join(' | ')} |`
console.log(`${rows.map(written).join('\n')}\n${refutations === 0 ? 'no' : refutations} verdict refuted (${seconds} s)`)

const page = join(import.meta.dir, '../docs/fuzzing.md')
const recorded = (): readonly KindCounts[] =>
  [...readFileSync(page, 'utf8').matchAll(/^\| ([a-z ]+?) +\| (\d+) +\| ([\d |]+)\|$/gm)].map(
    ([, kind, from, counts]) => ({
      kind: kind!,
      seed: Number(from),
      counts: counts!.split('|').map(Number),
    }),
  )

const record = (): void => {
  const own = new Set(rows.map((it) => it.kind))
  const all = [...recorded().filter((it) => it.seed !== seed || !own.has(it.kind)), ...rows]
  const names = [...new Set(['schemas', 'arrays and objects', 'modes', 'messages', 'texts', 'discriminators'])]
  all.sort((a, b) => names.indexOf(a.kind) - names.indexOf(b.kind) || a.seed - b.seed)
  const sums = names.flatMap((kind) => {
    const counted = all.filter((it) => it.kind === kind)
    if (counted.length === 0) return []
    const counts = counted[0]!.counts.map((_, i) => counted.reduce((sum, it) => sum + it.counts[i]!, 0))
    return [`| ${kind} | all | ${counts.join(' | ')} |`]
  })
  writeFileSync(
    page,
    `# Fuzzing comparisons

This page is written by \`npm run fuzz -- --pairs N --wire N --seed N --record\`: each run adds its seed. Random pairs of documents
are compared, and every verdict is checked by programs that share nothing with the comparison. No verdict of these runs was refuted. A
workflow runs for an hour each week with new pairs, and keeps what it finds.

- **Schemas**: ajv checks that no value contradicts a safe verdict, and that the base accepts the counterexample of a breaking one
  and the head rejects it.
- **Arrays and objects**: ajv checks the same with every array and object that a few names and values make.
- **Modes**: a pair of schemas and a pair of bodies with them are decided alike.
- **Messages**: API descriptions of Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 (parameters of every place and style, bodies as JSON, forms,
  multipart and plain text, headers, statuses, references, choices, conditions, read-only and write-only properties) are checked by an
  interpreter that reads the documents by itself, writes messages and reads them on the other side. Each counterexample is accepted
  by one whole side and refused by the other, in the direction of the message; of a safe verdict no message that was tried is lost. ajv
  validates; Python's \`jsonschema\`, where it is installed, confirms what ajv refutes.
- **Texts**: pairs of API descriptions (parameters with styles, security, servers, error responses) are checked by the requests and
  responses as text, written by openapi-fetch and by RFC 6570 templates: of a safe verdict no message may be lost, of a breaking one
  some message is.
- **Discriminators**: pairs with discriminators, read-only and write-only properties and choices are checked by an interpreter that
  reads discriminators by itself: each counterexample is valid for the sender and refused by the reader, and where every object that
  there can be is tried, a breaking verdict has one that is refused.

*Undecided* pairs are reported as undecided; *unproven* ones break, but not every message could be tried; *not checked* are those
that the validator cannot read or is known to get wrong.

| Pairs | Seed | Number | Safe | Breaking | Undecided | Unproven | Not checked |
|---|---|---|---|---|---|---|---|
${[...sums, ...all.map(written)].join('\n')}
`,
  )
}
if (process.argv.includes('--record')) record()
if (refutations > 0) process.exit(1)
