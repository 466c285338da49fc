/** What differs between the files of two releases. */
import { changedLines } from '../../document/changed-lines.ts'
import type { Setting } from '../compile/model.ts'
import type { DialectName } from '../dialects/index.ts'
import type { ReleaseFile } from './file.ts'

/** A file that one of two releases has, or both with other lines. */
export interface FileDifference {
  readonly engine: DialectName
  readonly path: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Lines that came and went. */
  readonly added: number
  readonly removed: number
}

/** Lines of one place in which two files differ. */
export interface Hunk {
  /** The first line in the older and in the newer file, from 1. */
  readonly before: number
  readonly after: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** Where two texts differ, in reading order. */
export function hunksOf(before: string, after: string): Hunk[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  let shift = 0
  return changedLines(old.join('\n'), now.join('\n')).map(({ line, added, removed }) => {
    const from = line - shift
    shift += added - removed
    return {
      before: from + 1,
      after: line + 1,
      removed: old.slice(from, from + removed),
      added: now.slice(line, line + added),
    }
  })
}

/** The files in which two releases differ in one dialect, by path. */
export function differencesOfFiles(
  engine: DialectName,
  before: readonly ReleaseFile[],
  after: readonly ReleaseFile[],
): FileDifference[] {
  const old = new Map(before.map(({ path, text }) => [path, text]))
  const now = new Map(after.map(({ path, text }) => [path, text]))
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort()
  return paths.flatMap((path): FileDifference[] => {
    const [was, is] = [old.get(path), now.get(path)]
    if (was === is) return []
    const hunks = hunksOf(was ?? '', is ?? '')
    const added = hunks.reduce((sum, it) => sum + it.added.length, 0)
    const removed = hunks.reduce((sum, it) => sum + it.removed.length, 0)
    const gone = is === undefined ? 'removed' : 'changed'
    const change = was === undefined ? 'added' : gone
    return [{ engine, path, change, added, removed }]
  })
}

/** A setting that an engine enforces otherwise than before; null: the release does not have it. */
export interface SettingDifference {
  readonly engine: DialectName
  readonly setting: string
  readonly before: Setting['state'] | null
  readonly after: Setting['state'] | null
  /** Of the newer release, else of the older. */
  readonly reason: string | null
}

/** The settings that an engine enforces otherwise in two releases. */
export function differencesOfSettings(
  engine: DialectName,
  before: readonly Setting[],
  after: readonly Setting[],
): SettingDifference[] {
  const old = new Map(before.map((it) => [it.setting, it]))
  const now = new Map(after.map((it) => [it.setting, it]))
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((setting) => {
    const [was, is] = [old.get(setting), now.get(setting)]
    if (was?.state === is?.state && was?.reason === is?.reason) return []
    const reason = is?.reason ?? (is === undefined ? (was?.reason ?? null) : null)
    return [{ engine, setting, before: was?.state ?? null, after: is?.state ?? null, reason }]
  })
}
