import type { ConsumerImpactReport } from '../../src/api/consumer-shapes.ts'
import type { ProjectImpact } from './impacts.ts'

/** The impact on consumers as the contract shows it. */
export function impactReport({ consumers, changes }: ProjectImpact): ConsumerImpactReport {
  const counts = { broken: 0, unknown: 0, touched: 0, unaffected: 0 }
  for (const { status } of consumers) counts[status]++
  return {
    counts,
    consumers: consumers.map((consumer) => ({
      handle: consumer.handle,
      name: consumer.name,
      revision: consumer.revision,
      declared_against: consumer.versionLabel,
      status: consumer.status,
      reasons: [...consumer.losses],
      changes: consumer.changes.flatMap((at) => changes[at]?.fingerprint ?? []),
    })),
  }
}
