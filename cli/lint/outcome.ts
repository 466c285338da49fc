import { edenGC } from 'bun:jsc'
import { severities, type Finding } from '../../src/lint/finding.ts'
import type { SkippedRule } from '../../src/lint/lint.ts'
import { lintDocument, type LintedDocument, type LintTarget, type LintTargetOptions } from '../../src/lint/linted.ts'
import { reachOf } from '../../src/lint/reach.ts'
import type { Ruleset } from '../../src/lint/rule.ts'
import type { FilesRead } from '../input/files-read.ts'
import { every, memoryGuard } from '../memory-guard.ts'

/** What was found in one document of a run. */
export interface Linted extends LintedDocument {
  /** How many operations reach the pointers of its findings, where that is known. */
  readonly reach?: ReadonlyMap<string, number>
  /** The files that it refers to, where that was noted. */
  readonly read?: FilesRead
}

/** Lints one document, with as little memory as possible where no `pace` is given. */
export async function lintTarget(target: LintTarget, ruleset: Ruleset, options: LintTargetOptions): Promise<Linted> {
  // Few of the values that lint makes on its way live long: collecting the young ones costs next to nothing.
  const collect = every(8192, memoryGuard({ least: 170_000_000, step: 30_000_000, collect: edenGC }))
  return lintDocument(target, ruleset, { ...options, pace: options.pace ?? collect })
}

/** Findings with the heaviest of each document first, and of one weight those that the most operations reach. */
export function rankByImpact(all: readonly Linted[], left: readonly Finding[]) {
  const reach = new Map<Finding, number>()
  const order = new Map(all.map(({ document }, index) => [document.source, index]))
  for (const { document, reach: known } of left.length === 0 ? [] : all) {
    let ask: ReturnType<typeof reachOf> | null = null
    const count = (pointer: string): number => known?.get(pointer) ?? (ask ??= reachOf(document))(pointer)
    for (const it of left) if (it.source === document.source) reach.set(it, count(it.pointer))
  }
  const findings = left.toSorted(
    (a, b) =>
      (order.get(a.source) ?? all.length) - (order.get(b.source) ?? all.length) ||
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      (reach.get(b) ?? 0) - (reach.get(a) ?? 0),
  )
  return { findings, reach }
}

/** The rules that applied to some document and found nothing to look at in any. */
export function deadRules(all: readonly Linted[]): string[] {
  const alive = new Set(all.flatMap(({ matched }) => [...matched].filter(([, some]) => some).map(([id]) => id)))
  return [...new Set(all.flatMap(({ matched }) => [...matched.keys()]))].filter((id) => !alive.has(id)).toSorted()
}

/** The rules that could not run in some document, each once. */
export const skippedRules = (all: readonly Linted[]): SkippedRule[] => [
  ...new Map(all.flatMap(({ skipped }) => skipped.map((it) => [it.code, it]))).values(),
]
