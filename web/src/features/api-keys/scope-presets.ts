import type { KeyScope } from '../../../../src/api/permissions.ts'

export interface Preset {
  readonly id: string
  readonly name: string
  readonly allows: string
  readonly scopes: readonly KeyScope[]
}

/** The choices of what a key may do (spec section 5): the first one is the default. */
export const presets: readonly Preset[] = [
  { id: 'full', name: 'Full access', allows: 'Every operation of the organization.', scopes: ['*'] },
  { id: 'diff', name: 'CI: compare', allows: 'Compare versions.', scopes: ['diff:read'] },
  { id: 'lint', name: 'CI: lint', allows: 'Read lint reports and gates.', scopes: ['lint:read'] },
  {
    id: 'diff-lint',
    name: 'CI: compare and lint',
    allows: 'Compare versions, read lint reports and gates.',
    scopes: ['diff:read', 'lint:read'],
  },
]

/** The preset that has exactly these scopes. */
export const presetOf = (scopes: readonly string[]): Preset | undefined =>
  presets.find((it) => it.scopes.length === scopes.length && it.scopes.every((scope) => scopes.includes(scope)))
