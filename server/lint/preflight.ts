import type { ImportSource, RequestedOverlay } from '../../src/api/imports.ts'
import type { OverlayPreview, preflightApi } from '../../src/api/preflight.ts'
import type { Output } from '../../src/api/endpoint.ts'
import type { Gate } from '../../src/api/versions.ts'
import { SvcError } from '../../src/errors.ts'
import { apiHintOf } from '../../src/errors/api-hints.ts'
import { rankFindings } from '../../src/lint/rank.ts'
import type { Analysis, AppliedOverlay } from '../analysis/door.ts'
import { type Grant, type GrantedTenant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import {
  checkThresholds,
  findOne,
  type ImportTarget,
  openSource,
  type PayloadSource,
  planImport,
  readArchiveText,
  readDocument,
  similarProjects,
  withOverlays,
} from '../imports/door.ts'
import { type Reach, scopeOf, type SourceTexts } from '../sources/door.ts'
import { lintWithTypes, typesNow } from '../used-types/door.ts'
import { preflightTypes } from '../primitives/door.ts'
import { findProject } from '../records/door.ts'
import { effectiveGuide } from '../style-guides/door.ts'
import { assess, gatesOfCandidate } from '../publishing/door.ts'

type Preflight = Output<(typeof preflightApi)['preflight']>

/** What a preflight works with: what it evaluates may have to be fetched first. */
export interface PreflightDeps extends Deps {
  readonly reach: Reach
}

/** What is asked of a candidate. */
export interface PreflightRequest {
  readonly content?: string
  readonly source?: ImportSource
  readonly name?: string
  readonly format?: string
  readonly root?: string
  readonly overlays?: readonly RequestedOverlay[]
  readonly target?: 'catalog' | 'types' | 'project'
  readonly project?: string
  readonly project_name?: string
  readonly version?: string
  readonly min_grade?: 'A' | 'B' | 'C' | 'D' | 'F'
  readonly fail_on?: 'error' | 'warning' | 'info'
}

function sourceOf({ content, source, name }: PreflightRequest): ImportSource {
  if ((content === undefined) === (source === undefined))
    throw new SvcError('usage', { reason: 'Give either the text in "content" or a source in "source".' })
  return source ?? { kind: 'inline', name: name ?? '-', content: content ?? '' }
}

// Members who only read do not make the service fetch and clone.
function assertMayFetch({ kind }: ImportSource, grant: Grant): void {
  const permission = 'versions:edit'
  if ((kind === 'url' || kind === 'git') && !grant.permissions.has(permission))
    throw new SvcError('permission-denied', { permission })
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

// What an import keeps beside its job comes here with the request.
function split(source: ImportSource): {
  readonly payload: PayloadSource
  readonly upload: () => Uint8Array<ArrayBuffer>
} {
  const none = () => new Uint8Array()
  switch (source.kind) {
    case 'inline':
      return { payload: { kind: 'text', name: source.name ?? '-' }, upload: () => encode(source.content) }
    case 'archive':
      return {
        payload: { kind: 'archive', name: source.name ?? 'archive' },
        upload: () => readArchiveText(source.content_base64),
      }
    case 'files':
      return {
        payload: { kind: 'files', name: source.name ?? 'files' },
        upload: () => encode(JSON.stringify(source.files)),
      }
    case 'url':
    case 'git':
      return { payload: source, upload: none }
  }
}

async function readCandidate(
  { analysis, reach }: PreflightDeps,
  tenantId: string,
  source: ImportSource,
  { format, root, overlays = [] }: PreflightRequest,
  signal: AbortSignal,
): Promise<SourceTexts> {
  const { payload, upload } = split(source)
  const opened = await openSource(payload, reach, { analysis, tenantId }, () => Promise.resolve(upload()), signal)
  if (opened.kind === 'text') return withOverlays(opened.texts, overlays)
  const { tree, path } = opened
  try {
    const scope = scopeOf(tree, root, path)
    return await findOne({ analysis, tenantId, tree, scope, format: format ?? 'auto', overlays, signal })
  } finally {
    await tree.close()
  }
}

const verdictOf = (gates: readonly Gate[]): Preflight['policy']['verdict'] => {
  if (gates.some((one) => one.status === 'fail')) return 'blocked'
  return gates.some((one) => one.status === 'warn' || one.status === 'unknown') ? 'warn' : 'pass'
}

interface Judged {
  readonly gates: readonly Gate[]
  readonly plan: Preflight['plan']
  readonly refusal: Preflight['refusal']
}

type Reading = Parameters<typeof readDocument>[1]

/** A candidate as it is with its overlays; where one of them is refused, as it is without, and why. */
async function readCandidateDocument(
  texts: SourceTexts,
  reading: Reading,
): Promise<Awaited<ReturnType<typeof readDocument>> & { readonly fault: SvcError | null }> {
  try {
    return { ...(await readDocument(texts, reading)), fault: null }
  } catch (error) {
    if (!(error instanceof SvcError) || (error.code !== 'overlay-invalid' && error.code !== 'overlay-failed'))
      throw error
    return { ...(await readDocument({ ...texts, overlays: [] }, reading)), fault: error }
  }
}

const overlayPreview = ({ source, title, actions, matches, effects, unmatched }: AppliedOverlay): OverlayPreview => ({
  source,
  title,
  actions_total: actions,
  matches,
  actions: effects.map((it) => ({ ...it, places: [...it.places] })),
  unmatched: [...unmatched],
})

const targetOf = ({ project_name, version }: PreflightRequest, projectId: string | null): ImportTarget => ({
  ...(projectId === null ? {} : { project_id: projectId }),
  ...(project_name === undefined ? {} : { project_name }),
  ...(version === undefined ? {} : { version }),
})

/** What publishing it in its project would mean; where an import of it is refused, why. */
async function judgeInProject(
  deps: Deps,
  tenant: GrantedTenant,
  importTarget: ImportTarget,
  analysis: Analysis,
  digest: string,
): Promise<Judged | { readonly refusal: SvcError }> {
  try {
    const { plan, project } = await planImport(deps.db.read, tenant, importTarget, analysis.summary, digest)
    const { label, slug } = plan.version
    const { gates } = await assess(deps, deps.db.read, tenant, {
      projectId: project?.id ?? null,
      projectSlug: plan.project.slug,
      label,
      slug,
      analysis,
      isStored: false,
      reviewed: null,
    })
    return { gates, plan, refusal: null }
  } catch (error) {
    if (error instanceof SvcError && error.status < 500) return { refusal: error }
    throw error
  }
}

/**
 * Grades a candidate and says what the policy of the tenant makes of it; nothing is stored. Anyone who names no threshold asks for what
 * "svc lint" does: errors fail the gate.
 * @throws SvcError `usage`, `permission-denied` for an address where the caller cannot import, `project-not-found`, and what is
 *   wrong with the source
 */
export async function preflight(
  deps: PreflightDeps,
  grant: Grant,
  request: PreflightRequest,
  signal: AbortSignal,
): Promise<Preflight> {
  const source = sourceOf(request)
  assertMayFetch(source, grant)
  const { read } = deps.db
  const tenant = tenantOf(grant)
  const projectId = request.project === undefined ? null : (await findProject(read, tenant.id, request.project)).id
  const texts = await readCandidate(deps, tenant.id, source, request, signal)
  const { guide, policy } = await effectiveGuide(read, tenant.id, projectId)
  const reading = {
    analysis: deps.analysis,
    tenantId: tenant.id,
    request: request.format === undefined ? {} : { format: request.format },
    guide,
    signal,
  }
  const { document, digest, analysis: own, overlaid, fault } = await readCandidateDocument(texts, reading)
  const analysis = await lintWithTypes(deps, read, own, guide)
  const target = request.target ?? 'catalog'
  const judged =
    target === 'project' && analysis.isReadable
      ? await judgeInProject(deps, tenant, targetOf(request, projectId), analysis, digest)
      : null
  const alone = async () => {
    const { missing } = analysis.isReadable ? await typesNow(deps, read, [analysis.subject]) : { missing: [] }
    return { gates: gatesOfCandidate(analysis, policy, missing.length), plan: null }
  }
  const { gates, plan } = judged !== null && 'gates' in judged ? judged : await alone()
  const [reason] = analysis.invalid
  const kind = analysis.isReadable ? analysis.format.kind : null
  const types =
    target === 'types' && reason === undefined ? await preflightTypes(deps, grant, { bytes: texts.bytes, kind }) : null
  const refusal =
    reason !== undefined
      ? analysis.refusal === 'format-unknown'
        ? new SvcError('format-unknown', { source: document.path, family: analysis.family })
        : new SvcError('document-invalid', { reason })
      : (fault ?? types?.refusal ?? judged?.refusal ?? null)
  const asked =
    request.min_grade === undefined && request.fail_on === undefined ? { fail_on: 'error' as const } : request
  return {
    source: document.path,
    format: analysis.isReadable ? analysis.format : null,
    target,
    gate: checkThresholds(asked, analysis.grade.grade, analysis.grade.counts),
    grade: analysis.grade,
    findings: rankFindings(analysis.findings, analysis.grade.deductions).map((one) => ({
      ...one,
      path: [...one.path],
    })),
    policy: { verdict: verdictOf(gates), guide: guide.name, guide_id: guide.id, gates: [...gates] },
    plan,
    similar:
      target === 'project' && analysis.isReadable
        ? await similarProjects(read, tenant.id, {
            title: analysis.summary.name,
            source: document.path,
            except: plan?.project.slug ?? null,
          })
        : [],
    types: types?.review ?? null,
    overlays: overlaid.map(overlayPreview),
    refusal:
      refusal === null
        ? null
        : {
            code: refusal.code,
            message: refusal.message,
            hint: refusal instanceof SvcError ? apiHintOf(refusal) : refusal.hint,
          },
  }
}
