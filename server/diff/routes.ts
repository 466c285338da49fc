import { type ChangeRule, diffApi } from '../../src/api/diff.ts'
import { conclusionOf } from '../../src/diff/conclusion.ts'
import type { DiffResult } from '../../src/diff/options.ts'
import { rules } from '../../src/diff/rules.gen.ts'
import { parseDocument } from '../../src/document/parse.ts'
import type { Document } from '../../src/document/document.ts'
import { SvcError } from '../../src/errors.ts'
import html from '../../src/report/formats/html.ts'
import junit from '../../src/report/formats/junit.ts'
import markdown from '../../src/report/formats/markdown.ts'
import sarif from '../../src/report/formats/sarif.ts'
import type { ReportFormat } from '../../src/report/report.ts'
import type { Analyst } from '../analysis/analyst.ts'
import type { LiveConsumer, ProjectImpact } from '../analysis/impacts.ts'
import { tenantOf } from '../auth/actor.ts'
import type { Grant, GrantedTenant } from '../auth/grant.ts'
import { SizedCache } from '../byte-cache.ts'
import { impactReport } from '../consumers/impact-report.ts'
import type { Deps } from '../deps.ts'
import { apiVersion, routesOf, type Route } from '../mount.ts'
import { Reply } from '../reply.ts'
import { digestOf } from '../versions/content.ts'
import { findVersion } from '../versions/service.ts'

const inlineLimitBytes = 10_000_000
// Whole answers, encoded: one that was given before is neither written nor encoded again.
const cachedBytes = 48 * 1024 * 1024

interface Side {
  readonly resolved: {
    kind: 'stored' | 'inline'
    project_id: string | null
    version_id: string | null
    label: string
    digest: string
  }
  /** Reads the document: asked only where the answer is not at hand. */
  readonly document: () => Promise<Document>
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => {
  const bytes = new TextEncoder().encode(text)
  if (bytes.byteLength > inlineLimitBytes) throw new SvcError('body-too-large', { limit_bytes: inlineLimitBytes })
  return bytes
}

function readInline(text: string, name: string): Document {
  const document = parseDocument(text, { source: name })
  const [problem] = document.problems.filter((one) => one.severity === 'error')
  if (!problem) return document
  const { line, character } = problem.range.start
  throw new SvcError('document-invalid', { reason: `${name}:${line + 1}:${character + 1}: ${problem.message}` })
}

/** The report that Accept asks for; null for the JSON of the contract. Markdown wins wherever it is named. */
const reportFor = (accept: string): ReportFormat | null => {
  if (/\btext\/(?:markdown|md)\b/.test(accept)) return markdown
  if (/\bapplication\/json\b/.test(accept)) return null
  return [html, sarif, junit].find((it) => accept.includes(it.mediaType)) ?? null
}

const typeOf = ({ mediaType }: ReportFormat): string =>
  mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType

interface Answered {
  readonly base: Side
  readonly head: Side
  readonly result: DiffResult
  readonly impact: ProjectImpact | null
}

const asReport = (format: ReportFormat, { base, head, result, impact }: Answered): string => {
  const report = {
    ...result,
    base: base.resolved.label,
    head: head.resolved.label,
    toolVersion: apiVersion,
    verdict: conclusionOf(result),
    consumers: impact?.consumers.map((it) => ({ handle: it.handle, name: it.name, impact: it })) ?? null,
    ruleOf: (id: string) => rules.get(id),
  }
  return format.changes?.(report, { colour: false }) ?? ''
}

const asJson = ({ base, head, result, impact }: Answered): string =>
  JSON.stringify({
    changes: result.changes,
    counts: result.counts,
    maxSeverity: result.maxSeverity,
    base: base.resolved,
    head: head.resolved,
    consumers: impact === null ? null : impactReport(impact),
  })

const concerns = {
  request: 'requests',
  response: 'responses',
  any: 'requests and responses',
  null: 'the document as a whole',
} as const

function ruleOf(id: string): ChangeRule {
  const rule = rules.get(id)
  if (!rule) throw new SvcError('change-rule-not-found', { rule: id })
  return {
    id,
    title: rule.title,
    explanation: rule.explain,
    concerns: concerns[rule.direction ?? 'null'],
    opposite: rule.mirror,
    aliases: [...(rule.aliases ?? [])],
  }
}

/** The routes of the classified diff. */
export function diffRoutes(deps: Deps, analyst: Analyst): Route[] {
  const { read } = deps.db
  const answers = new SizedCache<Uint8Array<ArrayBuffer>>(cachedBytes)
  const storedSide = async (tenant: GrantedTenant, ref: { project: string; version: string }): Promise<Side> => {
    const { project, version } = await findVersion(read, tenant.id, ref.project, ref.version)
    const ids = { project_id: project.id, version_id: version.id }
    const label = `${project.slug}@${version.label}`
    return {
      resolved: { kind: 'stored', ...ids, label, digest: version.digest },
      document: async () => (await analyst.ofVersion(read, version)).document,
    }
  }
  const inlineSide = (text: string, bytes: Uint8Array, name: string): Side => ({
    resolved: { kind: 'inline', project_id: null, version_id: null, label: name, digest: digestOf(bytes) },
    document: () => Promise.resolve(readInline(text, name)),
  })
  const consumersOf = async (grant: Grant, base: Side): Promise<readonly LiveConsumer[]> => {
    if (!grant.permissions.has('consumer_contracts:view'))
      throw new SvcError('permission-denied', { permission: 'consumer_contracts:view' })
    return analyst.impacts.consumersOf(read, tenantOf(grant).id, base.resolved.project_id ?? '')
  }
  return routesOf(diffApi, {
    classified: async ({ body }, { grant, accept }) => {
      const tenant = tenantOf(grant)
      // What is too large is refused before anything is looked for.
      const bytes = 'inline' in body.head ? bytesOf(body.head.inline) : null
      const base = await storedSide(tenant, body.base)
      const head =
        'inline' in body.head
          ? inlineSide(body.head.inline, bytes ?? new Uint8Array(), body.head.name ?? 'candidate')
          : await storedSide(tenant, body.head)
      const live = body.consumers === true ? await consumersOf(grant, base) : null
      const format = reportFor(accept)
      const key = JSON.stringify([
        tenant.id,
        format?.id ?? null,
        // A sunset that is over changes a verdict.
        deps.now().toISOString().slice(0, 10),
        base.resolved,
        head.resolved,
        live?.map((it) => [it.id, it.revision, it.name]) ?? null,
      ])
      let written = answers.get(key)
      if (written === undefined) {
        const [older, newer] = [await base.document(), await head.document()]
        const compared = await analyst.compare(tenant.id, older, newer)
        const impact = live === null ? null : analyst.impacts.of(older, newer, compared, live)
        const result = impact === null ? compared : { ...compared, changes: impact.changes }
        const answered = { base, head, result, impact }
        written = new TextEncoder().encode(format === null ? asJson(answered) : asReport(format, answered))
        answers.set(key, written, written.byteLength)
      }
      const type = format === null ? 'application/json' : typeOf(format)
      return new Reply({ headers: { 'content-type': type }, body: written })
    },
    rule: ({ params }) => Promise.resolve(ruleOf(params.rule_id)),
  })
}
