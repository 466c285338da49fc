import type { ChangeRule, diffApi } from '../../src/api/diff.ts'
import type { Input } from '../../src/api/endpoint.ts'
import { apiVersion } from '../../src/api/version.ts'
import { assertComparable } from '../../src/diff/comparable.ts'
import { conclusionOf } from '../../src/diff/conclusion.ts'
import { documentVersionOf } from '../../src/diff/next-version.ts'
import type { DiffResult } from '../../src/diff/options.ts'
import { rules } from '../../src/diff/rules.ts'
import { narrowTo, type Scope, type ScopeSummary } from '../../src/diff/scope.ts'
import type { Document } from '../../src/document/document.ts'
import { SvcError } from '../../src/errors.ts'
import type { ReportFormat } from '../../src/report/report.ts'
import type { CompareOptions } from '../analysis/service.ts'
import type { LiveConsumer, ProjectImpact } from '../analysis/impacts.ts'
import { tenantOf } from '../auth/caller.ts'
import type { Grant } from '../auth/grant.ts'
import { SizedCache } from '../sized-cache.ts'
import { impactReport } from '../consumers/impact-report.ts'
import type { Deps } from '../deps.ts'
import { digestOf } from '../versions/content.ts'
import { findVersion } from '../versions/service.ts'
import { compareOptionsOf, scopeOf } from './rules.ts'

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
  /** Reads the document; not called where the answer is cached. */
  readonly document: () => Promise<Document>
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => {
  const bytes = new TextEncoder().encode(text)
  if (bytes.byteLength > inlineLimitBytes) throw new SvcError('body-too-large', { limit_bytes: inlineLimitBytes })
  return bytes
}

type ReadSide = Side & { readonly read: Document }

interface Answered {
  readonly base: ReadSide
  readonly head: ReadSide
  readonly result: DiffResult
  /** Null where the request does not ask about consumers. */
  readonly impact: ProjectImpact | null
  /** Null where all operations are compared. */
  readonly scope: ScopeSummary | null
  /** Whether the request names accepted changes. */
  readonly accepts: boolean
}

const asReport = (format: ReportFormat, { base, head, result, impact, scope }: Answered): string => {
  const report = {
    ...result,
    base: base.resolved.label,
    head: head.resolved.label,
    toolVersion: apiVersion,
    verdict: conclusionOf(result, scope),
    consumers: impact?.consumers.map((it) => ({ handle: it.handle, name: it.name, impact: it })) ?? null,
    ruleOf: (id: string) => rules.get(id),
    ...(scope === null ? {} : { scope }),
  }
  return format.changes?.(report, { colour: false }) ?? ''
}

const asSide = ({ resolved, read }: ReadSide): object => ({ ...resolved, document_version: documentVersionOf(read) })

const asJson = ({ base, head, result, impact, scope, accepts }: Answered): string =>
  JSON.stringify({
    changes: result.changes,
    counts: result.counts,
    maxSeverity: result.maxSeverity,
    base: asSide(base),
    head: asSide(head),
    ...(result.witness === undefined ? {} : { witness: result.witness }),
    ...(accepts ? { ignored: result.ignored } : {}),
    ...(scope === null ? {} : { scope }),
    ...(impact === null ? {} : { consumers: impactReport(impact) }),
  })

const concerns = {
  request: 'requests',
  response: 'responses',
  any: 'requests and responses',
  null: 'the document as a whole',
} as const

/**
 * What is known of a change rule.
 * @throws SvcError `change-rule-not-found`
 */
export function ruleOf(id: string): ChangeRule {
  const rule = rules.get(id)
  if (!rule) throw new SvcError('change-rule-not-found', { rule: id })
  return {
    id,
    title: rule.title,
    explanation: rule.explain,
    concerns: concerns[rule.direction ?? 'null'],
    opposite: rule.opposite,
    aliases: [...(rule.aliases ?? [])],
  }
}

type Request = Input<typeof diffApi.classified>['body']

interface Asked {
  readonly options: CompareOptions
  readonly scope: Scope | null
  readonly live: readonly LiveConsumer[] | null
}

/** Classified comparisons of stored versions and of documents that are sent along, whose whole answers are cached. */
export class ClassifiedDiffs {
  readonly #answers = new SizedCache<Uint8Array<ArrayBuffer>>(cachedBytes)
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * The comparison as the bytes of a report, or of the JSON of the contract where `format` is null.
   * @throws SvcError `project-not-found`, `version-not-found`, `body-too-large`, `document-invalid`, `usage`, `rule-unknown`, `permission-denied`
   *   for consumers that the caller may not see, `analysis-stopped`
   */
  async answer(grant: Grant, request: Request, format: ReportFormat | null): Promise<Uint8Array<ArrayBuffer>> {
    const tenant = tenantOf(grant)
    const { base, head } = await this.#sides(grant, request)
    const live = request.consumers === true ? await this.#consumersOf(grant, base) : null
    const asked = { options: compareOptionsOf(request.rules ?? {}), scope: scopeOf(request.scope), live }
    const key = JSON.stringify([
      tenant.id,
      format?.id ?? null,
      // A sunset that is over changes a verdict.
      this.#deps.clock.iso().slice(0, 10),
      base.resolved,
      head.resolved,
      live?.map((it) => [it.id, it.revision, it.name]) ?? null,
      asked.options,
      asked.scope,
    ])
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const answered = await this.#compare(tenant.id, base, head, asked)
    const written = new TextEncoder().encode(format === null ? asJson(answered) : asReport(format, answered))
    this.#answers.set(key, written, written.byteLength)
    return written
  }

  async #sides(grant: Grant, { base, head }: Request): Promise<{ readonly base: Side; readonly head: Side }> {
    if (!('inline' in head))
      return { base: await this.#storedSide(grant, base), head: await this.#storedSide(grant, head) }
    // What is too large is refused before anything is looked for.
    const bytes = bytesOf(head.inline)
    return {
      base: await this.#storedSide(grant, base),
      head: this.#inlineSide(grant, head.inline, bytes, head.name ?? 'candidate'),
    }
  }

  #inlineSide(grant: Grant, text: string, bytes: Uint8Array, name: string): Side {
    const digest = digestOf(bytes)
    return {
      resolved: { kind: 'inline', project_id: null, version_id: null, label: name, digest },
      document: () => this.#deps.analysis.open(tenantOf(grant).id, digest, text, name),
    }
  }

  async #storedSide(grant: Grant, ref: { readonly project: string; readonly version: string }): Promise<Side> {
    const { db, analysis } = this.#deps
    const { project, version } = await findVersion(db.read, tenantOf(grant).id, ref.project, ref.version)
    const ids = { project_id: project.id, version_id: version.id }
    const label = `${project.slug}@${version.label}`
    return {
      resolved: { kind: 'stored', ...ids, label, digest: version.digest },
      document: async () => (await analysis.ofVersion(db.read, version)).document,
    }
  }

  async #consumersOf(grant: Grant, base: Side): Promise<readonly LiveConsumer[]> {
    if (!grant.permissions.has('consumer_contracts:view'))
      throw new SvcError('permission-denied', { permission: 'consumer_contracts:view' })
    const { db, analysis } = this.#deps
    return analysis.impacts.consumersOf(db.read, tenantOf(grant).id, base.resolved.project_id ?? '')
  }

  async #compare(tenantId: string, base: Side, head: Side, { options, scope, live }: Asked): Promise<Answered> {
    const { analysis } = this.#deps
    const [older, newer] = [await base.document(), await head.document()]
    assertComparable(older, newer, options.mode)
    const compared = await analysis.compare(tenantId, older, newer, options)
    const impact = live === null ? null : analysis.impacts.of(older, newer, compared, live)
    const whole = impact === null ? compared : { ...compared, changes: impact.changes }
    const { result, summary } = scope === null ? { result: whole, summary: null } : narrowTo(scope, whole, older, newer)
    return {
      base: { ...base, read: older },
      head: { ...head, read: newer },
      result,
      impact,
      scope: summary,
      accepts: options.ignore !== undefined,
    }
  }
}
