/**
 * Scores comparisons against a folder of pairs: `bun scripts/hard-pairs.ts FOLDER [--list] [--only TEXT]`. FOLDER holds
 * `expected.tsv` (pair, expected: breaking or non-breaking, options, why) and a folder for each pair with `base.*` and
 * `head.*`. Prints every pair that is answered otherwise, and the score; exit code 1 where one is.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { diff } from '../src/diff/diff.ts'
import { profiles } from '../src/diff/profile.ts'
import type { ProfileName } from '../src/diff/profile.ts'
import { parseDocument } from '../src/document/parse.ts'

const folder = process.argv[2] ?? ''
if (folder === '') throw new Error('usage: bun scripts/hard-pairs.ts FOLDER [--list] [--only TEXT]')
const list = process.argv.includes('--list')
const only = process.argv.includes('--only') ? (process.argv[process.argv.indexOf('--only') + 1] ?? '') : ''

const read = (pair: string, side: string) => {
  const name = readdirSync(join(folder, pair)).find((it) => it.startsWith(`${side}.`))
  if (name === undefined) throw new Error(`${pair}: ${side} is missing`)
  const path = join(folder, pair, name)
  return parseDocument(readFileSync(path, 'utf8'), { source: path })
}

const profileIn = (options: string): ProfileName => {
  const name = /--profile[ =](\S+)/.exec(options)?.[1] ?? 'standard'
  if (!(name in profiles)) throw new Error(`unknown profile "${name}"`)
  return name as ProfileName
}

const [, ...lines] = readFileSync(join(folder, 'expected.tsv'), 'utf8').trimEnd().split('\n')
let [right, undecided, tried] = [0, 0, 0]
for (const line of lines) {
  const [pair = '', expected, options = '', why = ''] = line.split('\t')
  if (!pair.includes(only)) continue
  tried++
  const result = diff(read(pair, 'base'), read(pair, 'head'), { profile: profileIn(options) })
  const answer = result.maxSeverity === 'breaking' ? 'breaking' : 'non-breaking'
  const note = answer === 'breaking' && result.verdict === 'unknown' ? ' (undecided)' : ''
  if (note !== '') undecided++
  if (answer === expected) right++
  if (answer === expected && !list) continue
  console.log(`${answer === expected ? 'right' : 'WRONG'} ${pair}: ${answer}${note}, expected ${expected}: ${why}`)
  for (const change of result.changes.slice(0, 6)) {
    const shown = change.witness ? ` ${JSON.stringify(change.witness.value).slice(0, 120)}` : ''
    console.log(
      `      ${change.severity} ${change.classification} ${change.id}: ${change.message.slice(0, 160)}${shown}`,
    )
  }
}
console.log(`${right} of ${tried} pairs as expected, ${undecided} answered as undecided`)
if (right < tried) process.exit(1)
