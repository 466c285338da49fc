import type { ChangeRule, diffApi } from '../../src/api/diff.ts'
import type { Input } from '../../src/api/endpoint.ts'
import { rules } from '../../src/diff/rules.ts'
import { SvcError } from '../../src/errors.ts'
import { type LiveConsumer, type Subject, subjectOf, withTypes, type Written } from '../analysis/door.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import { typedSubject, typesNow } from '../used-types/door.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import type { Deps } from '../kit/door.ts'
import { digestOf } from '../../db/content.ts'
import { findVersion } from '../records/door.ts'
import { compareOptionsOf, scopeOf } from './rules.ts'

const inlineLimitBytes = 10_000_000
// Whole answers, encoded: one that was given before is neither written nor encoded again.
const cachedBytes = 48 * 1024 * 1024

// JSON has none within a page.
const lineBreak = 10

interface Side {
  readonly resolved: {
    kind: 'stored' | 'inline'
    project_id: string | null
    version_id: string | null
    label: string
    digest: string
  }
  readonly subject: Subject
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => {
  const bytes = new TextEncoder().encode(text)
  if (bytes.byteLength > inlineLimitBytes) throw new SvcError('body-too-large', { limit_bytes: inlineLimitBytes })
  return bytes
}

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

/** Classified comparisons of stored versions and of documents that are sent along, whose whole answers are cached. */
export class ClassifiedDiffs {
  readonly #answers = new SizedCache<Uint8Array<ArrayBuffer>>(cachedBytes, 'comparison_answers')
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * The comparison as the bytes of a report, of the JSON of the contract where `format` is null, or of its pages.
   * @throws SvcError `project-not-found`, `version-not-found`, `body-too-large`, `document-invalid`, `usage`, `rule-unknown`, `permission-denied`
   *   for consumers that the caller cannot see, `analysis-stopped`
   */
  async answer(grant: Grant, request: Request, format: Written): Promise<Uint8Array<ArrayBuffer>> {
    const tenant = tenantOf(grant)
    const { base, head } = await this.#sides(grant, request)
    const live = request.consumers === true ? await this.#consumersOf(grant, base) : null
    const asked = { options: compareOptionsOf(request.rules ?? {}), scope: scopeOf(request.scope), live }
    const key = JSON.stringify([
      tenant.id,
      format,
      // A sunset that is over changes a verdict.
      this.#deps.clock.iso().slice(0, 10),
      base.resolved,
      head.resolved,
      base.subject.types ?? null,
      head.subject.types ?? null,
      live?.map((it) => [it.id, it.revision, it.name]) ?? null,
      asked.options,
      asked.scope,
    ])
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const { analysis } = this.#deps
    const written = await analysis.run(
      tenant.id,
      'classify',
      {
        base: base.resolved,
        head: head.resolved,
        format,
        ...asked,
        options: analysis.optionsOf(asked.options),
        accepts: asked.options.ignore !== undefined,
      },
      [base.subject, head.subject],
    )
    this.#answers.set(key, written, written.byteLength)
    return written
  }

  /**
   * One page of the comparison of two stored versions.
   * @throws SvcError `project-not-found`, `version-not-found`, `permission-denied` for consumers that the caller cannot see,
   *   `usage` for a page that it does not have, `analysis-stopped`
   */
  async page(grant: Grant, request: Request, page: number): Promise<Uint8Array<ArrayBuffer>> {
    const all = await this.answer(grant, request, 'pages')
    let start = 0
    for (let before = 0; before < page; before++) {
      start = all.indexOf(lineBreak, start) + 1
      if (start === 0)
        throw new SvcError('usage', {
          reason: `the comparison has no page ${page}: the first is 0, there are ${before + 1}`,
        })
    }
    const end = all.indexOf(lineBreak, start)
    return all.slice(start, end === -1 ? undefined : end)
  }

  async #sides(grant: Grant, { base, head }: Request): Promise<{ readonly base: Side; readonly head: Side }> {
    if (!('inline' in head))
      return { base: await this.#storedSide(grant, base), head: await this.#storedSide(grant, head) }
    // What is too large is refused before anything is looked for.
    const bytes = bytesOf(head.inline)
    return {
      base: await this.#storedSide(grant, base),
      head: await this.#inlineSide(grant, bytes, head.name ?? 'candidate'),
    }
  }

  async #inlineSide(grant: Grant, bytes: Uint8Array, name: string): Promise<Side> {
    const digest = digestOf(bytes)
    const subject = subjectOf({ tenantId: tenantOf(grant).id, digest, bytes, source: name, format: 'auto' })
    return {
      resolved: { kind: 'inline', project_id: null, version_id: null, label: name, digest },
      subject: withTypes(subject, (await typesNow(this.#deps, this.#deps.db.read, [subject])).used),
    }
  }

  async #storedSide(grant: Grant, ref: { readonly project: string; readonly version: string }): Promise<Side> {
    const { db } = this.#deps
    const { project, version } = await findVersion(db.read, tenantOf(grant).id, ref.project, ref.version)
    const ids = { project_id: project.id, version_id: version.id }
    const label = `${project.slug}@${version.label}`
    return {
      resolved: { kind: 'stored', ...ids, label, digest: version.digest },
      subject: await typedSubject(this.#deps, db.read, version),
    }
  }

  async #consumersOf(grant: Grant, base: Side): Promise<readonly LiveConsumer[]> {
    if (!grant.permissions.has('consumer_contracts:view'))
      throw new SvcError('permission-denied', { permission: 'consumer_contracts:view' })
    const { db, analysis } = this.#deps
    return analysis.impacts.consumersOf(db.read, tenantOf(grant).id, base.resolved.project_id ?? '')
  }
}
