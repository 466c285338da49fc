import { diffApi } from '../../src/api/diff.ts'
import { conclusionOf } from '../../src/diff/conclusion.ts'
import type { DiffResult } from '../../src/diff/options.ts'
import { parseDocument } from '../../src/document/parse.ts'
import type { Document } from '../../src/document/document.ts'
import { SvcError } from '../../src/errors.ts'
import { consumersAsMarkdown } from '../../src/report/changes/consumers.ts'
import markdown from '../../src/report/formats/markdown.ts'
import type { Analyst } from '../analysis/analyst.ts'
import { tenantOf } from '../auth/actor.ts'
import type { ProjectImpact } from '../analysis/impacts.ts'
import type { Grant, GrantedTenant } from '../auth/grant.ts'
import { impactReport } from '../consumers/impact-report.ts'
import type { Deps } from '../deps.ts'
import { apiVersion, routesOf, type Route } from '../mount.ts'
import { Reply } from '../reply.ts'
import { digestOf } from '../versions/content.ts'
import { findVersion } from '../versions/service.ts'

const inlineLimitBytes = 10_000_000

interface Side {
  readonly document: Document
  readonly resolved: {
    kind: 'stored' | 'inline'
    project_id: string | null
    version_id: string | null
    label: string
    digest: string
  }
}

function inlineSide(text: string, name: string): Side {
  const bytes = new TextEncoder().encode(text)
  if (bytes.byteLength > inlineLimitBytes) throw new SvcError('body-too-large', { limit_bytes: inlineLimitBytes })
  const document = parseDocument(text, { source: name })
  const [problem] = document.problems.filter((one) => one.severity === 'error')
  if (problem) {
    const { line, character } = problem.range.start
    const reason = `${name}:${line + 1}:${character + 1}: ${problem.message}`
    throw new SvcError('document-invalid', { reason })
  }
  const resolved = { kind: 'inline' as const, project_id: null, version_id: null, label: name, digest: digestOf(bytes) }
  return { document, resolved }
}

const wantsMarkdown = (accept: string): boolean => /\btext\/(?:markdown|md)\b/.test(accept)

/** The routes of the classified diff. */
export function diffRoutes(deps: Deps, analyst: Analyst): Route[] {
  const storedSide = async (tenant: GrantedTenant, ref: { project: string; version: string }): Promise<Side> => {
    const { project, version } = await findVersion(deps.db.read, tenant.id, ref.project, ref.version)
    const { document } = await analyst.ofVersion(deps.db.read, version)
    const ids = { project_id: project.id, version_id: version.id }
    const label = `${project.slug}@${version.label}`
    return { document, resolved: { kind: 'stored', ...ids, label, digest: version.digest } }
  }
  const impactOn = async (grant: Grant, base: Side, head: Side, result: DiffResult): Promise<ProjectImpact> => {
    if (!grant.permissions.has('consumer_contracts:view'))
      throw new SvcError('permission-denied', { permission: 'consumer_contracts:view' })
    const live = await analyst.impacts.consumersOf(deps.db.read, tenantOf(grant).id, base.resolved.project_id ?? '')
    return analyst.impacts.of(base.document, head.document, result, live)
  }
  return routesOf(diffApi, {
    classified: async ({ body }, { grant, accept }) => {
      const tenant = tenantOf(grant)
      const base = await storedSide(tenant, body.base)
      const head =
        'inline' in body.head
          ? inlineSide(body.head.inline, body.head.name ?? 'candidate')
          : await storedSide(tenant, body.head)
      const compared = analyst.compare(base.document, head.document)
      const impact = body.consumers === true ? await impactOn(grant, base, head, compared) : null
      const result = impact === null ? compared : { ...compared, changes: impact.changes }
      if (wantsMarkdown(accept)) {
        const names = {
          base: base.resolved.label,
          head: head.resolved.label,
          toolVersion: apiVersion,
          verdict: conclusionOf(result),
        }
        const text =
          (markdown.changes?.({ ...result, ...names }, { colour: false }) ?? '') +
          (impact === null ? '' : `\n${consumersAsMarkdown(impact.consumers, result.changes)}`)
        return new Reply({ headers: { 'content-type': 'text/markdown; charset=utf-8' }, body: text })
      }
      const changes = result.changes.map((one) => ({
        ...one,
        operations: [...one.operations],
        consumers: [...one.consumers],
      }))
      const { counts, maxSeverity } = result
      const consumers = impact === null ? null : impactReport(impact)
      return { changes, counts: { ...counts }, maxSeverity, base: base.resolved, head: head.resolved, consumers }
    },
  })
}
