/** What is reported about a document on a pull request: the text of `svc diff` for pull requests, with grades and consumers. */
import { SvcError } from '../../src/errors.ts'
import type { Subject } from '../analysis/door.ts'
import { type BindingRow, readSelection, type Selection } from '../bindings/door.ts'
import type { Deps } from '../kit/door.ts'
import type { Remote } from '../hosting/door.ts'
import { lintWithTypes } from '../used-types/door.ts'
import type { RepositoryRow } from '../repositories/door.ts'
import { effectiveGuide } from '../style-guides/door.ts'
import { digestOf } from '../../db/content.ts'

/** What is compared: two branches, or a branch with the commit that a draft is bound at. */
export interface Compared {
  readonly base: { readonly ref: string | null; readonly commit?: string; readonly label: string }
  /** The name of a branch. */
  readonly head: string
}

/** A document on both sides. */
export interface BothSides {
  readonly base: Selection
  readonly head: Selection
}

/** What is said about it. */
export interface PullRequestReport {
  /** Markdown, with the marker of the comment in its first line. */
  readonly text: string
  /** A few words. */
  readonly headline: string
  readonly isGood: boolean
  /** Whether anything changed: where nothing did, no comment begins. */
  readonly isNews: boolean
}

/**
 * Reads the document of a binding on both sides.
 * @returns null where one of them has no such document
 * @throws SvcError as `readSelection`
 */
export async function readSides(
  deps: Deps,
  row: RepositoryRow,
  given: { readonly remote: Remote; readonly path: string; readonly compared: Compared },
  signal: AbortSignal,
): Promise<BothSides | null> {
  const { remote, path, compared } = given
  const read = async (at: { readonly ref: string | null; readonly commit?: string }): Promise<Selection | null> => {
    const asked = { remote, tenantId: row.tenantId, shown: row.fullName, path }
    const { ref, commit } = at
    try {
      return await readSelection(deps, { ...asked, ref, ...(commit === undefined ? {} : { commit }) }, signal)
    } catch (error) {
      const isAbsent =
        error instanceof SvcError && (error.code === 'binding-selection-empty' || error.code === 'ref-not-found')
      if (isAbsent) return null
      throw error
    }
  }
  const base = await read(compared.base)
  const head = base === null ? null : await read({ ref: `refs/heads/${compared.head}` })
  return base?.document === null || base === null || head === null ? null : { base, head }
}

const sideOf = (label: string, subject: Subject, bytes: Uint8Array) => ({
  kind: 'inline' as const,
  project_id: null,
  version_id: null,
  label,
  digest: digestOf(bytes),
  subject,
})

const firstHeading = (text: string): string => /^## (?:\S+ )?(.+)$/m.exec(text)?.[1] ?? 'Compared'

/**
 * Compares both sides.
 * @param label what the report calls the base
 * @throws SvcError `analysis-stopped`, what `assertComparable` refuses
 */
export async function reportOf(
  deps: Deps,
  binding: BindingRow,
  label: string,
  { base, head }: BothSides,
): Promise<PullRequestReport> {
  const { tenantId, projectId, path } = binding
  if (base.document === null) throw new Error('the base has no document')
  const name = base.document.path
  const unreadable = (reason: string) => ({
    text: `<!-- svc-diff: ${name} -->\n## 🛑 ${reason}\n`,
    headline: reason,
    isGood: false,
    isNews: true,
  })
  if (head.document === null) return unreadable(`${path === '' ? 'The tree' : path} is not one document any more`)
  const { read } = deps.db
  const { guide } = await effectiveGuide(read, tenantId, projectId)
  const before = await lintWithTypes(deps, read, base.document.analysis, guide)
  const after = await lintWithTypes(deps, read, head.document.analysis, guide)
  if (after.invalid.length > 0) return unreadable(`${head.document.path} is not a valid specification`)
  const grade = { before: before.grade.grade, after: after.grade.grade }
  const known = await deps.analysis.impacts.consumersOf(read, tenantId, projectId)
  const live = known.length === 0 ? null : known
  const { subject: older, ...baseSide } = sideOf(`${label}:${name}`, before.subject, base.document.bytes)
  const { subject: newer, ...headSide } = sideOf(head.document.path, after.subject, head.document.bytes)
  const options = deps.analysis.optionsOf({})
  const asked = {
    base: baseSide,
    head: headSide,
    format: 'markdown' as const,
    options,
    scope: null,
    live,
    accepts: false,
  }
  const written = await deps.analysis.run(tenantId, 'classify', { ...asked, grade }, [older, newer])
  const text = new TextDecoder().decode(written)
  const { changes } = await deps.analysis.compare(older, newer)
  const headline = `${firstHeading(text)}${grade.after === null ? '' : `, lint grade ${grade.after}`}`
  return {
    text,
    headline,
    isGood: !changes.some((change) => change.severity === 'breaking' && change.classification !== 'unknown'),
    isNews: changes.length > 0 || grade.before !== grade.after,
  }
}
