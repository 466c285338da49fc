/** Why a release is made: what it would be made of now, compared with what the newest one was made of. */
import type { DialectName } from '../dialects/index.ts'

export const releaseTriggers = [
  'policy',
  'publish',
  'exception-expired',
  'environment',
  'enforcer',
  'rollback',
] as const
export type ReleaseTrigger = (typeof releaseTriggers)[number]

/** What a release is made of. */
export interface ReleaseInputs {
  readonly policyVersion: number
  /** The version that positive security is bound to; null: none. */
  readonly versionId: string | null
  readonly documentDigest: string | null
  readonly slug: string
  readonly hostnames: readonly string[]
  readonly basePaths: readonly string[]
  /** What gateways record of values. It is in no file. */
  readonly evidence: 'digest' | 'shape'
  /** The ids of the exceptions that are active, sorted. */
  readonly exceptions: readonly string[]
  /** The dialects that gateways read, sorted. */
  readonly engines: readonly DialectName[]
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * What differs, the most important first.
 * @param before of the newest release; null: there is none
 * @returns null: nothing
 */
export function causeOf(before: ReleaseInputs | null, now: ReleaseInputs): Exclude<ReleaseTrigger, 'rollback'> | null {
  if (before === null || before.policyVersion !== now.policyVersion) return 'policy'
  if (before.versionId !== now.versionId || before.documentDigest !== now.documentDigest) return 'publish'
  if (before.exceptions.some((id) => !now.exceptions.includes(id))) return 'exception-expired'
  const placeOf = ({ slug, hostnames, basePaths, evidence }: ReleaseInputs) => [slug, hostnames, basePaths, evidence]
  if (!isSame(placeOf(before), placeOf(now))) return 'environment'
  // A gateway that left takes nothing away from the others.
  return now.engines.some((it) => !before.engines.includes(it)) ? 'enforcer' : null
}

/** Whether a release has all that there is but for the version of the document, which could not be compiled. */
export const differsInVersionOnly = (before: ReleaseInputs, now: ReleaseInputs): boolean =>
  before.versionId !== now.versionId &&
  causeOf({ ...before, versionId: now.versionId, documentDigest: now.documentDigest }, now) === null
