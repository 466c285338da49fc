import type { CanIDeploy } from '../../src/api/consumer-shapes.ts'
import type { Unresolved } from '../../src/contracts/contract.ts'
import type { Change } from '../../src/diff/change.ts'
import { tenantOf } from '../auth/caller.ts'
import type { Grant } from '../auth/grant.ts'
import type { Deps } from '../deps.ts'
import { findVersion } from '../versions/service.ts'
import type { VersionRow } from '../versions/record.ts'
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

/** Looks the contract up in the version, and at what changed since the version it was declared against. */
async function evidenceOf(deps: Deps, revision: RevisionRow, handle: string, version: VersionRow): Promise<Evidence> {
  const { analysis } = deps
  const { tenantId, digest } = version
  const head = analysis.subjectOf(version)
  const { contract, unresolved } = revision
  const { reasons, undecided } = await analysis.run(tenantId, 'losses', { contract, unresolved }, [head])
  if (revision.versionDigest === digest) return { reasons, undecided, changes: [] }
  const base = analysis.textOf(tenantId, revision.versionDigest, revision.versionLabel)
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
 * Raises `project-not-found`, `consumer-not-found`, `version-not-found`.
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
  const facts = {
    consumer: consumer.handle,
    revision: revision?.revision ?? null,
    version_record_id: version.id,
    version_label: version.label,
    declared_against: revision?.versionLabel ?? null,
    warnings: [...(revision?.warnings ?? [])],
  }
  const unknown = (missing: string, evidence: Partial<Pick<CanIDeploy, 'reasons' | 'changes'>> = {}): CanIDeploy => ({
    ...facts,
    answer: 'unknown',
    reasons: [],
    changes: [],
    ...evidence,
    missing,
    message: `It cannot be said whether ${version.label} keeps what ${consumer.handle} uses: ${missing}.`,
  })
  if (revision === null) return unknown(`a contract: ${consumer.handle} never declared what it uses`)
  const { reasons, undecided, changes } = await evidenceOf(deps, revision, consumer.handle, version)
  const proven = changes.filter((it) => it.classification !== 'unknown')
  if (reasons.length > 0 || proven.length > 0) {
    const [first] = [...reasons, ...proven]
    const more = reasons.length + proven.length - 1
    const rest = more > 0 ? ` (and ${more} more)` : ''
    return {
      ...facts,
      answer: 'no',
      reasons: [...reasons],
      changes: changes.map(shown),
      missing: null,
      message: `${version.label} breaks ${consumer.handle}: ${first?.message ?? ''}${rest}`,
    }
  }
  const [open] = changes
  if (open) return unknown(`a verdict on "${open.message}"`, { changes: changes.map(shown) })
  const [odd] = undecided
  if (odd)
    return unknown(`what the contract means by "${odd.interaction ?? odd.path ?? ''}" (${odd.reason})`, {
      reasons: [...undecided],
    })
  const [contradiction] = revision.warnings
  if (contradiction)
    return unknown(
      `which is correct, the contract or the specification; in "${contradiction.interaction ?? contradiction.path}" (${contradiction.method} ${contradiction.path}) the contract test contradicts it: ${contradiction.message.replace(/\.$/, '')}`,
    )
  if (revision.contract.operations.length === 0) return unknown('a surface: nothing that the contract names was found')
  return {
    ...facts,
    answer: 'yes',
    reasons: [],
    changes: [],
    missing: null,
    message: `${version.label} keeps everything that ${consumer.handle} uses.`,
  }
}
