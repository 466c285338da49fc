import type { CanIDeploy } from '../../src/api/consumer-shapes.ts'
import type { Unresolved } from '../../src/contracts/contract.ts'
import { deployAnswerOf } from '../../src/contracts/deploy-answer.ts'
import type { Change } from '../../src/diff/change.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { findVersion, type VersionRow } from '../records/door.ts'
import { withTypes } from '../analysis/door.ts'
import { typedSubject, typesNow } from '../used-types/door.ts'
import type { RevisionRow } from './record.ts'
import { findConsumer, findRevision } from './service.ts'

const shown = ({ id, classification, message, operations, fingerprint }: Change): CanIDeploy['changes'][number] => ({
  id,
  classification,
  message,
  operations: [...operations],
  fingerprint,
})

interface Evidence {
  readonly reasons: readonly Unresolved[]
  readonly undecided: readonly Unresolved[]
  readonly changes: readonly Change[]
}

const none: Evidence = { reasons: [], undecided: [], changes: [] }

/** Looks the contract up in the version, and at what changed since the version it was declared against. */
async function evidenceOf(deps: Deps, revision: RevisionRow, handle: string, version: VersionRow): Promise<Evidence> {
  const { analysis } = deps
  const { tenantId, digest } = version
  const { read } = deps.db
  const head = await typedSubject(deps, read, version)
  const { contract, unresolved } = revision
  const { reasons, undecided } = await analysis.run(tenantId, 'losses', { contract, unresolved }, [head])
  if (revision.versionDigest === digest) return { reasons, undecided, changes: [] }
  const declared = analysis.textOf(tenantId, revision.versionDigest, revision.versionLabel)
  const base = withTypes(declared, (await typesNow(deps, read, [declared])).used)
  const one = {
    id: revision.consumerId,
    handle,
    name: handle,
    revision: revision.revision,
    versionLabel: revision.versionLabel,
    contract: revision.contract,
  }
  const { consumers, changes } = await analysis.impactOf(base, head, await analysis.compare(base, head), [one])
  const touching = (consumers[0]?.changes ?? []).map((at) => changes[at]!)
  return { reasons, undecided, changes: touching.filter((it) => it.severity === 'breaking') }
}

/**
 * Whether a version keeps what a consumer uses. What cannot be decided is `unknown`, with the fact that is missing.
 * @throws SvcError `project-not-found`, `consumer-not-found`, `version-not-found`
 */
export async function canIDeploy(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly consumer: string; readonly version: string },
): Promise<CanIDeploy> {
  const { read } = deps.db
  const tenantId = tenantOf(grant).id
  const { project, consumer } = await findConsumer(read, tenantId, refs.project, refs.consumer)
  const { version } = await findVersion(read, tenantId, project.id, refs.version)
  const revision = await findRevision(read, consumer, null)
  const evidence = revision === null ? none : await evidenceOf(deps, revision, consumer.handle, version)
  const warnings = [...(revision?.warnings ?? [])]
  const { answer, reasons, restsOnChanges, missing, message } = deployAnswerOf({
    ...evidence,
    consumer: consumer.handle,
    version: version.label,
    contract: revision?.contract ?? null,
    warnings,
  })
  return {
    answer,
    consumer: consumer.handle,
    revision: revision?.revision ?? null,
    version_record_id: version.id,
    version_label: version.label,
    declared_against: revision?.versionLabel ?? null,
    reasons: [...reasons],
    changes: restsOnChanges ? evidence.changes.map(shown) : [],
    warnings,
    missing,
    message,
  }
}
