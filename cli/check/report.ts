/** What `svc check` prints: a table of the gates, then what failed. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ExitCode } from '../../src/errors.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { remediesOf } from '../../src/lint/remedies.ts'
import { rules as builtinRules } from '../../src/lint/rules.gen.ts'
import { countFindings } from '../../src/report/count.ts'
import { reportFormats } from '../../src/report/formats.gen.ts'
import type { FindingReport, ReportFormat } from '../../src/report/report.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { Result } from '../declare.ts'
import { distinct } from '../../src/lint/reported.ts'
import { nameFrom } from '../lint/names.ts'
import { worst } from '../../src/lint/judge.ts'
import { writeFindings, writeTargets, type ReportTarget } from '../output/reports.ts'
import { shortName } from '../project-file/find.ts'
import { renderTable } from '../table.ts'
import { version } from '../version.gen.ts'
import type { ApiResult, GateResult } from './gates.ts'
import type { CheckInvocation } from './options.ts'
import type { Check } from './run.ts'
import { isWebAddress } from '../../src/kernel/text.ts'

const gates = ['lint', 'changes', 'consumers'] as const

const cellOf = ({ status, detail }: GateResult): string => (status === 'off' ? `- (${detail})` : `${status}: ${detail}`)

/** A row for each API, a column for each gate that any API has. */
function tableOf(results: readonly ApiResult[]): { readonly header: string[]; readonly rows: string[][] } {
  const isUsed = (gate: GateResult['gate']): boolean =>
    results.some((it) => it.gates.some((one) => one.gate === gate && one.status !== 'off'))
  const shown = gates.filter((gate) => gate !== 'consumers' || isUsed(gate))
  return {
    header: ['API', ...shown.map((it) => it.toUpperCase())],
    rows: results.map((result) => [
      result.api,
      ...shown.map((gate) => {
        const found = result.gates.find((one) => one.gate === gate)
        return found === undefined ? '' : cellOf(found)
      }),
    ]),
  }
}

const escapeCell = (text: string): string => text.replaceAll('|', '\\|')

/** The table in a format that has a place for one; "" otherwise. */
function tableIn(format: ReportFormat, results: readonly ApiResult[]): string {
  const { header, rows } = tableOf(results)
  if (rows.length === 0) return ''
  if (['text', 'stylish', 'codeframe'].includes(format.id)) return `${renderTable(header, rows)}\n`
  if (format.id !== 'markdown') return ''
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |\n`
  return `${line(header)}${line(header.map(() => '---'))}${rows.map(line).join('')}\n`
}

async function sourcesOf(findings: readonly Finding[], results: readonly ApiResult[], cwd: string) {
  const sources = new Map<string, string | null>(results.map((it) => [it.root, null]))
  for (const source of new Set(findings.map((it) => it.source)))
    if (!isWebAddress(source)) sources.set(source, await readFile(resolve(cwd, source), 'utf8').catch(() => null))
  return sources
}

interface Joined {
  readonly findings: readonly Finding[]
  readonly failing: ReadonlySet<string>
  readonly told: readonly Finding[]
}

function join(results: readonly ApiResult[]): Joined {
  const all = results.flatMap((it) => it.gates)
  return {
    findings: distinct(all.flatMap((it) => it.findings)),
    failing: new Set(all.flatMap(({ failing }) => failing)),
    told: distinct(all.flatMap(({ skipped }) => skipped)),
  }
}

async function reportOf(results: readonly ApiResult[], { cwd }: CheckInvocation): Promise<FindingReport> {
  const { findings, failing, told } = join(results)
  const everything = [...told, ...findings]
  return {
    findings: everything,
    skipped: new Set(told),
    suppressed: results.flatMap((it) => it.suppressed),
    guide: [...new Set(results.flatMap((it) => it.guide ?? []))].join(', '),
    pathOf: nameFrom('.', cwd),
    fails: (it) => failing.has(it.fingerprint) || (told.includes(it) && it.severity === 'error'),
    remedies: remediesOf(findings, builtinRules),
    grade: worst(results.map((it) => it.grade)),
    sources: await sourcesOf(everything, results, cwd),
    toolVersion: version,
  }
}

const codesOf = (results: readonly ApiResult[]): ExitCode[] =>
  results.flatMap((it) => it.gates.flatMap((one) => one.codes))

const mostNamed = 5

const namesOf = (results: readonly ApiResult[]): string => {
  const names = results.slice(0, mostNamed).map((it) => it.api)
  return `${names.join(', ')}${results.length > mostNamed ? ` and ${results.length - mostNamed} more` : ''}`
}

/** One line: how many APIs pass. */
function conclusion(results: readonly ApiResult[], since: string | undefined): string {
  if (results.length === 0 && since !== undefined) return `No API differs from ${since}.\n`
  const failed = results.filter((it) => it.gates.some((one) => one.codes.length > 0))
  return failed.length === 0
    ? `${plural(results.length, 'API')} checked: all passed.\n`
    : `${plural(results.length, 'API')} checked: ${failed.length} failed (${namesOf(failed)}).\n`
}

/** Writes the reports that --report sends to files, and answers the result of the command. */
export async function checkResult(
  { check, results }: { readonly check: Check; readonly results: readonly ApiResult[] },
  targets: readonly ReportTarget[],
  invocation: CheckInvocation,
): Promise<Result> {
  const { options, io, cwd } = invocation
  const report = await reportOf(results, invocation)
  const failing = report.findings.filter((it) => report.fails?.(it) === true)
  // For people: what failed, so that it is not hidden among the rest.
  const short: FindingReport = { ...report, findings: failing, total: countFindings(report.findings) }
  const isForPeople = (format: ReportFormat): boolean => ['text', 'stylish', 'codeframe'].includes(format.id)
  const reportFor = (format: ReportFormat): FindingReport => (isForPeople(format) ? short : report)
  // A file has the table as well, where its format has a place for one.
  await writeTargets(targets, (it) => tableIn(it, results) + writeFindings(it, reportFor(it), false), cwd)
  const direct = targets.filter((it) => it.path === null).map((it) => it.format)
  const write = (format: ReportFormat): string => {
    const details =
      isForPeople(format) && failing.length === 0
        ? ''
        : writeFindings(format, reportFor(format), io.colour.stdout, io.isTerminal ? { columns: io.columns } : {})
    return tableIn(format, results) + details + (isForPeople(format) ? conclusion(results, options.since) : '')
  }
  return {
    exitCode: codesOf(results),
    summary: {
      projectFile: { file: shortName(check.file.path, cwd), profile: check.file.profile },
      counts: countFindings(report.findings),
      grade: report.grade,
      apis: results.map(({ api, root, guide, base, grade, gates: its }) => ({
        api,
        root,
        guide,
        base,
        grade,
        gates: its.map(({ gate, status, detail, findings }) => ({ gate, status, detail, findings: findings.length })),
      })),
    },
    findings: report.findings,
    text: () => [reportFormats[options.format], ...direct].map(write).join(''),
  }
}
