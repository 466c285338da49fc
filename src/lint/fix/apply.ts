import type { Document } from '../../document/document.ts'
import { parseDocument } from '../../document/parse.ts'
import { applyEdits, type Edit } from '../../kernel/edits.ts'
import { formatPointer, getPath } from '../../kernel/pointer.ts'
import type { Documents } from '../../document/reference.ts'
import type { Finding } from '../finding.ts'
import { fingerprintOf } from '../fingerprint.ts'
import { placesUsedOutside } from '../functions/unreferencedReusableObject.ts'
import { grade } from '../grade.ts'
import { withItself } from '../graph.ts'
import { lint } from '../lint.ts'
import type { Ruleset } from '../rule.ts'
import { isRemoval, type VisibleFix } from './fix.ts'

/** A text after its fixes, and what they did. */
export interface Fixed {
  readonly text: string
  readonly document: Document
  /** The fixed findings, in the order of the fixes. */
  readonly fixed: readonly Finding[]
}

const mostRounds = 50
/** So many batches that do harm are divided to find out which of their fixes do; later ones are left out as a whole. */
const mostFailures = 12
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

/** A finding that has a fix, and the edits of it that no other one of the batch makes. */
interface Chosen {
  readonly finding: Finding
  readonly edits: readonly Edit[]
}

/** The findings that can be fixed at once: their edits do not touch, and no container is left empty. */
class Batch {
  readonly chosen: Chosen[] = []
  /** How many findings there will be afterwards because what they are about is in the way of others of the batch. */
  late = 0
  readonly #edits: Edit[] = []
  readonly #removed = new Map<string, number>()

  add(finding: Finding): boolean {
    const { fix } = finding
    if (fix === null) return false
    // One edit may fix several findings: a tag that many operations name.
    const fresh = fix.edits.filter((edit) => !this.#edits.some((it) => isSame(edit, it)))
    if (!fresh.every((edit) => isFree(edit, this.#edits))) return false
    if (isRemoval(fix)) {
      const { pointer, entries } = fix.from
      const count = (this.#removed.get(pointer) ?? 0) + 1
      if (entries > 1 && count >= entries) return false
      this.#removed.set(pointer, count)
    }
    this.#edits.push(...fresh)
    this.chosen.push({ finding, edits: fresh })
    return true
  }
}

const isSound = (before: Document, after: Document): boolean =>
  after.problems.filter((it) => it.severity === 'error').length <=
  before.problems.filter((it) => it.severity === 'error').length

interface State {
  readonly document: Document
  readonly findings: readonly Finding[]
  /** Those of the findings that may be fixed, the fixes that nobody sees first. */
  readonly fixable: readonly Finding[]
  readonly score: number
}

/** Divides a batch that does harm: by what is visible of the fixes, else by rules, else in halves. */
function divide(findings: readonly Finding[]): (readonly Finding[])[] {
  for (const nameOf of [(it: Finding) => it.fix?.visible, (it: Finding) => it.code]) {
    const parts = [...Map.groupBy(findings, nameOf).values()]
    if (parts.length > 1) return parts
  }
  const middle = Math.ceil(findings.length / 2)
  return [findings.slice(0, middle), findings.slice(middle)]
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

/** Fixes a document in batches: all fixes at once, and fewer only where those do harm. */
class Fixing {
  readonly fixed: Finding[] = []
  now: State
  readonly #ruleset: Ruleset
  readonly #documents: Documents
  readonly #limits: Required<FixLimits>
  readonly #refused = new Set<string>()
  /** Parts of batches that did harm, each by the fingerprints of its findings; the next one to try is the last. */
  readonly #suspects: ReadonlySet<string>[] = []
  #failures = 0

  constructor(document: Document, ruleset: Ruleset, documents: Documents, limits: FixLimits) {
    this.#ruleset = ruleset
    this.#documents = documents
    this.#limits = { visible: everyVisible, mayFix: () => true, mayBecome: () => true, ...limits }
    this.now = this.#look(document)
  }

  /** Applies one batch. @returns false where nothing is left to try */
  step(): boolean {
    const suspected = new Set(this.#suspects.flatMap((it) => [...it]))
    const free = this.#plan(({ fingerprint }) => !suspected.has(fingerprint))
    if (free.chosen.length > 0) {
      if (!this.#attempt(free)) this.#suspect(free)
      return true
    }
    const next = this.#suspects.pop()
    if (next === undefined) return false
    const part = this.#plan(({ fingerprint }) => next.has(fingerprint))
    if (part.chosen.length > 0 && !this.#attempt(part)) this.#suspect(part)
    return true
  }

  #suspect({ chosen }: Batch): void {
    const findings = chosen.map(({ finding }) => finding)
    this.#failures += 1
    if (findings.length === 1 || this.#failures > mostFailures)
      for (const { fingerprint } of findings) this.#refused.add(fingerprint)
    else
      for (const part of divide(findings).toReversed())
        this.#suspects.push(new Set(part.map(({ fingerprint }) => fingerprint)))
  }

  #look(document: Document): State {
    const { findings, rules } = lint(document, this.#ruleset, { documents: this.#documents, fixes: true })
    const { visible, mayFix } = this.#limits
    const own = findings.filter(
      (it) =>
        it.fix !== null &&
        it.source === document.source &&
        (it.fix.visible === undefined || visible.has(it.fix.visible)) &&
        mayFix(document, it),
    )
    const fixable = kinds.flatMap((kind) => own.filter((it) => it.fix?.visible === kind))
    return { document, findings, fixable, score: grade(rules, true)?.score ?? 0 }
  }

  #plan(isWanted: (finding: Finding) => boolean): Batch {
    const isOpen = (it: Finding): boolean => isWanted(it) && !this.#refused.has(it.fingerprint)
    const batch = new Batch()
    for (const finding of this.now.fixable) if (isOpen(finding)) batch.add(finding)
    for (const finding of this.#orphans(batch.chosen)) if (!(isOpen(finding) && batch.add(finding))) batch.late += 1
    return batch
  }

  /** What the rules of the chosen removals would find next, once these are gone. */
  #orphans(chosen: readonly Chosen[]): Finding[] {
    const { document } = this.now
    const outside = placesUsedOutside(document, withItself(document, this.#documents))
    return [...Map.groupBy(chosen, ({ finding }) => finding.code)].flatMap(([code, its]) => {
      const fixer = this.#ruleset[code]?.fix
      const like = its[0]?.finding
      if (fixer?.orphans === undefined || like === undefined) return []
      const paths = fixer.orphans(
        document.value,
        its.map(({ finding }) => finding.path),
      )
      return paths
        .filter((path) => !outside.has(path.join('\n')))
        .map((path) => ({
          ...like,
          path,
          pointer: formatPointer(path),
          range: document.locate(path, { spectral: true }),
          fingerprint: fingerprintOf(code, document.source, path, document.value),
          fix: fixer({ document, path, value: getPath(document.value, path), kind: null, name: null }),
        }))
        .filter((it) => this.#limits.mayFix(document, it))
    })
  }

  #attempt({ chosen, late }: Batch): boolean {
    const { document, findings, score } = this.now
    const { source, syntax, text } = document
    const after = (its: readonly Chosen[]): Document =>
      parseDocument(
        applyEdits(
          text,
          its.flatMap(({ edits }) => edits),
        ),
        { source, syntax },
      )
    const next = after(chosen)
    if (!isSound(document, next)) return false
    const then = this.#look(next)
    if (then.findings.length - late >= findings.length || then.score < score) return false
    if (!this.#mayBecome(chosen, next, after)) return false
    this.fixed.push(...chosen.map(({ finding }) => finding))
    this.now = then
    return true
  }

  // What nobody may see is looked at by itself: the other fixes would hide it.
  #mayBecome(batch: readonly Chosen[], next: Document, after: (its: readonly Chosen[]) => Document): boolean {
    const { document } = this.now
    const { mayBecome } = this.#limits
    const hidden = batch.filter(({ finding }) => finding.fix?.visible === undefined)
    const visible = batch.find(({ finding }) => finding.fix?.visible !== undefined)?.finding.fix?.visible
    if (hidden.length === 0 || visible === undefined) return mayBecome(document, next, visible)
    const between = after(hidden)
    return mayBecome(document, between, undefined) && mayBecome(between, next, visible)
  }
}

/**
 * Applies fixes until none is left, so that a second run changes nothing. Edits after which the text
 * could not be read, has more findings, or has a lower grade, are not applied, nor those that `limits` forbids. Everything is
 * fixed at once and checked once; only where that does harm, fewer fixes are tried at once, a bounded number of times.
 */
export function applyFixes(
  document: Document,
  ruleset: Ruleset,
  documents: Documents = {},
  limits: FixLimits = {},
): Fixed {
  const fixing = new Fixing(document, ruleset, documents, limits)
  for (let round = 0; round < mostRounds; round++) if (!fixing.step()) break
  return { document: fixing.now.document, text: fixing.now.document.text, fixed: fixing.fixed }
}
