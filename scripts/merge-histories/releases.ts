/** The published versions of a file of an npm package, as the merges that a team with these releases does. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Triple } from './replay.ts'

/** One release. */
export interface Release {
  readonly version: string
  readonly at: string
}

/** A merge of three releases. */
export interface Planned {
  /**
   * - `lines`: a later release of an older line into the newer line, from where they parted
   * - `pick`: a release picked onto the release two before it, without the one between (`git cherry-pick`)
   */
  readonly kind: 'lines' | 'pick'
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

const lineOf = ({ version }: Release): number => Number(version.split('.')[0])
const byTime = (a: Release, b: Release): number => a.at.localeCompare(b.at)
const byVersion = (a: Release, b: Release): number => Bun.semver.order(a.version, b.version)

/**
 * The merges that are worth replaying: of each two lines that were maintained side by side, and of the newest releases of a line, one after another.
 * @param mostPicks how many of the newest releases are picked
 */
export function planned(releases: readonly Release[], mostPicks: number): readonly Planned[] {
  const stable = releases.filter(({ version }) => /^\d+\.\d+\.\d+$/.test(version)).toSorted(byTime)
  const lines = [...Map.groupBy(stable, lineOf)].toSorted(([a], [b]) => a - b).map(([, of]) => of)
  const plans: Planned[] = []
  for (const [at, newer] of lines.entries()) {
    const older = lines[at - 1]
    const [first] = newer
    if (older === undefined || first === undefined) continue
    const base = older.findLast((it) => it.at < first.at)
    const theirs = older.at(-1)
    const mine = theirs === undefined ? undefined : newer.findLast((it) => it.at < theirs.at)
    if (base && theirs && mine && theirs.at > first.at)
      plans.push({ kind: 'lines', base: base.version, mine: mine.version, theirs: theirs.version })
  }
  const picks = lines.toReversed().flatMap((published) => {
    // A correction of an older release may be newer than the next release of its line.
    const line = published.toSorted(byVersion)
    return line
      .flatMap((theirs, at): Planned[] => {
        const [mine, base] = line.slice(Math.max(0, at - 2), at)
        return mine && base ? [{ kind: 'pick', base: base.version, mine: mine.version, theirs: theirs.version }] : []
      })
      .toReversed()
  })
  return [...plans, ...picks.slice(0, mostPicks)]
}

/** Runs npm; null where it fails. */
function npm(folder: string, ...words: string[]): string | null {
  const { exitCode, stdout } = Bun.spawnSync(['npm', '--loglevel=error', ...words], { cwd: folder, timeout: 600_000 })
  return exitCode === 0 ? stdout.toString() : null
}

/** The text of a file in the archive of a package; null where it has none. */
function textIn(folder: string, archive: string, path: string): string | null {
  const { exitCode, stdout } = Bun.spawnSync(['tar', '-xzOf', archive, `package/${path}`], { cwd: folder })
  return exitCode === 0 ? stdout.toString() : null
}

/** What npm says of a package; of one release alone it is no list. */
interface Told {
  readonly time: Readonly<Record<string, string>>
  readonly versions: string | readonly string[]
}

/** The merges of a package and the texts of its releases; null where npm gives none. */
export function releasesOf(name: string, path: string, mostPicks: number): readonly Triple[] | null {
  const folder = mkdtempSync(join(tmpdir(), 'svc-releases-'))
  try {
    const told = JSON.parse(npm(folder, 'view', name, 'time', 'versions', '--json') ?? 'null') as Told | null
    if (told === null) return null
    // Releases that were taken back have a time, too.
    const releases = [told.versions].flat().map((version) => ({ version, at: told.time[version] ?? '' }))
    const plans = planned(releases, mostPicks)
    const versions = [...new Set(plans.flatMap(({ base, mine, theirs }) => [base, mine, theirs]))]
    const packed = npm(folder, 'pack', '--json', '--ignore-scripts', ...versions.map((it) => `${name}@${it}`))
    const archives = JSON.parse(packed ?? '[]') as { readonly version: string; readonly filename: string }[]
    const texts = new Map(archives.map((it) => [it.version, textIn(folder, it.filename, path)]))
    return plans.flatMap(({ kind, base, mine, theirs }) => {
      const [before, ours, others] = [base, mine, theirs].map((it) => texts.get(it))
      if (before == null || ours == null || others == null) return []
      return [{ name: `${kind} ${base}: ${mine} + ${theirs}`, path, base: before, mine: ours, theirs: others }]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
