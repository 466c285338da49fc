/** Why a release is made: what it would be made of now, compared with what the newest one was made of. */
import type { Engine } from '../compile/model.ts'
import type { EnforcerKind } from '../enforcer.ts'

export const releaseTriggers = [
  'policy',
  'publish',
  'exception-expired',
  'environment',
  'enforcer',
  'rollback',
] as const
export type ReleaseTrigger = (typeof releaseTriggers)[number]

/** The configuration that each kind of gateway reads. */
export const engineOf: Readonly<Record<EnforcerKind, Engine>> = {
  'coraza-caddy': 'coraza',
  'coraza-spoa': 'coraza',
  'coraza-wasm': 'coraza-wasm',
  modsecurity: 'modsecurity',
  export: 'coraza',
}

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
  /** Sorted. */
  readonly engines: readonly Engine[]
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
