/** What a save changed: findings and changes that are new or gone. */
import type { Change } from '../../src/diff/change.ts'
import type { Finding } from '../../src/lint/finding.ts'
import type { GradeResult } from '../../src/lint/grade.ts'

/** A document as it is now. */
export interface DocumentState {
  readonly source: string
  /** A digest of its text and of what it refers to. */
  readonly state: string
  readonly grade: GradeResult | null
  /** Null where there is nothing to compare with. */
  readonly comparison: Comparison | null
}

/** The comparison of a document with its base. */
export interface Comparison {
  readonly base: string
  /** What the comparison concludes, or why there is none. */
  readonly conclusion: string
  readonly changes: readonly Change[]
}

/** All documents as they are now. */
export interface State {
  readonly documents: readonly DocumentState[]
  readonly findings: readonly Finding[]
}

/** How two lists differ. */
export interface Difference<T> {
  readonly added: readonly T[]
  readonly gone: readonly T[]
}

/** What is different in a document. */
export interface DocumentRound {
  readonly source: string
  readonly event: 'changed' | 'added' | 'removed'
  readonly grade: GradeResult | null
  readonly comparison: (Difference<Change> & Pick<Comparison, 'base' | 'conclusion'>) | null
}

/** What a save changed. */
export interface Round {
  readonly documents: readonly DocumentRound[]
  readonly findings: Difference<Finding> & { readonly count: number }
}

const findingKey = ({ fingerprint, message, severity }: Finding): string => `${fingerprint} ${severity} ${message}`
const changeKey = ({ fingerprint, severity, classification }: Change): string =>
  `${fingerprint} ${severity} ${classification}`

function difference<T>(before: readonly T[], now: readonly T[], keyOf: (it: T) => string): Difference<T> {
  const [old, fresh] = [new Set(before.map(keyOf)), new Set(now.map(keyOf))]
  return { added: now.filter((it) => !old.has(keyOf(it))), gone: before.filter((it) => !fresh.has(keyOf(it))) }
}

const compared = (before: Comparison | null, now: Comparison | null): DocumentRound['comparison'] =>
  now === null
    ? null
    : {
        base: now.base,
        conclusion: now.conclusion,
        ...difference(before?.base === now.base ? before.changes : [], now.changes, changeKey),
      }

/** What is different between two states; null where nothing is. */
export function roundOf(before: State, now: State): Round | null {
  const [old, fresh] = [
    new Map(before.documents.map((it) => [it.source, it])),
    new Map(now.documents.map((it) => [it.source, it])),
  ]
  const documents: DocumentRound[] = []
  for (const { source, state, grade, comparison } of now.documents) {
    const known = old.get(source)
    const told = compared(known?.comparison ?? null, comparison)
    const moved = told !== null && told.added.length + told.gone.length > 0
    if (known === undefined || known.state !== state || moved)
      documents.push({ source, event: known === undefined ? 'added' : 'changed', grade, comparison: told })
  }
  for (const { source } of before.documents)
    if (!fresh.has(source)) documents.push({ source, event: 'removed', grade: null, comparison: null })
  const findings = difference(before.findings, now.findings, findingKey)
  if (documents.length + findings.added.length + findings.gone.length === 0) return null
  return { documents, findings: { ...findings, count: now.findings.length } }
}
