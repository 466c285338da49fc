/** Which findings are not reported, why, and which suppressions do nothing. */
import type { Document } from '../../document/document.ts'
import { formatPointer } from '../../kernel/pointer.ts'
import { suggest } from '../../kernel/suggest.ts'
import type { Finding, Severity } from '../finding.ts'
import { fingerprintOf } from '../fingerprint.ts'
import { commentMark, readComments } from './comments.ts'
import { readExtensions } from './extensions.ts'
import {
  covers,
  suppressionExtension,
  type InvalidSuppression,
  type Suppressed,
  type Suppression,
} from './suppression.ts'

/** The suppressions of some documents. */
export interface Suppressions {
  readonly valid: readonly Suppression[]
  readonly invalid: readonly InvalidSuppression[]
}

/**
 * Reads the suppressions of a document: `x-lint-ignore`, and comments of YAML. A document without any costs a search in its text.
 */
export function readSuppressions(document: Document): Suppressions {
  const { text, syntax, value } = document
  const all = [
    ...(text.includes(suppressionExtension) ? readExtensions(document) : []),
    ...(syntax === 'yaml' && value !== null && text.includes(commentMark) ? readComments(document) : []),
  ].sort(({ range: { start: a } }, { range: { start: b } }) => a.line - b.line || a.character - b.character)
  const isInvalid = (it: Suppression | InvalidSuppression): it is InvalidSuppression => 'message' in it
  return { valid: all.filter((it): it is Suppression => !isInvalid(it)), invalid: all.filter(isInvalid) }
}

const known = new WeakMap<Document, Suppressions>()

/** Whether a document suppresses a finding of its own. */
export function isSuppressed(document: Document, finding: Finding): boolean {
  let read = known.get(document)
  if (read === undefined) known.set(document, (read = readSuppressions(document)))
  return applySuppressions([finding], read.valid).left.length === 0
}

/** Suppressions of several documents, those of one file once. */
export function joinSuppressions(all: Iterable<readonly [source: string, suppressions: Suppressions]>): Suppressions {
  const read = [...new Map(all).values()]
  return { valid: read.flatMap((it) => it.valid), invalid: read.flatMap((it) => it.invalid) }
}

/** What suppressions leave. */
export interface Applied {
  readonly left: readonly Finding[]
  readonly suppressed: readonly Suppressed[]
  readonly unused: readonly Suppression[]
}

/**
 * What is at the extension itself is not covered by it: a rule such as `given: $..x-lint-ignore` forbids the extension, and a
 * document cannot suppress that.
 */
const isAboutExtension = ({ path }: Finding): boolean => path.includes(suppressionExtension)

/**
 * Applies suppressions to findings. Pure; findings of `parser` are never suppressed.
 * @param suppressions the first that covers a finding suppresses it
 * @param nameOf the name of a file as globs mean it
 */
export function applySuppressions(
  findings: readonly Finding[],
  suppressions: readonly Suppression[],
  nameOf: (source: string) => string = (source) => source,
): Applied {
  if (suppressions.length === 0) return { left: findings, suppressed: [], unused: [] }
  const byRule = Map.groupBy(suppressions, (it) => it.rule)
  const used = new Set<Suppression>()
  const suppressed: Suppressed[] = []
  const left = findings.filter((finding) => {
    if (finding.code === 'parser') return true
    const isFixed = isAboutExtension(finding)
    const name = nameOf(finding.source)
    const by =
      byRule.get(finding.code)?.filter((it) => (it.kind === 'waiver' || !isFixed) && covers(it.scope, finding, name)) ??
      []
    for (const it of by) used.add(it)
    if (by[0] === undefined) return true
    suppressed.push({ finding, by: by[0] })
    return false
  })
  return { left, suppressed, unused: suppressions.filter((it) => !used.has(it)) }
}

/** A finding about a suppression, at its place. */
export const findingAbout = (
  { source, path, range }: Pick<Suppression, 'source' | 'path' | 'range'>,
  code: string,
  severity: Severity,
  message: string,
): Finding => ({
  code,
  severity,
  message,
  path,
  pointer: formatPointer(path),
  source,
  range,
  // Two comments can be at one place.
  fingerprint: fingerprintOf(code, source, [...path, message]),
  documentationUrl: null,
  fix: null,
})

/**
 * The findings `unused-suppression`. A rule that the guide does not have is left out, because another guide may have it, unless
 * its id is nearly that of a rule of the guide.
 * @param rules the ids of the rules that could report findings
 */
export const reportUnused = (
  unused: readonly Suppression[],
  severity: Severity,
  rules: ReadonlySet<string>,
): Finding[] =>
  unused.flatMap((entry) => {
    const near = rules.has(entry.rule) ? null : suggest(entry.rule, rules)
    if (!rules.has(entry.rule) && near === null) return []
    const what = entry.owner === undefined ? 'suppression' : 'waiver'
    const by = entry.owner === undefined ? '' : ` by ${entry.owner}`
    const message =
      near === null
        ? `The ${what} of ${entry.rule}${by} matches no finding; remove it.`
        : `The style guide has no rule "${entry.rule}"; did you mean ${near}?`
    return [findingAbout(entry, 'unused-suppression', severity, message)]
  })

/** How suppressions are reported. */
export interface SuppressionOptions {
  /** The severity of `unused-suppression`. */
  readonly unused: Severity | 'off'
  /** The ids of the rules that could report findings; asked for where a suppression is unused. */
  readonly rules: () => ReadonlySet<string>
  /** Whether a suppression that matches no finding here can match none elsewhere; each is taken for unused if absent. */
  readonly isUnused?: (suppression: Suppression) => boolean
}

/**
 * Applies what documents suppress themselves: for the command line and editors. A service does not call it, so that a document cannot
 * open the gate that checks it.
 * @param suppressions of the documents that were linted and of those that they refer to
 * @returns the findings that are left, with `invalid-suppression` and `unused-suppression`, and those that are suppressed
 */
export function suppressFindings(
  findings: readonly Finding[],
  { valid, invalid }: Suppressions,
  { unused, rules: listRules, isUnused = () => true }: SuppressionOptions,
): { readonly findings: readonly Finding[]; readonly suppressed: readonly Suppressed[] } {
  if (valid.length === 0 && invalid.length === 0) return { findings, suppressed: [] }
  const applied = applySuppressions(findings, valid)
  const rules = applied.unused.length === 0 ? new Set<string>() : listRules()
  // A mistyped rule matches nothing anywhere.
  const idle = applied.unused.filter((it) => !rules.has(it.rule) || isUnused(it))
  return {
    findings: [
      ...applied.left,
      ...invalid.map((it) => findingAbout(it, 'invalid-suppression', 'warning', it.message)),
      ...(unused === 'off' ? [] : reportUnused(idle, unused, rules)),
    ],
    suppressed: applied.suppressed,
  }
}
