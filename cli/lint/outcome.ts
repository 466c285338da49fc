import { edenGC } from 'bun:jsc'
import type { Document, Problem } from '../../src/document/document.ts'
import type { ExitCode } from '../../src/errors.ts'
import { severities, type Finding } from '../../src/lint/finding.ts'
import { grade, gradeLetters, meetsGrade, type GradeLetter, type GradeResult } from '../../src/lint/grade.ts'
import { lintAndWait, type LintOptions, type SkippedRule } from '../../src/lint/lint.ts'
import { reachOf } from '../../src/lint/reach.ts'
import type { Ruleset } from '../../src/lint/rule.ts'
import type { GuideOptions } from '../../src/lint/ruleset.ts'
import { readSuppressions, type Suppressions } from '../../src/lint/suppressions/suppress.ts'
import type { FilesRead } from '../input/files-read.ts'
import { every, memoryGuard } from '../memory-guard.ts'
import type { Target } from './targets.ts'
import { ungradedFinding } from './ungraded.ts'

/** What was found in one document. */
export interface Linted {
  readonly document: Document
  /** By their places. */
  readonly findings: readonly Finding[]
  readonly grade: GradeResult | null
  readonly readable: boolean
  /** The rules that cannot run, with the reason. */
  readonly skipped: readonly SkippedRule[]
  /** The rules that applied, and whether they found anything to look at. */
  readonly matched: ReadonlyMap<string, boolean>
  /** What it and the documents that it refers to suppress, by source. */
  readonly suppressions: ReadonlyMap<string, Suppressions>
  /** How many operations reach the pointers of its findings, where that is known. */
  readonly reach?: ReadonlyMap<string, number>
  /** The files that it refers to, where that was noted. */
  readonly read?: FilesRead
}

export interface LintTargetOptions extends Pick<LintOptions, 'pace' | 'knowsTypes' | 'beside'> {
  readonly chosen: boolean
  /** The name of the guide, where a finding says that none of its rules applied. */
  readonly name?: string
  readonly guide?: GuideOptions
}

/** Lints one document, with as little memory as possible where no `pace` is given; `chosen` where someone named the guide: then it is applied to documents of any kind. */
export async function lintTarget(
  { document, documents }: Target,
  ruleset: Ruleset,
  { chosen, name, guide, pace, knowsTypes = false, beside = null }: LintTargetOptions,
): Promise<Linted> {
  const isBad = ({ code, severity }: Problem): boolean =>
    severity === 'error' && (code !== 'duplicate-key' || (guide?.duplicateKeys ?? 'error') === 'error')
  const readable = !document.problems.some(isBad)
  const unknown = readable && document.format === null && !chosen
  const told = guide === undefined ? {} : { guide }
  // Few of the values that lint makes on its way live long: collecting the young ones costs next to nothing.
  const collect = every(8192, memoryGuard({ least: 170_000_000, step: 30_000_000, collect: edenGC }))
  const options = { documents, knowsTypes, fixes: true, beside, pace: pace ?? collect, ...told }
  const result = await lintAndWait(document, unknown ? {} : ruleset, options)
  const isUngraded = unknown || (name !== undefined && readable && result.rules.length === 0)
  const isTold = result.findings.some((it) => it.code === 'unrecognized-format')
  const found =
    isUngraded && !isTold ? [...result.findings, ungradedFinding(document, name ?? 'the guide')] : result.findings
  return {
    document,
    findings: found,
    grade: unknown ? null : grade(result.rules, readable),
    readable,
    skipped: result.skipped,
    matched: new Map(result.rules.map((it) => [it.code, it.targets > 0])),
    suppressions: new Map(
      [document, ...Object.values(documents)].map((it) => [it.source, readSuppressions(it)] as const),
    ),
  }
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

/** The grade of several documents is the worst of them. */
export const worst = (grades: readonly (GradeResult | null)[]): GradeResult | null =>
  grades
    .filter((it) => it !== null)
    .sort((a, b) => gradeLetters.indexOf(b.letter) - gradeLetters.indexOf(a.letter) || a.score - b.score)[0] ?? null

/** What makes a run fail. */
export interface Thresholds {
  readonly failOn: (typeof severities)[number] | 'none'
  /** Any finding that no baseline accepts. */
  readonly failOnNew: boolean
  readonly minGrade: GradeLetter | undefined
}

/** The severities that `--fail-on` fails on. */
export const failingSeverities = (failOn: Thresholds['failOn']): readonly Finding['severity'][] =>
  failOn === 'none' ? [] : severities.slice(0, severities.indexOf(failOn) + 1)

/** The exit codes of a run; `left` are the findings that no one accepted. */
export function exitCodes(all: readonly Linted[], left: readonly Finding[], asked: Thresholds): ExitCode[] {
  const { failOn, failOnNew, minGrade } = asked
  const bad = failingSeverities(failOn)
  const codes: ExitCode[] = []
  if (all.some((it) => !it.readable)) codes.push(6)
  if (left.some((it) => failOnNew || bad.includes(it.severity))) codes.push(4)
  if (minGrade !== undefined && all.some((it) => it.grade !== null && !meetsGrade(it.grade.letter, minGrade)))
    codes.push(4)
  if (all.every((it) => it.grade === null)) codes.push(5)
  return codes
}

/** What a run makes of its findings. */
export interface Judged {
  /** Whether a finding makes the run fail. */
  readonly fails: (finding: Finding) => boolean
  readonly codes: readonly ExitCode[]
}

/** Compares documents with thresholds; `left` are the findings that no one accepted. */
export const judge = (all: readonly Linted[], left: readonly Finding[], asked: Thresholds): Judged => {
  const bad = failingSeverities(asked.failOn)
  return {
    fails: ({ severity }) => asked.failOnNew || bad.includes(severity),
    codes: exitCodes(all, left, asked),
  }
}
