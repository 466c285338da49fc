import type { VersionStatus } from '../../db/tables/versions.ts'

interface Ranked {
  readonly label: string
  readonly status: VersionStatus
  readonly createdAt: string
}

/**
 * Compares two labels by Semantic Versioning 2.0.0 (section 11), a leading "v" ignored; labels that are no semantic
 * versions come before all that are, among themselves by their text.
 */
export function compareLabels(a: string, b: string): number {
  const left = parseLabel(a)
  const right = parseLabel(b)
  if (left === null || right === null) {
    if (left === right) return a < b ? -1 : a > b ? 1 : 0
    return left === null ? -1 : 1
  }
  for (const [index, number] of left.core.entries()) {
    const other = right.core[index] ?? 0
    if (number !== other) return number - other
  }
  return comparePrerelease(left.prerelease, right.prerelease)
}

function parseLabel(label: string): { core: number[]; prerelease: string[] } | null {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(label)
  if (!match) return null
  return { core: [1, 2, 3].map((group) => Number(match[group] ?? 0)), prerelease: match[4]?.split('.') ?? [] }
}

function comparePrerelease(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Number(a.length === 0) - Number(b.length === 0)
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const left = a[index]
    const right = b[index]
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1
    if (left === right) continue
    const numeric = [/^\d+$/.test(left), /^\d+$/.test(right)] as const
    if (numeric[0] && numeric[1]) return Number(left) - Number(right)
    if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1
    return left < right ? -1 : 1
  }
  return 0
}

/**
 * What "latest" means: the greatest published label; deprecated ones only where nothing is published, never drafts or
 * retired ones.
 */
export function latestPublished<V extends Ranked>(all: readonly V[]): V | null {
  for (const status of ['published', 'deprecated'] as const) {
    const candidates = all.filter((version) => version.status === status)
    const best = candidates.toSorted((a, b) => compareLabels(b.label, a.label))[0]
    if (best) return best
  }
  return null
}

/**
 * The published version that a new label follows: the greatest one below it, so that a fix of an old line is compared
 * with that line; where all are greater, the greatest of all. Null where nothing is published.
 */
export function baselineOf<V extends Ranked>(label: string, all: readonly V[]): V | null {
  const below = all.filter((one) => compareLabels(one.label, label) < 0)
  return latestPublished(below) ?? latestPublished(all)
}

/** The version to show for a project: `latestPublished`, else the newest of all. */
export const latestOf = <V extends Ranked>(all: readonly V[]): V | null =>
  latestPublished(all) ?? all.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0] ?? null
