/** What no gateway of an environment can do. */
import type { Reader } from '../../db/database.ts'
import type { Policy } from '../../src/gateway-policy/model.ts'
import { SvcError } from '../../src/errors.ts'
import type { Enforcement } from './enforcement.ts'
import type { EnvironmentRow } from './store.ts'

/** The parts of a policy that challenge clients. */
const challengesOf = ({ presets, groups, rules }: Policy): string[] => [
  ...(presets.bot === 'challenge' ? ['The preset for bots'] : []),
  ...(presets.challenge === null ? [] : ['The challenge of the presets']),
  ...Object.entries(groups).flatMap(([id, it]) => (it.mode === 'challenge' ? [`The group ${id}`] : [])),
  ...rules.flatMap((it) => (it.enabled && it.action === 'challenge' ? [`The rule "${it.name}"`] : [])),
]

/**
 * Stops a change that asks for a challenge where no gateway can send one. What was there before stays; without gateways no one knows.
 * @throws SvcError `mode-unsupported`
 */
export async function assertModes(
  { gatewaysOf }: Enforcement,
  read: Reader,
  row: EnvironmentRow,
  before: Policy,
  after: Policy,
): Promise<void> {
  const known = new Set(challengesOf(before))
  const [first] = challengesOf(after).filter((it) => !known.has(it))
  if (first === undefined) return
  const gateways = await gatewaysOf(read, row)
  if (gateways.length === 0 || gateways.some(({ capabilities }) => capabilities.includes('challenge'))) return
  const kinds = [...new Set(gateways.map(({ kind }) => kind))].sort().join(', ')
  throw new SvcError('mode-unsupported', {
    reason: `${first} would challenge clients, and ${kinds} cannot send a challenge`,
  })
}
