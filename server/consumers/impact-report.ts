import type { ConsumerImpactReport } from '../../src/api/consumer-shapes.ts'
import type { ProjectImpact } from '../analysis/impacts.ts'

/** The impact on consumers as the contract shows it. */
export function impactReport({ consumers, changes }: ProjectImpact): ConsumerImpactReport {
  const counts = { broken: 0, unknown: 0, touched: 0, unaffected: 0 }
  for (const { status } of consumers) counts[status]++
  return {
    counts,
    consumers: consumers.map((it) => ({
      handle: it.handle,
      name: it.name,
      revision: it.revision,
      declared_against: it.versionLabel,
      status: it.status,
      reasons: [...it.losses],
      changes: it.changes.flatMap((at) => changes[at]?.fingerprint ?? []),
    })),
  }
}
