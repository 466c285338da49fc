import type { Gate } from '../../src/api/versions.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { GatewayImpact } from '../gateway/door.ts'

const mostNamed = 5

const namesOf = (all: readonly string[]): string =>
  all.slice(0, mostNamed).join(', ') + (all.length > mostNamed ? ` and ${all.length - mostNamed} more` : '')

function recorded({ consumers, calls, networks }: GatewayImpact): string {
  const parts = [
    ...(consumers.length === 0 ? [] : [`Consumers that are touched: ${namesOf(consumers)}.`]),
    ...(calls === 0 ? [] : [`Recorded calls of these operations in 30 days: ${calls}.`]),
    ...(networks === 0 ? [] : [`Networks of clients that were recorded there: ${networks}.`]),
  ]
  return parts.map((it) => ` ${it}`).join('')
}

function sentence(label: string, impact: GatewayImpact): string {
  const { environment, from, narrowing, undecided } = impact
  const count = narrowing > 0 ? narrowing : undecided
  const [narrows, refuses] = [count === 1 ? 'narrows' : 'narrow', impact.mode === 'block' ? 'refuses' : 'logs']
  const [does, verb] = narrowing > 0 ? [narrows, refuses] : ['may narrow', 'may refuse']
  return `"${environment}" ${verb} requests with ${label} that it accepts with ${from}: ${plural(count, 'change')} ${does} them.${recorded(impact)}`
}

/**
 * Whether gateways would refuse requests that they accept now.
 * @param impacts of the environments that would follow the version; null: none follows the project
 */
export function gatewayImpact(
  label: string,
  impacts: readonly GatewayImpact[] | null,
  evidence_url: string | null,
): Gate {
  const id = 'gateway-impact'
  if (impacts === null)
    return { id, status: 'skipped', message: 'No gateway compares requests with this project.', evidence_url: null }
  const gate = (status: Gate['status'], message: string): Gate => ({ id, status, message, evidence_url })
  const text = (list: readonly GatewayImpact[]): string => list.map((it) => sentence(label, it)).join(' ')
  const refusing = impacts.filter(({ mode, narrowing }) => mode === 'block' && narrowing > 0)
  if (refusing.length > 0) return gate('warn', text(refusing))
  const undecided = impacts.filter((it) => it.mode === 'block' && it.undecided > 0)
  if (undecided.length > 0) return gate('unknown', text(undecided))
  const logging = impacts.filter(({ narrowing }) => narrowing > 0)
  return gate('pass', logging.length > 0 ? text(logging) : 'Gateways accept every request that they accept now.')
}
