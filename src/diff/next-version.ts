import type { Document } from '../document/document.ts'
import { isObject } from '../kernel/json.ts'
import { compareVersions, parseLabel, type SemanticVersion } from '../kernel/version-label.ts'
import { outcomeOf } from './conclusion.ts'
import type { Tally } from './tally.ts'

/** The part of a semantic version that a change has to raise. */
export type Step = 'major' | 'minor' | 'patch' | 'none'

/**
 * The smallest step that does not understate a change (Semantic Versioning 2.0.0): what breaks, or could, is a major step, what
 * is new a minor one, an edit of texts a patch.
 */
export const stepOf = (tally: Pick<Tally, 'maxSeverity' | 'verdict'>): Step => {
  switch (outcomeOf(tally)) {
    case 'unchanged':
      return 'none'
    case 'docs-only':
      return 'patch'
    case 'compatible':
      return 'minor'
    case 'undecided':
    case 'breaking':
      return 'major'
  }
}

// Below 1.0.0 each number announces what the one before it does later, as package managers read it ("^0.2.3").
const positionOf = (step: Exclude<Step, 'none'>, major: number): 0 | 1 | 2 =>
  step === 'major' ? (major === 0 ? 1 : 0) : step === 'minor' ? (major === 0 ? 2 : 1) : 2

const textOf = ({ core, prerelease }: SemanticVersion): string =>
  core.join('.') + (prerelease.length === 0 ? '' : `-${prerelease.join('.')}`)

const raise = ({ core, prerelease }: SemanticVersion, step: Exclude<Step, 'none'>): SemanticVersion => {
  if (prerelease.length > 0) {
    // A pre-release guarantees nothing to the next one.
    const last = prerelease.at(-1) ?? ''
    const next = /^\d{1,15}$/.test(last) ? [...prerelease.slice(0, -1), String(Number(last) + 1)] : [...prerelease, '1']
    return { core, prerelease: next }
  }
  const at = positionOf(step, core[0])
  const [major, minor, patch] = core
  return {
    core: at === 0 ? [major + 1, 0, 0] : at === 1 ? [major, minor + 1, 0] : [major, minor, patch + 1],
    prerelease: [],
  }
}

// Stricter than the order of labels: a date such as "2026-01-31" or "2026.01.31" is not a semantic version.
const versionOf = (label: string | null): SemanticVersion | null =>
  label === null || /^v?\d+-|^v?(?:\d+\.)*0\d/.test(label.trim()) ? null : parseLabel(label)

/**
 * The smallest version that does not understate a change of `version`, in the way that it is written ("v1.2.0" stays with its v).
 * @returns null where `version` is not a semantic version
 */
export const nextVersion = (version: string, step: Step): string | null => {
  const parsed = versionOf(version)
  if (parsed === null) return null
  if (step === 'none') return version
  return (version.trim().startsWith('v') ? 'v' : '') + textOf(raise(parsed, step))
}

/** What a document calls its own version (`info.version`); null where it does not say. */
export const documentVersionOf = ({ value }: Pick<Document, 'value'>): string | null => {
  const info = isObject(value) ? value.info : undefined
  const version = isObject(info) ? info.version : undefined
  return typeof version === 'string' ? version : typeof version === 'number' ? String(version) : null
}

/** Whether a version says enough about a change. */
export interface VersionCheck {
  readonly base: string | null
  readonly head: string | null
  readonly step: Step
  /** The smallest version that would do; null where the base has no semantic version. */
  readonly next: string | null
  /** `unknown` where one of the two is not a semantic version. */
  readonly status: 'enough' | 'understated' | 'unknown'
}

const isEnough = (base: SemanticVersion, head: SemanticVersion, step: Step): boolean => {
  if (step === 'none') return compareVersions(head, base) >= 0
  // "2.0.0-rc.1" announces 2.0.0, and is as much of a step as that.
  const announced: SemanticVersion = base.prerelease.length === 0 ? { ...head, prerelease: [] } : head
  return compareVersions(announced, raise(base, step)) >= 0
}

/** Compares the versions that two documents give themselves with what changed between them. */
export const checkVersion = (
  base: string | null,
  head: string | null,
  tally: Pick<Tally, 'maxSeverity' | 'verdict'>,
): VersionCheck => {
  const step = stepOf(tally)
  const [old, fresh] = [versionOf(base), versionOf(head)]
  const next = base === null ? null : nextVersion(base, step)
  const status = old === null || fresh === null ? 'unknown' : isEnough(old, fresh, step) ? 'enough' : 'understated'
  return { base, head, step, next, status }
}
