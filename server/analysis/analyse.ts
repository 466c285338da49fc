import type { Document, Format, Problem } from '../../src/document/document.ts'
import type { Path } from '../../src/document/json.ts'
import type { Range } from '../../src/document/position.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { formatPointer } from '../../src/document/pointer.ts'
import type { Origin } from '../../src/import/bundle/bundle.ts'
import { importDocument, isHtmlPage, type ImportedSpec, type Operation } from '../../src/import/importer.ts'
import type { Finding, Severity } from '../../src/lint/finding.ts'
import { fingerprintOf } from '../../src/lint/fingerprint.ts'
import { grade, type GradeLetter } from '../../src/lint/grade.ts'
import { lint } from '../../src/lint/lint.ts'
import { recommendedGuide, type LintGuide } from './guide.ts'

/** A grade as the contracts show it. */
export interface Graded {
  readonly grade: GradeLetter | null
  readonly score: number | null
  readonly counts: Record<Severity, number>
  readonly deductions: { code: string; hits: number; targets: number; points: number }[]
}

/** Everything the service knows of a document before it is stored. */
export interface Analysis {
  /** Where its author wrote what. */
  readonly placing: Placing
  readonly document: Document
  readonly format: Format
  /** Null where the document could not be read; `invalid` says why. */
  readonly spec: ImportedSpec | null
  readonly title: string
  readonly description: string | null
  readonly operations: readonly Operation[]
  readonly classNames: readonly string[]
  /** The error code that stands for what makes the document invalid. */
  readonly refusal: 'document-invalid' | 'format-unknown'
  /** What makes the document invalid, each with its place. */
  readonly invalid: readonly string[]
  readonly unresolvedRefs: number
  readonly warnings: { code: string; message: string; pointer: string }[]
  readonly findings: readonly Finding[]
  readonly grade: Graded
  /** The rules that applied and found nothing to look at. */
  readonly idle: readonly string[]
  /** The style guide that the findings and the grade are of. */
  readonly guide: Pick<LintGuide, 'id' | 'name' | 'digest'>
  /** What the plan of an import needs. */
  readonly described: {
    readonly name: string
    readonly version: string
    readonly operations: number
    readonly classes: number
    readonly kind: string
    readonly classNames: readonly string[]
  }
}

export interface AnalyseOptions {
  /** The name that findings show. */
  readonly source: string
  /** Id of an import format, or "auto". */
  readonly format: string
  readonly projectNameField: string | null
  /** The recommended one where it is left out. */
  readonly guide?: LintGuide
  /** The syntax of the text, where it is known; the source's name tells it otherwise. */
  readonly syntax?: 'json' | 'yaml'
  /** Of a text that was made of several files: where its author wrote the node at a path. */
  readonly originOf?: ((path: Path) => Origin) | undefined
  /** What is wrong with the texts of the other files, each with its file. */
  readonly faults?: readonly PlacedProblem[]
}

/** A problem of one file of several. */
export interface PlacedProblem {
  readonly source: string
  readonly problem: Problem
}

const unknownFormat: Format = { kind: 'json-schema', version: '2020-12' }

const placed = ({ source, problem: { message, range } }: PlacedProblem): string =>
  `${source}:${range.start.line + 1}:${range.start.character + 1}: ${message.replace(/\.$/, '')}`

function countsOf(findings: readonly Finding[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, info: 0, hint: 0 }
  for (const { severity } of findings) counts[severity] += 1
  return counts
}

const findingOf = ({ source, problem }: PlacedProblem): Finding => ({
  code: problem.code,
  severity: problem.severity,
  message: problem.message,
  path: problem.path,
  pointer: formatPointer(problem.path),
  source,
  range: problem.range,
  fingerprint: fingerprintOf(problem.code, source, problem.path),
  documentationUrl: null,
  fix: null,
})

const isSameRange = (a: Range, b: Range): boolean =>
  a.start.line === b.start.line &&
  a.start.character === b.start.character &&
  a.end.line === b.end.line &&
  a.end.character === b.end.character

/** Tells where an author wrote what stands at a place of a text. */
interface Placing {
  readonly place: (path: Path, range: Range) => { source: string; path: Path; range: Range }
  readonly own: (problem: Problem) => PlacedProblem
  readonly faults: readonly PlacedProblem[]
}

// Where the range in the text is that of a key, so is the one that is answered.
function placingOf(
  document: Document,
  { originOf, faults = [] }: Pick<AnalyseOptions, 'originOf' | 'faults'>,
): Placing {
  const place = (path: Path, range: Range) => {
    if (originOf === undefined) return { source: document.source, path, range }
    const origin = originOf(path)
    const key = isSameRange(range, document.locate(path, { key: true })) && !isSameRange(range, document.locate(path))
    return {
      source: origin.document.source,
      path: origin.path,
      range: key ? origin.document.locate(origin.path, { key: true }) : origin.range,
    }
  }
  const own = (problem: Problem): PlacedProblem => {
    const { source, ...where } = place(problem.path, problem.range)
    return { source, problem: { ...problem, ...where } }
  }
  return { place, own, faults }
}

const byPlace = (a: Finding, b: Finding): number =>
  (a.source === b.source ? 0 : a.source < b.source ? -1 : 1) ||
  a.range.start.line - b.range.start.line ||
  a.range.start.character - b.range.start.character

type Judgement = Pick<Analysis, 'findings' | 'grade' | 'idle' | 'guide'>

function judge(
  document: Document,
  spec: ImportedSpec | null,
  guide: LintGuide,
  { place, own, faults }: Placing,
): Judgement {
  const linted = lint(document, guide.rulesFor(document.source))
  // One list for a reader: what the rules on structure, or the parser, told already is not told again.
  const told = new Set(linted.findings.filter((it) => it.code.endsWith('-schema')).map((it) => it.pointer))
  const structural = (spec?.problems ?? []).filter(
    (problem) => !document.problems.includes(problem) && !told.has(formatPointer(problem.path)),
  )
  const seen = linted.findings.map((finding) => {
    const { path, ...where } = place(finding.path, finding.range)
    return { ...finding, ...where, path, pointer: formatPointer(path) }
  })
  const findings = [...faults.map(findingOf), ...structural.map(own).map(findingOf), ...seen].sort(byPlace)
  // What is readable and of no known format is not bad: there is nothing in it to grade.
  const isForeign =
    spec === null && document.format === null && !document.problems.some((it) => it.severity === 'error')
  const isValid = spec !== null && spec.problems.length === 0 && faults.length === 0
  const graded = isForeign ? null : grade(linted.rules, isValid)
  return {
    findings,
    grade: {
      grade: graded?.letter ?? null,
      score: graded?.score ?? null,
      counts: countsOf(findings),
      deductions: (graded?.deductions ?? []).map(({ code, hits, targets, points }) => ({
        code,
        hits,
        targets,
        points,
      })),
    },
    idle: linted.rules.filter((it) => it.targets === 0).map((it) => it.code),
    guide: { id: guide.id, name: guide.name, digest: guide.digest },
  }
}

/** The same document under another guide. */
export const judgeAgain = (analysis: Analysis, guide: LintGuide): Analysis =>
  analysis.guide.digest === guide.digest
    ? analysis
    : { ...analysis, ...judge(analysis.document, analysis.spec, guide, analysis.placing) }

// One part of the work after the other: between them whoever runs it may let others have their turn.
function* analysing(text: string, options: AnalyseOptions): Generator<void, Analysis> {
  const { source } = options
  const document = parseDocument(text, { source, ...(options.syntax === undefined ? {} : { syntax: options.syntax }) })
  const placing = placingOf(document, options)
  const { own, faults } = placing
  yield
  const result = importDocument(document, options.format, { projectNameField: options.projectNameField ?? undefined })
  const { spec } = result
  yield
  const textual = document.problems.filter((problem) => problem.severity === 'error')
  const classNames = Object.keys(spec?.classes ?? {})
  return {
    document,
    spec,
    format: spec?.format ?? document.format ?? unknownFormat,
    title: spec?.title ?? source,
    description: spec?.description ?? null,
    operations: spec?.operations ?? [],
    classNames,
    refusal: result.spec === null && textual.length === 0 ? result.refusal : 'document-invalid',
    invalid: [
      ...faults.map(placed),
      ...(result.spec === null
        ? textual.length > 0 && !isHtmlPage(text)
          ? textual.map((problem) => placed(own(problem)))
          : [`${source}: ${result.reason}`]
        : result.spec.problems.map((problem) => placed(own(problem)))),
    ],
    unresolvedRefs: spec?.unresolved.length ?? 0,
    warnings: (spec?.warnings ?? []).map(({ code, message, path }) => ({
      code,
      message,
      pointer: formatPointer(path),
    })),
    ...judge(document, spec, options.guide ?? recommendedGuide, placing),
    placing,
    described: {
      name: spec?.name ?? source,
      version: spec?.version ?? '0.0.0',
      operations: spec?.operations.length ?? 0,
      classes: classNames.length,
      classNames,
      kind: (spec?.format ?? document.format ?? unknownFormat).kind,
    },
  }
}

/**
 * Parses, imports, validates, lints and grades a text. Never throws for a bad document: what is wrong stands in
 * `invalid` and `findings`.
 */
export function analyse(text: string, options: AnalyseOptions): Analysis {
  const steps = analysing(text, options)
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}

/** The same for a large text in a server: between parsing, validating and linting it others have their turn. */
export async function analyseInTurns(text: string, options: AnalyseOptions): Promise<Analysis> {
  const steps = analysing(text, options)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    await new Promise((resolve) => setImmediate(resolve))
  }
}
