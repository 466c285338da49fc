import { impactOf, type ConsumerImpact } from '../../../src/contracts/impact.ts'
import type { Change } from '../../../src/diff/change.ts'
import { inDocuments } from '../../../src/diff/places.ts'
import { both, type Desk } from '../desk.ts'
import type { LiveConsumer, ProjectImpact } from '../impacts.ts'
import { type PackedChanges, unpackChanges, withConsumers } from '../packed-changes.ts'
import { specificationOf } from '../specification.ts'

interface Asked {
  readonly changes: readonly Change[]
  readonly live: readonly LiveConsumer[]
}

const named = (found: readonly ConsumerImpact[], live: readonly LiveConsumer[]): ProjectImpact['consumers'] =>
  found.map((it, at) => {
    const { name, revision, versionLabel } = live[at]!
    return { ...it, name, revision, versionLabel }
  })

/** What changes between two documents mean for consumers, with the handles of those that each change touches. */
function found({ changes, live }: Asked, desk: Desk) {
  const [older, newer] = both(desk)
  const [base, head] = [desk.engine.document(older), desk.engine.document(newer)]
  const compared = inDocuments(changes, base, head)
  const { consumers, touched } = impactOf(specificationOf(base), specificationOf(head), compared, live)
  return { consumers: named(consumers, live), touched: changes.map((_, at) => touched.get(at) ?? []) }
}

/** What changes between two documents mean for the consumers of a project, in this process. */
export function impactOn(asked: Asked, desk: Desk): ProjectImpact {
  const { consumers, touched } = found(asked, desk)
  return { consumers, changes: withConsumers(asked.changes, touched) }
}

/** The same for a server, which has the changes. */
export const run = ({ packed, live }: { readonly packed: PackedChanges; readonly live: Asked['live'] }, desk: Desk) =>
  found({ changes: unpackChanges(packed), live }, desk)
