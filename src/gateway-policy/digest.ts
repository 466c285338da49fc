/** Digests of policies and of changes, over canonical JSON (RFC 8785). */
import { canonicalJson } from '../kernel/canonical.ts'
import type { Json } from '../kernel/json.ts'
import type { Policy } from './model.ts'
import { sha256 } from '../host/engine.ts'

/** "sha256:" and the digest of the canonical form. */
export const digestOf = (value: unknown): string => `sha256:${sha256(canonicalJson(value as Json))}`

/** The digest of what a policy does: who wrote its parts and when, and what was removed, is not in it. */
export function policyDigest({ presets, groups, rules, exceptions, positive }: Policy): string {
  return digestOf({
    presets,
    groups,
    positive,
    rules: rules.map(({ id, name, enabled, action, status, expression, order, reason, groups: skipped, rate }) => ({
      id,
      name,
      enabled,
      action,
      status,
      expression,
      order,
      reason,
      groups: skipped,
      rate,
    })),
    exceptions: exceptions
      .filter(({ removedAt }) => removedAt === null)
      .map(({ id, scope, target, reason, expiresAt }) => ({ id, scope, target, reason, expiresAt })),
  })
}

/** A change that a second person is asked about. */
export interface Change {
  readonly environment: string
  readonly operation: string
  readonly target: string | null
  /** What is sent, without what only steers the request. */
  readonly body: unknown
  readonly policyVersion: number
}

/** What an approval is bound to: this change of this environment, on top of this version of its policy. */
export const changeDigest = ({ environment, operation, target, body, policyVersion }: Change): string =>
  digestOf({ environment, operation, target, body, policyVersion })
