/** The way from a source to a finished job, its reports and its exit code. */
import type { Input } from '../../src/api/endpoint.ts'
import { importsApi, type ImportJob, type ImportRequest } from '../../src/api/imports.ts'
import { lintApi } from '../../src/api/lint.ts'
import { SvcError, type ExitCode } from '../../src/errors.ts'
import type { FindingReport } from '../../src/report/report.ts'
import type { Invocation, Result } from '../declare.ts'
import type { OptionValues } from '../options.ts'
import type { Connection } from '../connection/connection.ts'
import { readReportTarget, writeFindings, writeReportFiles, type ReportTarget } from '../output/reports.ts'
import { version } from '../version.gen.ts'
import { followJob, resumeCommand, type Followed } from './follow.ts'
import type { waitOptions } from './options.ts'
import { worst } from '../../src/lint/judge.ts'
import { exitCodesOf, failureFinding, failuresOf, gradeOf, outcomesOf, withUnread } from './outcome.ts'
import { showProgress } from './progress.ts'
import { renderJob } from './render.ts'
import type { Gathered } from './source.ts'

type Around = Pick<Invocation, 'io' | 'env' | 'cwd' | 'signal' | 'globals' | 'connection'>

/** The options that say how to wait and what to report; commands without some of them leave them out. */
export type RunOptions = Partial<OptionValues<typeof waitOptions>> & { readonly report?: readonly string[] }

const defaultTimeoutMs = 120_000

/** How long to wait: --import-timeout, else --timeout where it was given, else two minutes. */
export const timeoutOf = (
  { 'import-timeout': timeoutMs }: RunOptions,
  { globals }: Pick<Around, 'globals'>,
): number => {
  if (timeoutMs !== undefined) return timeoutMs
  return globals.given.includes('timeout') ? globals.timeoutMs : defaultTimeoutMs
}

/**
 * Reads --report; one report at most goes to standard output, where it takes the place of the summary.
 * @throws SvcError `usage`
 */
export function readReports(texts: readonly string[], json: boolean): ReportTarget[] {
  const targets = texts.map(readReportTarget)
  const direct = targets.filter(({ path }) => path === null)
  const [first] = direct
  if (first !== undefined && (direct.length > 1 || json)) {
    const other = json ? 'the --json envelope' : `--report ${direct[1]?.format.id}`
    const reason = `--report ${first.format.id} and ${other} both go to standard output; give one of them a file, as in --report ${first.format.id}=FILE`
    throw new SvcError('usage', { reason })
  }
  return targets
}

/** Ends when the answer is there, or when the person interrupts: what is read from a terminal may never come. */
export const unlessInterrupted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(new DOMException('interrupted', 'AbortError'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

// A job keeps a thousand findings; the report of a stored version has all of them.
async function allFindings(job: ImportJob, { call, tenant }: Connection) {
  if (job.findings_total <= job.findings.length || job.result === null) return job.findings
  const { project_slug, version_slug } = job.result
  const params = { tenant_slug: await tenant(), project_ref: project_slug, version_ref: version_slug }
  const { findings } = await call(lintApi.version, { params })
  return findings
}

/** What reports have to say of a job: findings of all its documents, and its failures as findings. */
async function reportOf(job: ImportJob, gathered: Gathered, connection: Connection): Promise<FindingReport> {
  const outcomes = outcomesOf(job)
  const { judged } = gathered
  const stored = async () =>
    job.items.length > 0 ? job.items.flatMap((it) => it.findings) : allFindings(job, connection)
  const own = judged === undefined ? await stored() : judged.findings
  const failures = [
    ...(job.error === null ? [] : [failureFinding(job.error.code, job.error.message, job.source)]),
    ...job.items.flatMap((it) => (it.error === null ? [] : [failureFinding(it.error.code, it.error.message, it.path)])),
    ...(job.finished_at === null
      ? [failureFinding('import-unfinished', `The import had not ended (${job.phase ?? job.status}).`, job.source)]
      : []),
  ]
  // Where errors are with their places, the sentence that sums them up adds nothing.
  const errors = new Set(own.filter((it) => it.severity === 'error').map((it) => it.source))
  const findings = [...own, ...failures.filter((it) => it.code !== 'document-invalid' || !errors.has(it.source))].map(
    (it) => ({ ...it, source: gathered.shown(it.source) }),
  )
  const names = [
    ...(job.items.length > 0 ? job.items.map((it) => it.path) : [job.source]),
    ...own.map((it) => it.source),
  ]
  return {
    findings,
    grade: judged === undefined ? worst(outcomes.map(({ lint }) => gradeOf(lint))) : judged.grade,
    ...(judged?.guide === undefined ? {} : { guide: judged.guide }),
    sources: new Map([
      ...names.map((name) => [gathered.shown(name), gathered.text(name)] as const),
      ...(judged?.sources ?? []),
    ]),
    toolVersion: version,
  }
}

function interruptedText(job: ImportJob, resume: string): string {
  if (job.status === 'cancelled') return `Interrupted: the job ${job.job_id} was cancelled; nothing was stored.`
  if (job.finished_at === null) return `Interrupted: the job ${job.job_id} continues. See its result with: ${resume}`
  return `Interrupted, but the job ${job.job_id} had ended (${job.status}). See it: ${resume}`
}

/** Writes the reports; what goes to standard output is handed back, and so is what could not be written. */
export async function writeAll(
  targets: readonly ReportTarget[],
  report: FindingReport,
  { cwd, io }: Pick<Around, 'cwd' | 'io'>,
): Promise<{ readonly direct: string | null; readonly failures: readonly SvcError[] }> {
  const failures: SvcError[] = []
  await writeReportFiles(targets, () => report, cwd).catch((error: unknown) => {
    if (!(error instanceof SvcError)) throw error
    failures.push(error)
  })
  const chosen = targets.find(({ path }) => path === null)
  return { direct: chosen === undefined ? null : writeFindings(chosen.format, report, io.colour.stdout), failures }
}

// The texts that frames and reports quote: of what was refused, or of all that a report is about.
async function unpackFor(job: ImportJob, gathered: Gathered, all: boolean): Promise<void> {
  if (gathered.unpack === undefined) return
  const names = outcomesOf(job).flatMap(({ findings }) =>
    findings.flatMap((it) => (all || it.severity === 'error' ? [it.source] : [])),
  )
  // An archive that cannot be read is what the job says; there is nothing to quote then.
  if (names.length > 0) await gathered.unpack(names).catch(() => {})
}

async function conclude(
  { job: followed, ended }: Followed,
  gathered: Gathered,
  targets: readonly ReportTarget[],
  around: Around,
): Promise<Result> {
  const { io, globals } = around
  const job = withUnread(followed, gathered)
  const connection = await around.connection()
  const resume = resumeCommand(job, globals, around.env)
  if (ended === 'interrupted') {
    io.log.warn(interruptedText(job, resume))
    return { data: job, exitCode: 130, summary: { resume }, detach: true }
  }
  await unpackFor(job, gathered, targets.length > 0)
  const { direct, failures } =
    targets.length > 0
      ? await writeAll(targets, await reportOf(job, gathered, connection), around)
      : { direct: null, failures: [] }
  if (ended === 'timed-out') {
    const said =
      job.finished_at === null
        ? `The job ${job.job_id} is still running (${job.phase ?? job.status}). Continue to wait with: ${resume}`
        : `The job ${job.job_id} ended (${job.status}) after the timeout. See its result with: ${resume}`
    io.log.warn(said)
    const text = direct === null ? {} : { text: direct }
    return { data: job, exitCode: 7, summary: { resume }, failures, detach: true, ...text }
  }
  const codes: readonly ExitCode[] = exitCodesOf(job)
  const text = (): string => direct ?? (globals.quiet ? '' : renderJob(job, { gathered, colour: io.colour.stdout }))
  return { data: job, exitCode: codes, text, failures: [...failuresOf(job), ...failures] }
}

const nameless: Gathered = {
  source: { kind: 'inline', content: '' },
  root: null,
  shown: (name) => name,
  text: () => null,
}

/** Waits for a job that is there already, and says what came of it. */
export async function concludeJob(
  job: ImportJob,
  gathered: Gathered | null,
  options: RunOptions,
  around: Around,
): Promise<Result> {
  const targets = readReports(options.report ?? [], around.globals.json)
  const followed = await followJob(job, await around.connection(), {
    pollMs: options['poll-interval'] ?? 1000,
    timeoutMs: timeoutOf(options, around),
    requestMs: around.globals.timeoutMs,
    signal: around.signal,
    cancels: gathered !== null,
    progress: showProgress(around.globals.quiet ? 'none' : (options.progress ?? 'auto'), around.io, around.env),
  })
  return conclude(followed, gathered ?? nameless, targets, around)
}

/** The request of an import: JSON, or an archive as it is with the options in the query. */
function inputOf(
  source: Gathered['source'],
  { overrides, ...request }: Omit<ImportRequest, 'source'>,
): Pick<Input<typeof importsApi.create>, 'headers' | 'query' | 'body'> {
  // With a key the request can be repeated after a broken connection: it makes one job.
  const headers = { 'idempotency-key': crypto.randomUUID() }
  // The query has no place for overlays.
  if (source.kind === 'uploaded' && request.overlays !== undefined) {
    const archive = { kind: 'archive' as const, name: source.name, content_base64: source.bytes.toBase64() }
    return { headers, body: { ...request, ...(overrides === undefined ? {} : { overrides }), source: archive } }
  }
  if (source.kind !== 'uploaded')
    return { headers, body: { ...request, ...(overrides === undefined ? {} : { overrides }), source } }
  const { overlays: _, ...rest } = request
  const override = Object.entries(overrides ?? {}).map(([key, spec]) => `${key}=${spec}`)
  return {
    headers: { ...headers, ...({ 'content-type': source.mediaType } as object) },
    query: { ...rest, filename: source.name, ...(override.length === 0 ? {} : { override }) },
    // The types of a call know the JSON alone.
    body: source.bytes as unknown as ImportRequest,
  }
}

/**
 * Starts an import, waits for it unless --no-wait, and says what came of it. Interrupted, it cancels the job.
 * @throws SvcError as the service answers, and `usage` for reports that exclude each other
 */
export async function runImport(
  gathered: Gathered,
  request: Omit<ImportRequest, 'source'>,
  options: RunOptions,
  around: Around,
): Promise<Result> {
  const { io, signal, globals } = around
  readReports(options.report ?? [], globals.json)
  const { call, tenant } = await around.connection()
  const params = { tenant_slug: await tenant() }
  const job = await unlessInterrupted(call(importsApi.create, { params, ...inputOf(gathered.source, request) }), signal)
  if (options.wait !== false) return concludeJob(job, gathered, options, around)
  const resume = resumeCommand(job, globals, around.env)
  if (!globals.json) io.log.info(`The import runs as job ${job.job_id}. Follow it with: ${resume}`)
  return { data: job, text: `${job.job_id}\n`, summary: { resume } }
}
