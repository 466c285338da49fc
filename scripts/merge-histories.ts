/**
 * Replays merges of real histories by what documents mean, and counts what is in neither the merge nor a conflict:
 * `bun scripts/merge-histories.ts [--picks 12] [--verbose] SOURCE…`. A source is the folder of a git repository, whose merge commits are
 * replayed, or PACKAGE:PATH, a file in the releases of an npm package: lines that were maintained side by side are merged, and
 * releases picked onto others. Asks the registry of npm for packages, nothing for folders. Exit code 1 where a merge lost something.
 */
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { mergesOf } from './merge-histories/repository.ts'
import { releasesOf } from './merge-histories/releases.ts'
import { replay, type Replayed, type Triple } from './merge-histories/replay.ts'

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { picks: { type: 'string', default: '12' }, verbose: { type: 'boolean', default: false } },
})
if (positionals.length === 0) {
  console.error('usage: bun scripts/merge-histories.ts [--picks 12] [--verbose] (FOLDER | PACKAGE:PATH)…')
  process.exit(2)
}

const isFolder = (source: string): boolean => statSync(source, { throwIfNoEntry: false })?.isDirectory() === true

function triplesOf(source: string): { readonly triples: readonly Triple[]; readonly note: string } | null {
  if (isFolder(source)) {
    const { commits, leftOut, triples } = mergesOf(source)
    return { triples, note: `${commits} merge commits${leftOut === 0 ? '' : `, ${leftOut} left out`}` }
  }
  const colon = source.indexOf(':')
  if (colon === -1) return null
  const triples = releasesOf(source.slice(0, colon), source.slice(colon + 1), Number(values.picks))
  return triples === null ? null : { triples, note: 'releases' }
}

const columns = ['merged', 'clean', 'conflicts', 'git conflicts', 'git differs', 'lost'] as const
const all = { merged: 0, clean: 0, conflicts: 0, 'git conflicts': 0, 'git differs': 0, lost: 0 }
const row = (name: string, cells: readonly (string | number)[]): string => `| ${[name, ...cells].join(' | ')} |`

console.log(row('source', columns))
console.log(
  row(
    '---',
    columns.map(() => '---:'),
  ),
)
for (const source of positionals) {
  const found = triplesOf(source)
  if (found === null) {
    console.error(`${source}: no folder, and no PACKAGE:PATH that npm gives`)
    process.exitCode = 1
    continue
  }
  const replayed = found.triples.map(replay).filter(({ outcome }) => outcome === 'clean' || outcome === 'conflicts')
  const countOf = (isCounted: (it: Replayed) => boolean): number => replayed.filter(isCounted).length
  const counts = {
    merged: replayed.length,
    clean: countOf(({ outcome }) => outcome === 'clean'),
    conflicts: countOf(({ outcome }) => outcome === 'conflicts'),
    'git conflicts': countOf(({ linesConflict }) => linesConflict),
    'git differs': countOf(({ linesDiffer }) => linesDiffer),
    lost: countOf(({ losses }) => losses.length > 0),
  }
  for (const name of columns) all[name] += counts[name]
  console.log(
    row(
      source,
      columns.map((it) => counts[it]),
    ),
  )
  console.error(`${source}: ${found.note}, ${found.triples.length} files that both sides changed`)
  for (const { name, outcome, losses, conflicts } of replayed) {
    if (values.verbose) console.error(`  ${name}: ${outcome}${conflicts === 0 ? '' : ` (${conflicts})`}`)
    for (const { fact, ...counted } of losses.slice(0, 5))
      console.error(`  ${name}: lost ${fact.slice(0, 300)} ${JSON.stringify(counted)}`)
  }
}
console.log(
  row(
    'all',
    columns.map((it) => all[it]),
  ),
)
if (all.lost > 0) process.exitCode = 1
