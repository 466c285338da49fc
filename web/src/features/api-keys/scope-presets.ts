import type { KeyScope } from '../../../../src/api/permissions.ts'

export interface Preset {
  readonly id: string
  readonly name: string
  readonly allows: string
  readonly scopes: readonly KeyScope[]
}

/** The choices of what a key may do (spec section 5): the first one is chosen unless told. */
export const presets: readonly Preset[] = [
  { id: 'full', name: 'Full access', allows: 'Every operation of the tenant.', scopes: ['*'] },
  { id: 'diff', name: 'CI: classified diff', allows: 'Only comparing versions.', scopes: ['diff:read'] },
  { id: 'lint', name: 'CI: lint', allows: 'Only reading lint reports and gates.', scopes: ['lint:read'] },
  {
    id: 'diff-lint',
    name: 'CI: diff + lint',
    allows: 'Comparing, lint reports and gates; no writing.',
    scopes: ['diff:read', 'lint:read'],
  },
]

/** The preset that has exactly these scopes. */
export const presetOf = (scopes: readonly string[]): Preset | undefined =>
  presets.find((it) => it.scopes.length === scopes.length && it.scopes.every((scope) => scopes.includes(scope)))
