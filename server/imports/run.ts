import { SvcError } from '../../src/errors.ts'
import type { Transaction } from '../../db/database.ts'
import type { JobOutcome } from '../../db/jobs.ts'
import { analyse, type Analysis } from '../analysis/analyse.ts'
import type { Analyst } from '../analysis/analyst.ts'
import { recordAudit } from '../auth/audit.ts'
import { isoNow, type Deps } from '../deps.ts'
import { assertStorageRoom } from '../license/quota.ts'
import type { Fetch } from '../egress/fetch.ts'
import type { JobHandler, JobWork, Persist } from '../jobs/worker.ts'
import { insertProject } from '../projects/service.ts'
import { digestOf, readContent, storeContent } from '../versions/content.ts'
import { assess, type Assessment } from '../versions/assess.ts'
import { assertGates, publishFound } from '../versions/publish.ts'
import { urlsOf, type VersionRow } from '../versions/record.ts'
import { writeDraft } from '../versions/store.ts'
import { planImport, type Planned } from './plan.ts'
import type { ImportOutcome, ImportPayload } from './service.ts'
import { checkThresholds } from './thresholds.ts'

/** A job keeps so many findings; the whole list is one lint call away. */
const maxFindings = 1000

const phases = ['fetching', 'detecting', 'parsing', 'validating', 'linting', 'planning', 'persisting', 'publishing']

interface Run {
  readonly deps: Deps
  readonly analyst: Analyst
  readonly payload: ImportPayload
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly digest: string
  readonly analysis: Analysis
}

async function sourceBytes(deps: Deps, fetch: Fetch, { source, tenant }: ImportPayload, signal: AbortSignal) {
  if (source.kind === 'stored') return readContent(deps.db.read, tenant.id, source.digest)
  return (await fetch(source.url, signal)).bytes
}

const sourceName = ({ source }: ImportPayload): string => (source.kind === 'url' ? source.url : source.name)

function describedBy(analysis: Analysis, threshold: ImportOutcome['gate']): ImportOutcome {
  return {
    result: null,
    plan: null,
    lint: analysis.grade,
    gate: threshold,
    warnings: analysis.warnings,
    findings: analysis.findings.slice(0, maxFindings).map((one) => ({ ...one, path: [...one.path] })),
    findings_total: analysis.findings.length,
  }
}

const ends =
  (outcome: JobOutcome): Persist =>
  () =>
    Promise.resolve(outcome)

function refusal(error: SvcError) {
  return { ...error.detail, code: error.code, message: error.message, hint: error.hint }
}

/** Writes everything in the transaction that also ends the job: a crash leaves all of it or nothing. */
async function persist(tx: Transaction, run: Run): Promise<JobOutcome> {
  const { deps, payload, analysis, digest, bytes } = run
  const { tenant, request, actor } = payload
  const at = isoNow(deps)
  await tx.lock(`import ${tenant.id}`)
  const planned = await planImport(tx, tenant, request, analysis.described, digest)
  const project =
    planned.project ??
    (await insertProject(tx, deps.plans, tenant, {
      ...planned.plan.project,
      description: analysis.description,
      createdBy: actor,
      at,
    }))
  const assessment = await assessBefore(run, planned)
  let version = planned.version
  if (planned.plan.version.action !== 'keep') {
    // What was sent inline is stored already and was counted then.
    if (payload.source.kind === 'url') await assertStorageRoom(tx, deps.plans, tenant.id, bytes.byteLength)
    await storeContent(tx, tenant.id, bytes, at)
    const provenance = {
      source: sourceName(payload),
      digest,
      importer: `${analysis.format.kind} ${analysis.format.version}`,
      imported_at: at,
      commit: null,
      warnings: analysis.warnings,
    }
    const { label, slug } = planned.plan.version
    const place = { tenantId: tenant.id, projectId: project.id, label, slug, visibility: 'private' as const }
    const draft = { ...place, digest, sizeBytes: bytes.byteLength, provenance, createdBy: actor, at }
    version = await writeDraft(tx, draft, analysis, planned.version)
    await recordAudit(tx, {
      tenantId: tenant.id,
      actor: payload.principal,
      action: 'version.imported',
      targetId: version.id,
      detail: { label, digest },
      now: Date.parse(at),
    })
  }
  if (!version) throw new Error('an import that keeps its version has one')
  version = await publishIfAsked(tx, run, project, version, assessment, at)
  const urls = urlsOf(deps.publicUrl, tenant.slug, project.slug, version.slug, version.format.kind)
  const result = {
    project_id: project.id,
    version_id: version.id,
    project_slug: project.slug,
    version_slug: version.slug,
    unchanged: planned.plan.version.action === 'keep',
    urls,
  }
  const plan = { ...planned.plan, project: { ...planned.plan.project, slug: project.slug } }
  const warned = analysis.warnings.length > 0
  return {
    status: warned ? 'completed_with_warnings' : 'completed',
    result: { ...describedBy(analysis, thresholdOf(run)), result, plan } satisfies ImportOutcome,
  }
}

async function publishIfAsked(
  tx: Transaction,
  { deps, payload }: Run,
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

async function assessBefore(run: Run, planned: Planned) {
  const visibility = planned.plan.publish
  if (visibility === null) return null
  const { deps, analyst, payload, analysis } = run
  const { label, slug } = planned.plan.version
  const candidate = {
    projectId: planned.project?.id ?? null,
    projectSlug: planned.plan.project.slug,
    label,
    slug,
    analysis,
    isStored: planned.plan.version.action === 'keep',
  }
  return { ...(await assess(deps, analyst, deps.db.read, payload.tenant, candidate)), visibility }
}

const thresholdOf = ({ payload: { request }, analysis: { grade } }: Run) =>
  checkThresholds(
    {
      ...(request.min_grade ? { min_grade: request.min_grade } : {}),
      ...(request.fail_on ? { fail_on: request.fail_on } : {}),
    },
    grade.grade,
    grade.counts,
  )

async function conclude(run: Run, work: JobWork): Promise<Persist> {
  const { deps, payload, analysis, digest } = run
  const described = describedBy(analysis, thresholdOf(run))
  const [reason] = analysis.invalid
  if (reason !== undefined) {
    const error = refusal(
      analysis.refusal === 'format-unknown'
        ? new SvcError('format-unknown', { source: sourceName(payload) })
        : new SvcError('document-invalid', { reason }),
    )
    return ends({ status: 'failed', result: described, error })
  }
  await work.progress({ phase: 'planning', done: phases.indexOf('planning'), total: phases.length })
  const { plan } = await planImport(deps.db.read, payload.tenant, payload.request, analysis.described, digest)
  const result = { ...described, plan }
  if (described.gate?.passed === false) return ends({ status: 'blocked', result })
  if (payload.request.dry_run === true)
    return ends({ status: analysis.warnings.length > 0 ? 'completed_with_warnings' : 'completed', result })
  await work.progress({ phase: 'persisting', done: phases.indexOf('persisting'), total: phases.length })
  return async (tx) => {
    try {
      return await tx.savepoint((inner) => persist(inner, run))
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'publish-gates-failed') throw error
      // Policy refused to publish: nothing is stored, and the job says which gates did.
      return { status: 'blocked', result, error: refusal(error) }
    }
  }
}

/** Runs import jobs: fetch, detect, parse, validate, lint, plan, then one transaction that persists and publishes. */
export const importHandler =
  (deps: Deps, analyst: Analyst, fetch: Fetch): JobHandler =>
  async (work) => {
    const payload = work.job.payload as ImportPayload
    const step = (phase: string) => work.progress({ phase, done: phases.indexOf(phase), total: phases.length })
    if (payload.source.kind === 'url') await step('fetching')
    const bytes = await sourceBytes(deps, fetch, payload, work.signal)
    await step('parsing')
    const analysis = analyse(new TextDecoder().decode(bytes), {
      source: sourceName(payload),
      format: payload.request.format ?? 'auto',
      projectNameField: payload.request.project_name_field ?? null,
    })
    const digest = digestOf(bytes)
    analyst.remember(payload.tenant.id, digest, analysis)
    return conclude({ deps, analyst, payload, bytes, digest, analysis }, work)
  }
