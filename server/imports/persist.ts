import type { OverlayLineage, Provenance } from '../../src/api/version-shapes.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import type { Analysis } from '../analysis/door.ts'
import { assertTheirs, recordAudit } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { assertStorageRoom } from '../license/door.ts'
import { insertProject } from '../projects/door.ts'
import { prepareContent, type PreparedContent, storeContent } from '../../db/content.ts'
import { assertGates, assess, type Assessment, lockProject, publishFound } from '../publishing/door.ts'
import { urlsOf, type VersionRow } from '../records/door.ts'
import { recordEditor, writeDraft } from '../versions/door.ts'
import type { ImportOutcome, ImportPayload } from './payload.ts'
import { writeJoined } from './write-join.ts'
import type { ImportTarget, Planned } from './import-target.ts'
import { planImport } from './plan.ts'
import { checkThresholds } from './thresholds.ts'

/** A document as it will be stored. */
export interface StoredDocument {
  /** What findings call it: its path in a tree, or the name of a single text. */
  readonly path: string
  /** The author's own bytes, or the text that was made of several files. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Of what was made of several files. */
  readonly syntax?: 'json' | 'yaml'
  /** How many files it was made of. */
  readonly files: number
  /** Null where no overlay was applied. */
  readonly lineage: StoredLineage | null
}

/** What is kept of a document that overlays changed. */
export interface StoredLineage {
  /** The document before them, and the overlays in their order. */
  readonly texts: readonly Uint8Array[]
  readonly record: OverlayLineage
}

/** One document of an import. */
export interface ImportCandidate {
  readonly deps: Deps
  readonly payload: ImportPayload
  readonly target: ImportTarget
  readonly document: StoredDocument
  readonly digest: string
  readonly analysis: Analysis
  /** What its provenance says of where it was read from. */
  readonly from: { readonly source: string; readonly path: string | null; readonly commit: string | null }
  /** How many findings are kept; the whole list is one lint call away. */
  readonly maxFindings: number
}

/** What came of writing a document. */
export interface Persisted {
  readonly outcome: ImportOutcome
  readonly status: 'completed' | 'completed_with_warnings'
  readonly action: 'create' | 'update' | 'keep'
}

const thresholdOf = ({ payload: { request }, analysis: { grade } }: ImportCandidate) =>
  checkThresholds(
    {
      ...(request.min_grade ? { min_grade: request.min_grade } : {}),
      ...(request.fail_on ? { fail_on: request.fail_on } : {}),
    },
    grade.grade,
    grade.counts,
  )

/** What is known of a document before anything is planned. */
export function unwrittenOutcome(candidate: ImportCandidate): ImportOutcome {
  const { grade, warnings, findings } = candidate.analysis
  return {
    result: null,
    plan: null,
    lint: grade,
    gate: thresholdOf(candidate),
    warnings,
    findings: findings.slice(0, candidate.maxFindings).map((one) => ({ ...one, path: [...one.path] })),
    findings_total: findings.length,
  }
}

/** How a document ended that nothing was against. */
export const endedWell = ({ warnings }: Pick<ImportOutcome, 'warnings'>): Persisted['status'] =>
  warnings.length > 0 ? 'completed_with_warnings' : 'completed'

/** An import whose texts may be stored. */
export interface PreparedImport extends ImportCandidate {
  /** What is stored of it, in the order of its texts. */
  readonly contents: readonly PreparedContent[]
}

/**
 * Makes the texts of an import ready to be stored, before the transaction that does so.
 * @throws SvcError `storage-unavailable`
 */
export async function prepareImport(candidate: ImportCandidate): Promise<PreparedImport> {
  const { deps, payload, document } = candidate
  const contents: PreparedContent[] = []
  for (const text of textsOf(document)) contents.push(await prepareContent(deps.db, payload.tenant.id, text))
  return { ...candidate, contents }
}

/** Writes a document in the transaction of its caller. Raises what `planImport` does, `quota-exceeded`, `publish-gates-failed`. */
export async function persist(tx: Transaction, candidate: PreparedImport): Promise<Persisted> {
  const { deps, payload, analysis, digest, target } = candidate
  const { tenant, actor } = payload
  const at = deps.clock.iso()
  await tx.lock(`import ${tenant.id}`)
  const planned = await planImport(tx, tenant, target, analysis.summary, digest)
  if (planned.project !== null) await assertTheirs(tx, tenant.id, payload.principal, planned.project)
  const project =
    planned.project ??
    (await insertProject(tx, deps.plans, tenant, {
      ...planned.plan.project,
      description: analysis.description,
      createdBy: actor,
      creator: payload.principal,
      at,
      metadata: analysis.project,
    }))
  if (planned.plan.publish !== null) await lockProject(tx, project.id)
  const assessment = await assessPublication(tx, candidate, planned)
  const { action } = planned.plan.version
  const change = () =>
    planned.plan.joined === undefined ? write(tx, candidate, planned, project.id, at) : join(tx, candidate, planned, at)
  const written = action === 'keep' ? await keep(tx, candidate, planned, at) : await change()
  if (!written) throw new Error('an import that keeps its version has one')
  const version = await publishIfAsked(tx, candidate, project, written, assessment, at)
  const result = {
    project_id: project.id,
    version_id: version.id,
    project_slug: project.slug,
    version_slug: version.slug,
    unchanged: action === 'keep',
    urls: urlsOf(deps.publicUrl(), tenant.slug, project.slug, version.slug, version.format.kind),
  }
  const plan = { ...planned.plan, project: { ...planned.plan.project, slug: project.slug } }
  const outcome = { ...unwrittenOutcome(candidate), result, plan }
  return { outcome, status: endedWell(outcome), action }
}

const textsOf = ({ bytes, lineage }: StoredDocument): readonly Uint8Array[] => [bytes, ...(lineage?.texts ?? [])]

/** The version that has this document already. What is stored of it is repaired where it was damaged. */
async function keep(tx: Transaction, { contents }: PreparedImport, { version }: Planned, at: string) {
  for (const content of contents) await storeContent(tx, content, at)
  return version
}

/** Stores a document with what its overlays made it of. Raises `quota-exceeded`. */
async function storeDocument(tx: Transaction, { deps, payload, contents }: PreparedImport, at: string): Promise<void> {
  const size = contents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  await assertStorageRoom(tx, deps.plans, payload.tenant.id, size)
  for (const content of contents) await storeContent(tx, content, at)
}

async function write(
  tx: Transaction,
  candidate: PreparedImport,
  planned: Planned,
  projectId: string,
  at: string,
): Promise<VersionRow> {
  const { payload, analysis, digest, document } = candidate
  const { tenant, actor } = payload
  await storeDocument(tx, candidate, at)
  const provenance = provenanceOf(candidate, at)
  const { label, slug } = planned.plan.version
  const place = { tenantId: tenant.id, projectId, label, slug, visibility: 'private' as const }
  const draft = { ...place, digest, sizeBytes: document.bytes.byteLength, provenance, createdBy: actor, at }
  const version = await writeDraft(tx, draft, analysis, planned.version)
  await recordAudit(tx, {
    tenantId: tenant.id,
    actor: payload.principal,
    action: 'version.imported',
    targetId: version.id,
    detail: { label, digest },
    at,
  })
  return version
}

const provenanceOf = ({ analysis, digest, document, from, payload }: ImportCandidate, at: string): Provenance => ({
  source: from.source,
  digest,
  importer: `${analysis.format.kind} ${analysis.format.version}`,
  imported_at: at,
  commit: from.commit,
  ...(document.lineage === null ? {} : { lineage: document.lineage.record }),
  warnings: analysis.warnings,
  ...(from.path === null ? {} : { path: from.path }),
  ...(document.files > 1 ? { files: document.files } : {}),
  ...(payload.request.project_name_field === undefined
    ? {}
    : { project_name_field: payload.request.project_name_field }),
})

/** Puts a document beside the content of a draft. */
async function join(
  tx: Transaction,
  candidate: PreparedImport,
  { version, plan }: Planned,
  at: string,
): Promise<VersionRow> {
  const { payload, analysis, digest, document } = candidate
  const { tenant } = payload
  if (version === null || plan.joined === undefined) throw new Error('a document joins a version that is there')
  await storeDocument(tx, candidate, at)
  const { kind, name, classes } = plan.joined
  const syntax = document.syntax ?? analysis.syntax
  const joined = { kind, name, classes, syntax, provenance: provenanceOf(candidate, at) }
  const row = await writeJoined(tx, tenant.id, version, joined, at)
  await recordEditor(tx, row, payload.actor, at)
  await recordAudit(tx, {
    tenantId: tenant.id,
    actor: payload.principal,
    action: 'version.imported',
    targetId: version.id,
    detail: { label: version.label, digest, joined: name },
    at,
  })
  return row
}

async function publishIfAsked(
  tx: Transaction,
  { deps, payload }: ImportCandidate,
  project: Parameters<typeof publishFound>[3]['project'],
  version: VersionRow,
  assessment: (Assessment & { readonly visibility: 'public' | 'private' }) | null,
  at: string,
): Promise<VersionRow> {
  const { request, tenant, principal } = payload
  if (assessment === null) return version
  const force = request.force === true
  assertGates(assessment.gates, force)
  const forced = force ? { force, force_reason: request.force_reason ?? 'forced by the import' } : {}
  return publishFound(
    deps,
    tx,
    tenant,
    { project, version },
    { visibility: assessment.visibility, ...forced },
    { actor: principal, at, assessment },
  )
}

/**
 * What publishing it would mean, as the reader sees what is published; null where nothing is to be published. The
 * transaction that writes asks with its own reader. Asked once ahead of it, the comparison is cached, so that the
 * transaction does not hold others back for as long as it takes.
 */
export async function assessPublication(read: Reader, importCandidate: ImportCandidate, planned: Planned) {
  const visibility = planned.plan.publish
  if (visibility === null) return null
  const { deps, payload, analysis } = importCandidate
  const { label, slug } = planned.plan.version
  const candidate = {
    projectId: planned.project?.id ?? null,
    projectSlug: planned.plan.project.slug,
    label,
    slug,
    analysis,
    isStored: planned.plan.version.action === 'keep',
    reviewed: planned.plan.version.action === 'keep' && planned.version !== null ? planned.version : ('new' as const),
  }
  return { ...(await assess(deps, read, payload.tenant, candidate)), visibility }
}
