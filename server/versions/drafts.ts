import { and, eq, ne, or } from 'drizzle-orm'
import type { Provenance } from '../../src/api/version-shapes.ts'
import type { VersionRecord } from '../../src/api/versions.ts'
import { SvcError } from '../../src/errors.ts'
import { slugifyVersion } from '../../src/import/slug.ts'
import { inTenant } from '../../db/conditions.ts'
import { summarizeProjects } from '../../db/projects/summary.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { versions } from '../../db/tables.gen.ts'
import type { Analysis } from '../analysis/door.ts'
import type { LintGuide } from '../guide-rules/door.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import type { Deps } from '../kit/door.ts'
import { assertStorageRoom } from '../license/door.ts'
import { lintWithTypes } from '../used-types/door.ts'
import { findProject, findVersion, type ProjectRow, toVersionRecord, type VersionRow } from '../records/door.ts'
import { effectiveGuide } from '../style-guides/door.ts'
import type { SentDocument } from './body.ts'
import { digestOf, prepareContent, type PreparedContent, readContent, storeContent } from '../../db/content.ts'
import { etagOf, isMatched } from '../http/door.ts'
import { writeDraft, type Draft } from './store.ts'

/** What a new version begins with. */
export interface NewVersion {
  readonly label?: string
  readonly slug?: string
  readonly visibility?: 'public' | 'private'
  readonly content?: SentDocument
  readonly from?: string
  /** The version whose joined documents go with `content`. */
  readonly joinedFrom?: string
}

/** @throws SvcError `document-invalid` or `format-unknown` for what cannot be read as a document of any kind */
async function readDraft(deps: Deps, tenantId: string, document: SentDocument, guide: LintGuide): Promise<Analysis> {
  const source = document.name ?? 'document'
  const digest = digestOf(document.bytes)
  const alone = await deps.analysis.analyse({ tenantId, digest, bytes: document.bytes, source, format: 'auto' }, guide)
  const analysis = await lintWithTypes(deps, deps.db.read, alone, guide)
  if (analysis.isReadable) return analysis
  const [reason = 'it is empty'] = analysis.invalid
  if (analysis.refusal === 'format-unknown') throw new SvcError('format-unknown', { source, family: analysis.family })
  throw new SvcError('document-invalid', { reason })
}

/** @throws SvcError `version-label-invalid` */
export function assertLabel(label: string): void {
  if (label.length > 100) throw new SvcError('version-label-invalid', { label, reason: 'it has over 100 characters' })
  if (label.toLowerCase() === 'latest')
    throw new SvcError('version-label-invalid', { label, reason: 'it is reserved for the latest published version' })
  if (label.trim() !== label || /[\p{Cc}/]/u.test(label))
    throw new SvcError('version-label-invalid', {
      label,
      reason: 'it begins or ends with a space, or contains a slash or control character',
    })
}

/** @throws SvcError `version-exists` where another version of the project has the label or the slug */
async function assertFree(
  read: Reader,
  project: ProjectRow,
  names: { readonly label: string; readonly slug: string; readonly except: string | null },
): Promise<void> {
  const { label, slug, except } = names
  const same = or(
    eq(versions.label, label),
    eq(versions.slug, slug),
    eq(versions.label, slug),
    eq(versions.slug, label),
  )
  const other = except === null ? undefined : ne(versions.id, except)
  const [taken] = await read
    .select({ label: versions.label })
    .from(versions)
    .where(inTenant(versions, project.tenantId, and(eq(versions.projectId, project.id), same, other)))
    .limit(1)
  if (taken) throw new SvcError('version-exists', { version: taken.label, project: project.slug })
}

/** A document of nothing yet, to be filled. */
const emptyDocument = (title: string, version: string): SentDocument => ({
  bytes: new TextEncoder().encode(
    `${JSON.stringify({ openapi: '3.1.0', info: { title, version }, paths: {} }, null, 2)}\n`,
  ),
  name: null,
})

function provenanceOf(document: SentDocument, analysis: Analysis, digest: string, at: string): Provenance {
  const { kind, version } = analysis.format
  return {
    source: document.name ?? 'document',
    digest,
    importer: `${kind} ${version}`,
    imported_at: at,
    commit: null,
    warnings: analysis.warnings,
  }
}

/** The document a new version begins with: the one that was sent, that of another version, or an empty one. */
async function beginning(deps: Deps, project: ProjectRow, input: NewVersion): Promise<SentDocument> {
  if (input.content !== undefined && input.from !== undefined)
    throw new SvcError('usage', { reason: 'Give either "content" or "from", not both.' })
  if (input.content !== undefined) return input.content
  if (input.from !== undefined) {
    const { version } = await findVersion(deps.db.read, project.tenantId, project.id, input.from)
    const bytes = await readContent(deps.db, project.tenantId, version.digest)
    return { bytes, name: version.provenance.source }
  }
  if (input.label === undefined)
    throw new SvcError('usage', { reason: 'A version without a document needs a "label".' })
  return emptyDocument(project.name, input.label)
}

// What joined a version goes with its document.
async function joinedOf(
  deps: Deps,
  project: ProjectRow,
  { joinedFrom, from = joinedFrom }: NewVersion,
): Promise<VersionRow['joined']> {
  if (from === undefined) return null
  return (await findVersion(deps.db.read, project.tenantId, project.id, from)).version.joined
}

async function write(
  deps: Deps,
  tx: Transaction,
  grant: Grant,
  draft: Omit<Draft, 'tenantId' | 'createdBy'>,
  work: { readonly analysis: Analysis; readonly content: PreparedContent; readonly existing: VersionRow | null },
): Promise<VersionRow> {
  const tenant = tenantOf(grant)
  await assertStorageRoom(tx, deps.plans, tenant.id, work.content.sizeBytes)
  await storeContent(tx, work.content, draft.at)
  const whole = { ...draft, tenantId: tenant.id, createdBy: actorOf(grant) }
  const row = await writeDraft(tx, whole, work.analysis, work.existing)
  const action = work.existing === null ? 'version.created' : 'version.document-replaced'
  await audit(tx, grant, row, action, draft.at, { label: row.label, digest: row.digest })
  return row
}

const audit = (
  tx: Transaction,
  grant: Grant,
  row: VersionRow,
  action: AuditAction,
  at: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> =>
  recordAudit(tx, {
    tenantId: row.tenantId,
    actor: grant.principal,
    action,
    targetId: row.id,
    detail,
    at,
  })

/**
 * Creates a draft.
 * @throws SvcError `project-not-found`, `version-not-found`, `version-exists`, `version-label-invalid`,
 *   `document-invalid`, `format-unknown`, `quota-exceeded`, `usage`
 */
export async function createVersion(
  deps: Deps,
  grant: Grant,
  projectRef: string,
  input: NewVersion,
): Promise<VersionRecord> {
  const tenant = tenantOf(grant)
  const project = await findProject(deps.db.read, tenant.id, projectRef)
  const document = await beginning(deps, project, input)
  const joined = await joinedOf(deps, project, input)
  const { guide } = await effectiveGuide(deps.db.read, tenant.id, project.id)
  const analysis = await readDraft(deps, tenant.id, document, guide)
  const label = input.label ?? analysis.summary.version
  assertLabel(label)
  const slug = input.slug ?? slugifyVersion(label)
  assertLabel(slug)
  const digest = digestOf(document.bytes)
  const content = await prepareContent(deps.db, tenant.id, document.bytes)
  const at = deps.clock.iso()
  const row = await deps.db
    .inTransaction(async (tx) => {
      await findProject(tx, tenant.id, project.id)
      await assertFree(tx, project, { label, slug, except: null })
      const draft = {
        projectId: project.id,
        label,
        slug,
        visibility: input.visibility ?? 'private',
        digest,
        sizeBytes: document.bytes.byteLength,
        provenance: provenanceOf(document, analysis, digest, at),
        joined,
        at,
      }
      return write(deps, tx, grant, draft, { analysis, content, existing: null })
    })
    .catch((error: unknown) => {
      // Someone else took the name between the question and the write.
      if (isUniqueViolation(error)) throw new SvcError('version-exists', { version: label, project: project.slug })
      throw error
    })
  deps.analysis.remember(tenant.id, digest, analysis)
  return toVersionRecord(row, project.slug, tenant.slug, deps.publicUrl())
}

/** @throws SvcError `document-changed` where the writer saw other bytes */
export function assertMatch(ifMatch: string, digest: string): void {
  if (!isMatched(ifMatch, etagOf(digest)))
    throw new SvcError('document-changed', { expected: ifMatch.replaceAll('"', ''), actual: digest })
}

/**
 * Replaces the document of a draft, if it is still the one that the writer read.
 * @param also is written in the same transaction; what it throws leaves the draft as it is
 * @throws SvcError `project-not-found`, `version-not-found`, `version-published`, `precondition-required`,
 *   `document-changed`, `document-invalid`, `format-unknown`, `quota-exceeded`
 */
export async function replaceDocument(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly version: string },
  document: SentDocument,
  ifMatch: string | null,
  also: (tx: Transaction) => Promise<void> = async () => {},
): Promise<{ record: VersionRecord; etag: string }> {
  const tenant = tenantOf(grant)
  const assertEditable = ({ status, label, digest: stored }: VersionRow): void => {
    if (status !== 'draft') throw new SvcError('version-published', { version: label })
    if (ifMatch === null) throw new SvcError('precondition-required', { header: 'If-Match' })
    assertMatch(ifMatch, stored)
  }
  const before = await findVersion(deps.db.read, tenant.id, refs.project, refs.version)
  assertEditable(before.version)
  const { guide } = await effectiveGuide(deps.db.read, tenant.id, before.project.id)
  const analysis = await readDraft(deps, tenant.id, document, guide)
  const digest = digestOf(document.bytes)
  const content = await prepareContent(deps.db, tenant.id, document.bytes)
  const at = deps.clock.iso()
  const row = await deps.db.inTransaction(async (tx) => {
    await tx.lock(`project ${before.project.id}`)
    const { version } = await findVersion(tx, tenant.id, before.project.id, before.version.id)
    assertEditable(version)
    const { projectId, label, slug, visibility } = version
    const provenance = provenanceOf(document, analysis, digest, at)
    const sizeBytes = document.bytes.byteLength
    const draft = { projectId, label, slug, visibility, digest, sizeBytes, provenance, at }
    const written = await write(deps, tx, grant, draft, { analysis, content, existing: version })
    await also(tx)
    return written
  })
  deps.analysis.remember(tenant.id, digest, analysis)
  return { record: toVersionRecord(row, before.project.slug, tenant.slug, deps.publicUrl()), etag: etagOf(digest) }
}

/**
 * Changes what is not the document: the visibility at any time, label and slug of a draft.
 * @throws SvcError `project-not-found`, `version-not-found`, `version-published`, `version-exists`,
 *   `version-label-invalid`, `permission-denied`, and `document-changed` where `ifMatch` names other bytes
 */
export async function updateVersion(
  deps: Deps,
  grant: Grant,
  refs: { readonly project: string; readonly version: string },
  input: { readonly label?: string; readonly slug?: string; readonly visibility?: 'public' | 'private' },
  ifMatch: string | null,
): Promise<VersionRecord> {
  const tenant = tenantOf(grant)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const { project, version } = await findVersion(tx, tenant.id, refs.project, refs.version)
    await tx.lock(`project ${project.id}`)
    const names = { label: input.label ?? version.label, slug: input.slug ?? version.slug }
    const renamed = names.label !== version.label || names.slug !== version.slug
    const shown = input.visibility !== undefined && input.visibility !== version.visibility
    if (ifMatch !== null) assertMatch(ifMatch, version.digest)
    if (renamed) {
      if (version.status !== 'draft') throw new SvcError('version-published', { version: version.label })
      assertLabel(names.label)
      assertLabel(names.slug)
      await assertFree(tx, project, { ...names, except: version.id })
    }
    if (shown && version.status !== 'draft' && !grant.permissions.has('versions:publish'))
      throw new SvcError('permission-denied', { permission: 'versions:publish' })
    if (!renamed && !shown) return toVersionRecord(version, project.slug, tenant.slug, deps.publicUrl())
    const visibility = input.visibility ?? version.visibility
    const [row] = await tx
      .update(versions)
      .set({ ...names, visibility, updatedAt: at })
      .where(inTenant(versions, tenant.id, eq(versions.id, version.id), eq(versions.status, version.status)))
      .returning()
    if (!row) throw new SvcError('version-published', { version: version.label })
    await summarizeProjects(tx, [project.id])
    await audit(tx, grant, row, 'version.updated', at, { ...names, visibility })
    tx.afterCommit(deps.changed)
    return toVersionRecord(row, project.slug, tenant.slug, deps.publicUrl())
  })
}
