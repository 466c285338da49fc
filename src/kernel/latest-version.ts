import { compareText } from './order.ts'
import { compareLabels } from './version-label.ts'

export type VersionStatus = 'draft' | 'published' | 'deprecated' | 'retired'

interface Ranked {
  readonly label: string
  readonly status: VersionStatus
  readonly createdAt: string
}

const byLabel = (a: Ranked, b: Ranked): number =>
  compareLabels(b.label, a.label) || compareText(b.createdAt, a.createdAt)

/**
 * What "latest" means: the greatest published label, of equal ones ("1.0" and "v1.0") the newer; deprecated ones only where
 * nothing is published, never drafts or retired ones.
 */
export function latestPublished<V extends Ranked>(all: readonly V[]): V | null {
  for (const status of ['published', 'deprecated'] as const) {
    const [best] = all.filter((version) => version.status === status).toSorted(byLabel)
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

/** The version with the greatest label, of equal ones the newest, whatever its state; null where there is none. */
export const greatestOf = <V extends Ranked>(all: readonly V[]): V | null => all.toSorted(byLabel)[0] ?? null

/** The version that was made last: the latest published one, or a draft that was made after it; null where there is neither. */
export function newestOf<V extends Ranked>(all: readonly V[]): V | null {
  const published = latestPublished(all)
  const drafts = all.filter((version) => version.status === 'draft')
  const [draft] = drafts.toSorted((a, b) => compareText(b.createdAt, a.createdAt))
  return draft !== undefined && (published === null || draft.createdAt > published.createdAt) ? draft : published
}

/** The version to show for a project: `latestPublished`, else the newest of all. */
export const latestOf = <V extends Ranked>(all: readonly V[]): V | null =>
  latestPublished(all) ?? all.toSorted((a, b) => compareText(b.createdAt, a.createdAt))[0] ?? null
