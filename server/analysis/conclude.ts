import type { Document, Problem } from '../../src/document/document.ts'
import type { Path } from '../../src/kernel/json.ts'
import { isSameRange, type Range } from '../../src/document/position.ts'
import { formatPointer } from '../../src/kernel/pointer.ts'
import { toolTokensOf } from '../../src/lint/descriptors/budget.ts'
import type { Finding, Severity } from '../../src/lint/finding.ts'
import { fingerprintOf } from '../../src/lint/fingerprint.ts'
import { grade, type RuleHits } from '../../src/lint/grade.ts'
import type { Origin } from '../../src/import/bundle/bundle.ts'
import type { PlacedProblem } from '../sources/analysis-door.ts'
import type { Conclusion, Graded, Verdict } from './analysis.ts'
import type { LintGuide } from '../guide-rules/door.ts'
import type { Reading } from './read.ts'
import { compareText } from '../../src/kernel/order.ts'

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

type Where = { readonly source: string; readonly path: Path; readonly range: Range }

// Where an author wrote what is at a place of a text. A range that is that of a key stays one.
function placeOf(document: Document, originOf: (path: Path) => Origin, path: Path, range: Range): Where {
  const origin = originOf(path)
  const key = isSameRange(range, document.locate(path, { key: true })) && !isSameRange(range, document.locate(path))
  return {
    source: origin.document.source,
    path: origin.path,
    range: key ? origin.document.locate(origin.path, { key: true }) : origin.range,
  }
}

const byPlace = (a: Finding, b: Finding): number =>
  compareText(a.source, b.source) ||
  a.range.start.line - b.range.start.line ||
  a.range.start.character - b.range.start.character

// What no rule reports counts as well: an error that is shown limits the grade.
const hitsOf = (problems: readonly Problem[]): RuleHits[] =>
  [...Map.groupBy(problems, ({ code, severity }) => `${code} ${severity}`).values()].map((its) => {
    const { code, severity } = its[0] as Problem
    return { code, severity, hits: its.length, targets: its.length }
  })

function gradeOf(
  judged: Reading['judged'],
  { rules, structural }: Verdict,
  findings: readonly Finding[],
  faults: readonly PlacedProblem[],
): Graded {
  const own = rules.length === 0 ? [] : hitsOf([...faults.map(({ problem }) => problem), ...structural])
  const graded = judged.isForeign ? null : grade([...rules, ...own], judged.isText)
  return {
    grade: graded?.letter ?? null,
    score: graded?.score ?? null,
    cap: graded?.cap ?? null,
    counts: countsOf(findings),
    deductions: [...(graded?.deductions ?? [])],
  }
}

const placesIn = ({ document, made: { originOf } }: Reading) => ({
  problem: (problem: Problem): PlacedProblem => {
    if (originOf === undefined) return { source: document.source, problem }
    const { source, ...where } = placeOf(document, originOf, problem.path, problem.range)
    return { source, problem: { ...problem, ...where } }
  },
  finding: (finding: Finding): Finding => {
    if (originOf === undefined) return finding
    const where = placeOf(document, originOf, finding.path, finding.range)
    return { ...finding, ...where, pointer: formatPointer(where.path) }
  },
})

/** The findings of a text, each where its author wrote it, and its grade. */
export function findingsOf(reading: Reading, verdict: Verdict): Pick<Conclusion, 'findings' | 'grade' | 'isReadable'> {
  const { judged, made } = reading
  const places = placesIn(reading)
  const problems = [...made.faults, ...verdict.structural.map(places.problem)]
  const findings = [...problems.map(findingOf), ...verdict.findings.map(places.finding)].sort(byPlace)
  return { findings, grade: gradeOf(judged, verdict, findings, made.faults), isReadable: judged.isReadable }
}

/** Puts together what was found of a text and what a guide says of it, each thing where its author wrote it. */
export function conclude(
  reading: Reading,
  verdict: Verdict,
  guide: Pick<LintGuide, 'id' | 'name' | 'digest'>,
): Conclusion {
  const { document, made, facts } = reading
  const { problems, reason, isForeign: _, isText: __, ...known } = facts
  const { problem: own } = placesIn(reading)
  return {
    ...known,
    ...findingsOf(reading, verdict),
    invalid: [
      ...made.faults.map(placed),
      ...problems.map((problem) => placed(own(problem))),
      ...(reason === null ? [] : [`${document.source}: ${reason}`]),
    ],
    tools: toolTokensOf(document),
    idle: verdict.rules.filter((it) => it.targets === 0).map((it) => it.code),
    skipped: verdict.skipped,
    guide: { id: guide.id, name: guide.name, digest: guide.digest },
    files: made.files,
  }
}
