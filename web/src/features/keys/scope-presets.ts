import type { KeyScope } from '../../../../src/api/permissions.ts'

export interface Preset {
  readonly id: string
  readonly name: string
  readonly allows: string
  readonly scopes: readonly KeyScope[]
}

/** The choices of what a key may do (spec section 5): the first one is the default. Those of pipelines are narrower. */
export const presets: readonly Preset[] = [
  {
    id: 'full',
    name: 'Full access',
    allows: 'Every operation of the organization. Not what needs a person: approvals, members, keys, ownership.',
    scopes: ['*'],
  },
  {
    id: 'diff',
    name: 'CI: compare',
    allows: 'Compare versions. Nothing else.',
    scopes: ['diff:read'],
  },
  { id: 'lint', name: 'CI: lint', allows: 'Read lint reports and gates. Nothing else.', scopes: ['lint:read'] },
  {
    id: 'diff-lint',
    name: 'CI: compare and lint',
    allows: 'Compare versions, read lint reports and gates. Nothing else.',
    scopes: ['diff:read', 'lint:read'],
  },
  {
    id: 'read',
    name: 'CI: read',
    allows:
      'Read projects, versions, documents, lint reports, types and consumers; compare versions; ask whether a release is safe. Changes nothing.',
    scopes: ['catalog:read'],
  },
  {
    id: 'import',
    name: 'CI: import',
    allows:
      'What CI: read can do; create and edit projects, import documents, change drafts, declare consumers, import MCP servers. Publishes nothing.',
    scopes: ['catalog:import'],
  },
  {
    id: 'publish',
    name: 'CI: publish',
    allows:
      'What CI: import can do; publish, deprecate and retire versions where all gates pass. No publishing by force, and no settings, webhooks, style guides or gateways.',
    scopes: ['catalog:publish'],
  },
]

/** The preset that has exactly these scopes. */
export const presetOf = (scopes: readonly string[]): Preset | undefined =>
  presets.find((it) => it.scopes.length === scopes.length && it.scopes.every((scope) => scopes.includes(scope)))
