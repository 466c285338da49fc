import type { Document } from '../../document/document.ts'
import { parseDocument } from '../../document/parse.ts'
import { applyEdits, type Edit } from '../../kernel/edits.ts'
import type { Documents } from '../../document/reference.ts'
import type { Finding } from '../finding.ts'
import { grade } from '../grade.ts'
import { lint } from '../lint.ts'
import type { Ruleset } from '../rule.ts'
import { isRemoval, type VisibleFix } from './fix.ts'

/** A text after its fixes, and what they did. */
export interface Fixed {
  readonly text: string
  /** The fixed findings, in the order of the fixes. */
  readonly fixed: readonly Finding[]
}

const mostRounds = 50
const kinds: readonly (VisibleFix | undefined)[] = [undefined, 'non-breaking', 'removals']
const everyVisible: ReadonlySet<VisibleFix> = new Set(['non-breaking', 'removals'])

const overlap = (a: Edit, b: Edit): boolean => a.start < b.end && b.start < a.end

// Two insertions at one place, or an edit that touches another, wait for the next round; items of one list do not.
const isFree = (edit: Edit, taken: readonly Edit[]): boolean =>
  !taken.some(
    (it) =>
      overlap(edit, it) ||
      ((it.start === edit.start || it.end === edit.end) && !(it.appends === true && edit.appends === true)),
  )

const isSame = (a: Edit, b: Edit): boolean => a.start === b.start && a.end === b.end && a.text === b.text

interface Round {
  readonly edits: readonly Edit[]
  readonly findings: readonly Finding[]
}

function plan(findings: readonly Finding[], document: Document, refused: ReadonlySet<string>): Round {
  const edits: Edit[] = []
  const chosen: Finding[] = []
  const removed = new Map<string, number>()
  for (const finding of findings) {
    const { fix } = finding
    if (fix === null || finding.source !== document.source || refused.has(finding.fingerprint)) continue
    // One edit may fix several findings: a tag that many operations name.
    const fresh = fix.edits.filter((edit) => !edits.some((it) => isSame(edit, it)))
    if (!fresh.every((edit) => isFree(edit, edits))) continue
    if (isRemoval(fix)) {
      const { pointer, entries } = fix.from
      const count = (removed.get(pointer) ?? 0) + 1
      if (entries > 1 && count >= entries) continue
      removed.set(pointer, count)
    }
    edits.push(...fresh)
    chosen.push(finding)
  }
  return { edits, findings: chosen }
}

const isSound = (before: Document, after: Document): boolean =>
  after.problems.filter((it) => it.severity === 'error').length <=
  before.problems.filter((it) => it.severity === 'error').length

interface State {
  readonly document: Document
  readonly findings: readonly Finding[]
  /** Those of the findings that may be fixed. */
  readonly fixable: readonly Finding[]
  readonly score: number
}

/** What fixes may do. */
export interface FixLimits {
  /** The kinds of fixes that clients can see and that are wanted; all when omitted. */
  readonly visible?: ReadonlySet<VisibleFix>
  /** Whether a finding of a document may be fixed. */
  readonly mayFix?: (document: Document, finding: Finding) => boolean
  /** Whether a document may become another one by fixes that are visible in that way, or not at all. */
  readonly mayBecome?: (before: Document, after: Document, visible: VisibleFix | undefined) => boolean
}

/**
 * Applies fixes until none is left, so that a second run changes nothing. Edits after which the text
 * could not be read, has more findings, or has a lower grade, are not applied, nor those that `limits` forbids.
 */
export function applyFixes(
  document: Document,
  ruleset: Ruleset,
  documents: Documents = {},
  { visible = everyVisible, mayFix = () => true, mayBecome = () => true }: FixLimits = {},
): Fixed {
  const { source, syntax } = document
  const look = (it: Document): State => {
    const { findings, rules } = lint(it, ruleset, { documents, fixes: true })
    const fixable = findings.filter((one) => one.fix !== null && mayFix(it, one))
    return { document: it, findings, fixable, score: grade(rules, true)?.score ?? 0 }
  }
  const refused = new Set<string>()
  const fixed: Finding[] = []
  let now = look(document)
  const attempt = (tried: Round): boolean => {
    const next = parseDocument(applyEdits(now.document.text, tried.edits), { source, syntax })
    if (!isSound(now.document, next)) return false
    const then = look(next)
    if (then.findings.length >= now.findings.length || then.score < now.score) return false
    if (!mayBecome(now.document, next, tried.findings[0]?.fix?.visible)) return false
    fixed.push(...tried.findings)
    now = then
    return true
  }
  for (let round = 0; round < mostRounds; round++) {
    // Each kind by itself, because each has its own limits; first what is not visible at all.
    const wanted = kinds
      .values()
      .filter((kind) => kind === undefined || visible.has(kind))
      .map((kind) =>
        plan(
          now.fixable.filter((it) => it.fix?.visible === kind),
          now.document,
          refused,
        ),
      )
      .find(({ edits }) => edits.length > 0)
    if (wanted === undefined) break
    if (attempt(wanted)) continue
    // Some of them do harm: rule after rule is tried by itself, and the first that may stay begins the next round.
    for (const code of new Set(wanted.findings.map((it) => it.code))) {
      const own = wanted.findings.filter((it) => it.code === code)
      const alone = plan(own, now.document, refused)
      if (attempt(alone)) break
      for (const { fingerprint } of own) refused.add(fingerprint)
    }
  }
  return { text: now.document.text, fixed }
}
