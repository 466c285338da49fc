import type { Document } from '../src/document/document.ts'
import { SvcError, type ExitCode } from '../src/errors.ts'
import { severities, type Finding } from '../src/lint/finding.ts'
import { fingerprintOf } from '../src/lint/fingerprint.ts'
import { grade, gradeLetters, meetsGrade, type GradeLetter, type GradeResult } from '../src/lint/grade.ts'
import { lint } from '../src/lint/lint.ts'
import type { Ruleset } from '../src/lint/rule.ts'
import { countFindings } from '../src/report/count.ts'
import { reportFormats } from '../src/report/formats.gen.ts'
import type { FindingReport } from '../src/report/report.ts'
import { command } from './command.ts'
import { readDocument, readReferenced } from './documents.ts'
import { findGuide } from './guides.ts'
import { findingFormats, readReportTarget, writeFindings, writeReportFiles } from './reports.ts'
import { version } from './version.gen.ts'

interface Linted {
  readonly document: Document
  readonly findings: readonly Finding[]
  readonly grade: GradeResult | null
  readonly readable: boolean
}

const unrecognized = (document: Document): Finding => ({
  code: 'unrecognized-format',
  severity: 'warning',
  message: 'This is no OpenAPI, Arazzo, JSON Schema or MCP document; name a guide for it with --guide.',
  path: [],
  pointer: '',
  source: document.source,
  range: document.locate([]),
  fingerprint: fingerprintOf('unrecognized-format', document.source, []),
  documentationUrl: null,
  fix: null,
})

async function lintFile(document: Document, ruleset: Ruleset, chosen: boolean, cwd: string): Promise<Linted> {
  const readable = !document.problems.some((it) => it.severity === 'error')
  const unknown = readable && document.format === null && !chosen
  const result = lint(document, unknown ? {} : ruleset, { documents: await readReferenced(document, { cwd }) })
  return {
    document,
    findings: unknown ? [...result.findings, unrecognized(document)] : result.findings,
    grade: unknown ? null : grade(result.rules, readable),
    readable,
  }
}

/** Of several documents the worst grade stands for all. */
const worst = (grades: readonly (GradeResult | null)[]): GradeResult | null =>
  grades
    .filter((it) => it !== null)
    .sort((a, b) => gradeLetters.indexOf(b.letter) - gradeLetters.indexOf(a.letter) || a.score - b.score)[0] ?? null

type FailOn = (typeof severities)[number] | 'none'

function exitCodes(all: readonly Linted[], failOn: FailOn, minGrade: GradeLetter | undefined): ExitCode[] {
  const bad = failOn === 'none' ? [] : severities.slice(0, severities.indexOf(failOn) + 1)
  const codes: ExitCode[] = []
  if (all.some((it) => !it.readable)) codes.push(6)
  if (all.some(({ findings }) => findings.some((it) => bad.includes(it.severity)))) codes.push(4)
  if (minGrade !== undefined && all.some((it) => it.grade !== null && !meetsGrade(it.grade.letter, minGrade)))
    codes.push(4)
  if (all.every((it) => it.grade === null)) codes.push(5)
  return codes
}

export default command({
  summary: 'Check documents against a style guide and grade them',
  description:
    'Checks OpenAPI, Swagger, Arazzo, JSON Schema and MCP documents, prints findings with their places and a grade from A to F. Needs no account and opens no workspace. References to other files are followed. Exit codes: 4 where --fail-on or --min-grade is missed, 5 where nothing could be graded, 6 for a document that cannot be read.',
  examples: [
    'svc lint openapi.yaml',
    'svc lint openapi.yaml --min-grade B --report sarif=lint.sarif',
    'curl -s https://example.com/openapi.json | svc lint - --format markdown',
    'svc lint openapi.yaml --guide .spectral.yaml --fail-on warning',
  ],
  arguments: [{ name: 'files', summary: 'documents to check; - reads standard input', required: true, variadic: true }],
  options: {
    guide: {
      type: 'string',
      placeholder: 'NAME|FILE',
      summary: 'the style guide: svc:recommended (default), spectral:oas, or a Spectral ruleset in a file',
    },
    format: {
      type: 'string',
      placeholder: 'FORMAT',
      choices: findingFormats,
      default: 'text',
      summary: 'what stdout is written in',
    },
    report: {
      type: 'string',
      placeholder: 'FORMAT[=PATH]',
      multiple: true,
      summary: 'also write a report, in any of the formats; to stdout without PATH',
    },
    'min-grade': { type: 'string', placeholder: 'LETTER', choices: gradeLetters, summary: 'fail below this grade' },
    'fail-on': {
      type: 'string',
      placeholder: 'SEVERITY',
      choices: [...severities, 'none'],
      default: 'error',
      summary: 'fail on findings of this severity or worse',
    },
  },
  envelope: 'findings',
  run: async ({ args, options, io, cwd }) => {
    const targets = options.report.map(readReportTarget)
    if (args.files.filter((it) => it === '-').length > 1)
      throw new SvcError('usage', { reason: 'Standard input can be read once only: give "-" once' })
    const guide = await findGuide(options.guide, { cwd, io })
    const all: Linted[] = []
    for (const file of new Set(args.files))
      all.push(await lintFile(await readDocument(file, { cwd, io }), guide.rulesFor(file), guide.chosen, cwd))
    const report: FindingReport = {
      findings: all.flatMap((it) => it.findings),
      grade: worst(all.map((it) => it.grade)),
      sources: new Map(all.map(({ document }) => [document.source, document.text])),
      toolVersion: version,
    }
    await writeReportFiles(targets, report, cwd)
    const direct = targets.filter((it) => it.path === null)
    const { colour } = io
    return {
      exitCode: exitCodes(all, options['fail-on'], options['min-grade']),
      summary: {
        guide: guide.name,
        counts: countFindings(report.findings),
        grade: report.grade,
        documents: all.map(({ document, grade: own }) => ({ source: document.source, grade: own })),
      },
      findings: report.findings,
      text: () =>
        [reportFormats[options.format], ...direct.map((it) => it.format)]
          .map((it) => writeFindings(it, report, colour.stdout))
          .join(''),
    }
  },
})
