/** What a job means for the command: exit codes, failures, and the findings for reports. */
import type { ImportItem, ImportJob } from '../../src/api/imports.ts'
import { catalogue, SvcError, type Code, type ExitCode } from '../../src/errors.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { fingerprintOf } from '../../src/lint/fingerprint.ts'
import type { GradeResult } from '../../src/lint/grade.ts'
import { slugify } from '../../src/import/slug.ts'
import type { Gathered } from './source.ts'
import { compareText } from '../../src/kernel/order.ts'

/** A job, or one document of a bulk job: what became of it. */
export type Outcome = Pick<
  ImportJob,
  'result' | 'plan' | 'lint' | 'gate' | 'warnings' | 'findings' | 'findings_total' | 'error'
> & { readonly status: ImportJob['status'] | ImportItem['status'] }

/** The documents of a job: its items, or the job itself where it has one document. */
export const outcomesOf = (job: ImportJob): readonly Outcome[] => (job.items.length > 0 ? job.items : [job])

function codesOfOutcome({ status, error, gate, lint }: Outcome): ExitCode[] {
  const codes: ExitCode[] = []
  if (status === 'failed' || status === 'cancelled') codes.push(6)
  if (status === 'blocked' && error !== null) codes.push(3)
  const asked = gate !== null && (gate.min_grade !== null || gate.fail_on !== null)
  const ungraded = asked && lint !== null && lint.grade === null
  if (ungraded) codes.push(5)
  // That nothing could be graded is not a grade that was too bad.
  const counted = gate !== null && gate.reasons.length > (ungraded && gate.min_grade !== null ? 1 : 0)
  if (gate?.passed === false && counted) codes.push(4)
  return codes
}

/** The exit codes of a finished job; the dispatcher uses the one with the highest precedence. */
export const exitCodesOf = (job: ImportJob): ExitCode[] => [
  ...(job.status === 'failed' || job.status === 'cancelled' ? [6 as const] : []),
  ...outcomesOf(job).flatMap(codesOfOutcome),
]

/** A job with a failed item for each file or folder that could not be read, and so was not sent. */
export function withUnread(job: ImportJob, { unread = [] }: Pick<Gathered, 'unread'>): ImportJob {
  if (unread.length === 0 || job.finished_at === null) return job
  const failed = unread.map(({ path, error: { code, message, hint } }) => ({
    path,
    slug: slugify(path),
    format: 'unknown',
    status: 'failed' as const,
    result: null,
    plan: null,
    lint: null,
    gate: null,
    warnings: [],
    findings: [],
    findings_total: 0,
    error: { code, message, hint },
  }))
  const items = [...job.items, ...failed].toSorted((a, b) => compareText(a.path, b.path))
  const { summary } = job
  const count = failed.length
  return {
    ...job,
    status: job.status === 'completed' ? 'completed_with_warnings' : job.status,
    items,
    summary:
      summary === null ? null : { ...summary, documents: summary.documents + count, failed: summary.failed + count },
  }
}

const isCode = (code: string): code is Code => Object.hasOwn(catalogue, code)

/** What a job failed with: the words are the service's, and the exit code is that of a failed job. */
class JobError extends SvcError {
  readonly #hint: string
  readonly #exit: ExitCode
  constructor({ code, message, hint }: NonNullable<ImportJob['error']>, exit: ExitCode) {
    super(isCode(code) ? code : 'service-refused', { status: 0, reason: message })
    this.message = message
    this.#hint = hint
    this.#exit = exit
  }
  override get exitCode(): ExitCode {
    return this.#exit
  }
  override get hint(): string {
    // The service wrote its hint for callers of its interface; of the codes that are known here, the command line has its own.
    return this.code !== 'service-refused' || this.#hint === '' ? super.hint : this.#hint
  }
}

/** The error of the job as the command reports it; of a bulk job the table says what is wrong with its documents. */
export const failuresOf = (job: ImportJob): SvcError[] =>
  job.error === null ? [] : [new JobError(job.error, job.status === 'blocked' ? 3 : 6)]

/** A grade of the service as reports take it; null where nothing was graded. */
export const gradeOf = (lint: Outcome['lint']): GradeResult | null =>
  lint === null || lint.grade === null
    ? null
    : { score: lint.score ?? 0, letter: lint.grade, cap: lint.cap, deductions: lint.deductions }

const start = { line: 0, character: 0 }

/** A failure as a finding, so that no report of a failed import looks clean. */
export const failureFinding = (code: string, message: string, source: string): Finding => ({
  code,
  severity: 'error',
  message,
  path: [],
  pointer: '',
  source,
  range: { start, end: start },
  fingerprint: fingerprintOf(code, source, []),
  documentationUrl: null,
  fix: null,
})
