import type { Path } from '../../kernel/json.ts'
import { formatPointer } from '../../kernel/pointer.ts'
import type { Range } from '../../document/position.ts'
import type { Finding } from '../finding.ts'
import { fitsGlob } from '../../regex/glob.ts'

/** Where a suppression is written: the extension, a comment for a node, a comment for a file, or a list of waivers. */
export type SuppressionKind = 'extension' | 'comment' | 'file-comment' | 'waiver'

/** What a suppression covers. Plain data, so that it can be stored with the findings of a document. */
export interface SuppressionScope {
  /** The one file, as the findings name it; null where `files` says which. */
  readonly source: string | null
  /** A glob of file names; every file where it is null. */
  readonly files: string | null
  /** The JSON Pointer of what it covers with everything below; null where it covers nothing. */
  readonly pointer: string | null
  /** The line, from 0, whose findings it covers too. */
  readonly line: number | null
}

/** The findings of one rule that are not reported. */
export interface Suppression {
  readonly kind: SuppressionKind
  /** The id of the rule. */
  readonly rule: string
  readonly reason: string | null
  /** The file that it is written in, and where. */
  readonly source: string
  readonly path: Path
  readonly range: Range
  readonly scope: SuppressionScope
  /** Of waivers: who is responsible, and the last day in UTC on which it is valid. */
  readonly owner?: string
  readonly expires?: string
}

/** A suppression that suppresses nothing because of how it is written. */
export interface InvalidSuppression extends Pick<Suppression, 'source' | 'path' | 'range'> {
  readonly message: string
}

/** A finding with what suppresses it. */
export interface Suppressed {
  readonly finding: Finding
  readonly by: Suppression
}

/** The extension that names rules in a document; vacuum reads it too. */
export const suppressionExtension = 'x-lint-ignore'

/** Whether a pointer is at another one or below it. */
const isAtOrBelow = (pointer: string, scope: string): boolean =>
  scope === '' || pointer === scope || pointer.startsWith(`${scope}/`)

/** What is at a path of a source or below it. */
export const scopeBelow = (source: string, path: Path): SuppressionScope => ({
  source,
  files: null,
  pointer: formatPointer(path),
  line: null,
})

/**
 * Whether a scope covers a finding, whatever its rule is.
 * @param name the file of the finding, as globs of the scope mean it
 */
export function covers({ source, files, pointer, line }: SuppressionScope, finding: Finding, name: string): boolean {
  if (source !== null && source !== finding.source) return false
  if (files !== null && !fitsGlob(name, files)) return false
  if (pointer !== null && isAtOrBelow(finding.pointer, pointer)) return true
  // What concerns the whole document is shown on its first line, and no comment of a line is about it.
  return line !== null && finding.pointer !== '' && finding.range.start.line === line
}

/** Why the findings of a rule cannot be suppressed; null where they can be. */
export function refusalOf(rule: string): string | null {
  if (rule === 'parser') return 'Problems of the text ("parser") cannot be suppressed; correct the text.'
  return /^(?:\*|all|true)$/i.test(rule)
    ? `"${rule}" is not the id of a rule, so it suppresses nothing; name each rule.`
    : null
}
