import type { VersionStatus } from '../../db/tables/versions.ts'
import { compareLabels } from '../../src/kernel/version-label.ts'

interface Ranked {
  readonly label: string
  readonly status: VersionStatus
  readonly createdAt: string
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
