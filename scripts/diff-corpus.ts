/**
 * Scores the diff engine against a folder of cases:
 * `bun scripts/diff-corpus.ts FOLDER [--list] [--suite NAME] [--profile NAME] [--known-differences FILE]`.
 * FOLDER holds `diff-suite/cases.json` (`{suite, name, base, head, verdict}`, files beside it), `openapi-diff/cases.json`
 * (`{old, new, verdict}`) and `oasdiff/cases.json` (`{test, base, revision, allFindings}`), each where it is present. `--known-differences` writes every case in which
 * svc and the other tool differ into a file, with the counterexample, or the profile or switch that gives the answer of the tool.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from '../src/document/parse.ts'
import { diff } from '../src/diff/diff.ts'
import type { Change } from '../src/diff/change.ts'
import { policies, profiles } from '../src/diff/profile.ts'
import type { Profile } from '../src/diff/profile.ts'
import type { DiffResult } from '../src/diff/options.ts'

const folder = process.argv[2] ?? ''
if (folder === '') throw new Error('usage: bun scripts/diff-corpus.ts FOLDER [--list] [--suite NAME]')
const list = process.argv.includes('--list')
const differencesFile = process.argv.includes('--known-differences')
  ? process.argv[process.argv.indexOf('--known-differences') + 1]
  : undefined
const only = process.argv.includes('--suite') ? process.argv[process.argv.indexOf('--suite') + 1] : null

interface Case {
  readonly suite: string
  readonly name: string
  readonly base: string
  readonly head: string
  readonly verdict: string
  readonly ids?: readonly string[]
}

interface Score {
  breaking: number
  found: number
  safe: number
  cried: number
  none: number
  noisy: number
  failed: number
  ms: number
}

const scores = new Map<string, Score>()
const scoreOf = (suite: string): Score => {
  const known = scores.get(suite)
  if (known) return known
  const made: Score = { breaking: 0, found: 0, safe: 0, cried: 0, none: 0, noisy: 0, failed: 0, ms: 0 }
  scores.set(suite, made)
  return made
}

const read = (path: string) => parseDocument(readFileSync(path, 'utf8'), { source: path })

const profile = process.argv.includes('--profile') ? process.argv[process.argv.indexOf('--profile') + 1] : 'standard'
const compare = (base: string, head: string): DiffResult =>
  diff(read(base), read(head), { profile: profile as keyof typeof profiles })

const show = (entry: Case, result: DiffResult, label: string): void => {
  if (!list) return
  console.log(`${label} ${entry.suite} ${entry.name} (${entry.verdict}${entry.ids ? `: ${entry.ids.join(' ')}` : ''})`)
  console.log(`    ${join(folder, entry.base)}\n    ${join(folder, entry.head)}`)
  for (const change of result.changes.slice(0, 8)) {
    console.log(`      ${change.severity} ${change.classification} ${change.id}: ${change.message.slice(0, 200)}`)
  }
}

/** The profiles and single switches that turn the answer into the one that the suite wants. */
const turnedBy = (entry: Case, wanted: boolean): readonly string[] => {
  const answers = (given: Profile): boolean =>
    diff(read(join(folder, entry.base)), read(join(folder, entry.head)), { profile: given }).maxSeverity === 'breaking'
  const named = Object.values(profiles).filter((one) => one.id !== profile && answers(one) === wanted)
  const switches = policies.filter(
    (policy) =>
      answers({
        ...profiles.standard,
        stances: { ...profiles.standard.stances, [policy]: wanted ? 'breaking' : 'safe' },
      }) === wanted,
  )
  return [
    ...named.map((one) => `profile \`${one.id}\``),
    ...switches.map((policy) => `switch \`${policy}: ${wanted ? 'breaking' : 'safe'}\``),
  ]
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const differences: string[] = []

/** Why a change that another tool reports breaks nothing. */
const harmlessness = (change: Change): string => {
  if (change.policy !== undefined) return `the switch \`${change.policy}\` decides`
  if (change.id.startsWith('schema-component')) return 'every operation allows the same values as before'
  if (change.direction === null || /documentation|deprecated|sunset|operation-id|bearer-format/.test(change.id))
    return 'no request or response changes'
  if (change.id.startsWith('schema-')) return 'the same values are valid on both sides'
  return 'every request and response is understood as before'
}

/** The request or response that shows a change without a value: what is sent, and what becomes of it. */
const message = ({ id, operations, before, after }: Change): string => {
  const [operation = 'the request'] = operations
  const name = JSON.stringify(before ?? after)
  const told = [
    [/^(operation|path|api)-removed/, `\`${operation}\` is no longer answered`],
    [/^security-anonymous-removed/, `\`${operation}\` without credentials is refused`],
    [/^security-scopes-changed/, `\`${operation}\` with a token of the old scopes is refused`],
    [/^security-endpoint-changed/, `a client gets its token from ${name}, which is no longer documented`],
    [/^server-removed/, `\`${operation}\` at ${name} reaches no documented server`],
    [/^schema-discriminator-mapping-removed/, 'an object with this value was read by its schema, and now by none'],
    [/^schema-discriminator-mapping-added/, 'a client receives an object with a value that the base gives no meaning'],
    [/^schema-read-only-added/, 'a request with this property is no longer read'],
    [/^schema-.*property-removed/, 'a request with this property is no longer read'],
    [/^media-type-removed/, `a client that accepts only ${name} gets no answer it can read`],
  ] as const
  return told.find(([pattern]) => pattern.test(id))?.[1] ?? ''
}

/** One row of the list of known differences: both answers and the reason. */
const note = (entry: Case, result: DiffResult, wanted: boolean): void => {
  const worst = result.changes.filter((change) => change.severity === (wanted ? 'non-breaking' : 'breaking'))
  const first = worst.find((change) => change.witness) ?? worst[0] ?? result.changes[0]
  const proof = first?.witness ? `\`${JSON.stringify(first.witness.value).slice(0, 100)}\`` : null
  const turns = turnedBy(entry, wanted)
  const why = [
    ...(proof === null ? [] : [`counterexample ${proof}`]),
    ...(wanted && first ? [harmlessness(first)] : !wanted && proof === null && first ? [message(first)] : []),
    ...turns,
  ]
  differences.push(
    `| ${entry.suite} | ${cell(entry.name)} | ${wanted ? 'breaking' : 'safe'} | ${wanted ? 'safe' : 'breaking'} | ${cell(first?.message ?? 'no change').slice(0, 160)} | ${cell(why.join('; '))} |`,
  )
}

const judge = (entry: Case): void => {
  const score = scoreOf(entry.suite)
  const begin = performance.now()
  let result: DiffResult
  try {
    result = compare(join(folder, entry.base), join(folder, entry.head))
  } catch (thrown) {
    score.failed++
    console.log(`FAILED ${entry.suite} ${entry.name}: ${String(thrown)}`)
    if (list && thrown instanceof Error) console.log(thrown.stack)
    return
  }
  score.ms += performance.now() - begin
  const breaking = result.maxSeverity === 'breaking'
  if (entry.verdict === 'breaking' || entry.verdict === 'incompatible') {
    score.breaking++
    if (breaking) score.found++
    else {
      show(entry, result, 'MISSED')
      if (differencesFile) note(entry, result, true)
    }
  } else if (['non-breaking', 'none', 'annotation', 'compatible', 'unchanged', 'deprecated'].includes(entry.verdict)) {
    score.safe++
    if (breaking) {
      score.cried++
      show(entry, result, 'CRIED')
      if (differencesFile) note(entry, result, false)
    }
    if (entry.verdict === 'none' || entry.verdict === 'unchanged') {
      score.none++
      if (result.changes.length > 0) {
        score.noisy++
        if (!breaking) show(entry, result, 'NOISY')
      }
    }
  }
}

interface Pair {
  readonly old: string
  readonly new: string
  readonly verdict: string
}

interface LevelledPair {
  readonly test: string
  readonly base: string
  readonly revision: string
  readonly allFindings: readonly (readonly [id: string, level: number])[]
}

const error = 3

// A warning says neither that clients break nor that they do not: such a pair is not a case.
function ofLevels({ test, base, revision, allFindings }: LevelledPair): Case | null {
  const worst = Math.max(0, ...allFindings.map(([, level]) => level))
  if (worst === error - 1) return null
  const ids = allFindings.map(([id]) => id)
  const verdict = worst === error ? 'breaking' : 'non-breaking'
  return { suite: 'oasdiff-pairs', name: test, base, head: revision, verdict, ids }
}

function caseOf(it: Case | Pair | LevelledPair): Case | null {
  if ('test' in it) return ofLevels(it)
  if ('old' in it) return { suite: 'openapi-diff', name: it.new, base: it.old, head: it.new, verdict: it.verdict }
  return it
}

for (const name of ['diff-suite', 'openapi-diff', 'oasdiff']) {
  const file = join(folder, name, 'cases.json')
  if (!existsSync(file)) continue
  for (const listed of JSON.parse(readFileSync(file, 'utf8')) as readonly (Case | Pair | LevelledPair)[]) {
    const it = caseOf(listed)
    if (it === null || (only && it.suite !== only)) continue
    judge({ ...it, base: `${name}/${it.base}`, head: `${name}/${it.head}` })
  }
}
for (const [name, it] of scores) {
  const percent = (part: number, whole: number): string =>
    whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
  console.log(
    `${name}: recall ${it.found}/${it.breaking} (${percent(it.found, it.breaking)}), false breaking ${it.cried}/${it.safe} (${percent(it.cried, it.safe)}), changes where none are ${it.noisy}/${it.none}, failed ${it.failed}, ${it.ms.toFixed(0)} ms`,
  )
}
if (differencesFile) {
  const text = [
    '# Known differences from other tools',
    '',
    'The cases of other tools in which the profile `standard` gives another answer than the case expects, with the counterexample that',
    'proves the answer of svc, or the profile or switch that gives the answer of the other tool. The reasons are in',
    '[Comparisons](comparison.md). This page is generated by `bun scripts/diff-corpus.ts FOLDER --known-differences docs/known-differences.md`.',
    '',
    '| Suite | Case | Expected | svc | Change | Reason |',
    '|---|---|---|---|---|---|',
    ...differences,
    '',
  ].join('\n')
  writeFileSync(differencesFile, text)
}
