/** Why a release is made: what it would be made of now, compared with what the newest one was made of. */
import type { DialectName } from '../dialects/index.ts'

export const releaseTriggers = [
  'policy',
  'publish',
  'exception-expired',
  'environment',
  'enforcer',
  'compiler',
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
  /** The number of the compiler (`compilerVersion`); none: releases did not keep it yet. */
  readonly compiler?: number
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Whether a newer compiler would make it. What an older one makes never takes its place: processes of two versions may run beside each other. */
const isOfOlderCompiler = (before: ReleaseInputs, now: ReleaseInputs): boolean =>
  (before.compiler ?? 0) < (now.compiler ?? 0)

/**
 * What differs, the most important first. What people change makes a release at once, and a newer compiler has its part in it. What happens by
 * itself does not bring a newer compiler to gateways: it is `compiler` then, which waits for a person.
 * @param before of the newest release; null: there is none
 * @returns null: nothing
 */
export function causeOf(before: ReleaseInputs | null, now: ReleaseInputs): Exclude<ReleaseTrigger, 'rollback'> | null {
  if (before === null || before.policyVersion !== now.policyVersion) return 'policy'
  if (before.versionId !== now.versionId || before.documentDigest !== now.documentDigest) return 'publish'
  const placeOf = ({ slug, hostnames, basePaths, evidence }: ReleaseInputs) => [slug, hostnames, basePaths, evidence]
  const isMoved = !isSame(placeOf(before), placeOf(now))
  // A gateway that left takes nothing away from the others.
  const isJoined = now.engines.some((it) => !before.engines.includes(it))
  if (!isMoved && !isJoined && isOfOlderCompiler(before, now)) return 'compiler'
  if (before.exceptions.some((id) => !now.exceptions.includes(id))) return 'exception-expired'
  if (isMoved) return 'environment'
  return isJoined ? 'enforcer' : null
}

/** Whether a release has all that people decided: another compiler alone would write it otherwise. */
export function isInForce(before: ReleaseInputs, now: ReleaseInputs): boolean {
  const cause = causeOf(before, now)
  return cause === null || cause === 'compiler'
}

/** Whether a release has all that there is but for the version of the document, which could not be compiled. */
export const differsInVersionOnly = (before: ReleaseInputs, now: ReleaseInputs): boolean =>
  before.versionId !== now.versionId &&
  isInForce({ ...before, versionId: now.versionId, documentDigest: now.documentDigest }, now)
