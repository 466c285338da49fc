import { compareText } from './order.ts'

/** A label read as a semantic version: major, minor and patch, and the identifiers of a pre-release. */
export interface SemanticVersion {
  readonly core: readonly [major: number, minor: number, patch: number]
  readonly prerelease: readonly string[]
}

/**
 * Reads a label as a version of Semantic Versioning 2.0.0. A leading "v" and missing minor or patch numbers are accepted,
 * build metadata is dropped.
 * @returns null where the label is something else
 */
export function parseLabel(label: string): SemanticVersion | null {
  const match = /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(
    label.trim(),
  )
  if (!match) return null
  const number = (group: number): number => Number(match[group] ?? 0)
  return { core: [number(1), number(2), number(3)], prerelease: match[4]?.split('.') ?? [] }
}

/**
 * Compares two labels by Semantic Versioning 2.0.0 (section 11), a leading "v" ignored; labels that are not semantic
 * versions come before all others, sorted by their text.
 */
export function compareLabels(a: string, b: string): number {
  const left = parseLabel(a)
  const right = parseLabel(b)
  if (left === null || right === null) {
    if (left === right) return compareText(a, b)
    return left === null ? -1 : 1
  }
  return compareVersions(left, right)
}

/** Compares two semantic versions by precedence (Semantic Versioning 2.0.0, section 11). */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [index, number] of a.core.entries()) {
    const other = b.core[index] ?? 0
    if (number !== other) return number - other
  }
  return comparePrerelease(a.prerelease, b.prerelease)
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
