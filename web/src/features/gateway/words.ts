/** What the settings of gateway security are called. */
import type { Environment } from '../../../../src/api/environments.ts'
import type { SecurityPolicy } from '../../../../src/api/gateway.ts'
import { type GroupMode, type TierId, tiers } from '../../../../src/gateway-policy/door.ts'
import type { Tone } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'

export const kindNames: Readonly<Record<Environment['kind'], string>> = {
  production: 'Production',
  staging: 'Staging',
  development: 'Development',
  other: 'Other',
}

export const tierNames: Readonly<Record<TierId, string>> = {
  off: 'Off',
  basic: 'Basic',
  standard: 'Standard',
  strict: 'Strict',
}

/** What a tier blocks, in one line. */
export const tierDetail = (id: TierId): string => {
  const { blockingLevel, threshold, attacksBlocked } = tiers[id]
  return id === 'off'
    ? 'No managed group is in use.'
    : `Rules of paranoia level ${blockingLevel}, refused at a score of ${threshold}: ${attacksBlocked} % of the attack cases of the rule set.`
}

export const modeNames: Readonly<Record<GroupMode, string>> = {
  block: 'Block',
  challenge: 'Challenge',
  log: 'Log only',
  off: 'Off',
}

/** Blocking is what was asked for, not what was confirmed: no mode is shown as a success. */
export const modeTones: Readonly<Record<GroupMode, Tone>> = {
  block: 'accent',
  challenge: 'info',
  log: 'warn',
  off: 'plain',
}

type Enforced = SecurityPolicy['enforces'][number]['state']

export const enforcedNames: Readonly<Record<Enforced, string>> = {
  enforced: 'enforced',
  approximated: 'enforced in part',
  unproven: 'not proven',
  'not-enforced': 'not enforced',
  unknown: 'not confirmed by a gateway',
}

export const enforcedTones: Readonly<Record<Enforced, Tone>> = {
  enforced: 'ok',
  approximated: 'warn',
  unproven: 'warn',
  'not-enforced': 'danger',
  unknown: 'plain',
}

/** How many gateways follow the newest version. */
export const enforcersWords = ({ total, current, silent }: Environment['enforcers']): string =>
  total === 0
    ? 'no gateway connected'
    : `${current} of ${count(total, 'gateway has', 'gateways have')} the newest version${silent > 0 ? `, ${silent} silent` : ''}`

const soonMs = 7 * 24 * 3_600_000

/** The active exceptions that end within 7 days, those that end first before the others. */
export const endingSoon = ({ exceptions }: Pick<SecurityPolicy, 'exceptions'>): SecurityPolicy['exceptions'] =>
  exceptions
    .filter((it) => it.state === 'active' && Date.parse(it.expiresAt) - Date.now() <= soonMs)
    .toSorted((a, b) => a.expiresAt.localeCompare(b.expiresAt))
