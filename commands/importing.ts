/** What the import commands share: their options, and the way from a path to a finished job. */
import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { ImportJob, importsApi, type ImportRequest } from '../src/api/imports.ts'
import { catalogue, SvcError, type ExitCode } from '../src/errors.ts'
import type { ArgumentValues, Invocation, OptionValues, Result } from './command.ts'
import { renderJob } from './import-report.ts'

const maxBytes = 64 * 1024 * 1024

export const importArguments = [
  { name: 'path', required: true, summary: 'a file, an http(s) address, or - for standard input' },
] as const

export const importOptions = {
  'dry-run': { type: 'boolean', summary: 'validate and plan, store nothing' },
  'project-name': { type: 'string', placeholder: 'NAME', summary: 'name of the project (default: the title)' },
  'project-name-field': {
    type: 'string',
    placeholder: 'PATH',
    summary: 'dot path or JSON Pointer of the field that holds it',
  },
  version: { type: 'string', placeholder: 'LABEL', summary: 'label of the version (default: the one in the document)' },
  'project-id': { type: 'string', placeholder: 'UUID', summary: 'import into this project' },
  'project-slug': { type: 'string', placeholder: 'SLUG', summary: 'slug of the project' },
  'version-slug': { type: 'string', placeholder: 'SLUG', summary: 'slug of the version' },
  publish: {
    type: 'string',
    placeholder: 'WHO',
    choices: ['public', 'private'],
    summary: 'publish it; omitted it stays a draft',
  },
  visibility: { type: 'string', placeholder: 'WHO', choices: ['public', 'private'], summary: 'the same as --publish' },
  wait: { type: 'boolean', default: true, summary: 'wait for the job to end' },
  'poll-interval': {
    type: 'number',
    placeholder: 'SECONDS',
    min: 0.01,
    default: 1,
    summary: 'seconds between looks at the job',
  },
  force: { type: 'boolean', summary: 'with --publish: skip the gates that may be skipped' },
  'import-timeout': {
    type: 'number',
    placeholder: 'SECONDS',
    min: 0.1,
    default: 120,
    summary: 'longest wait for the job',
  },
  'min-grade': {
    type: 'string',
    placeholder: 'A-F',
    choices: ['A', 'B', 'C', 'D', 'F'],
    summary: 'store nothing when the grade is worse (exit 4)',
  },
  'fail-on': {
    type: 'string',
    placeholder: 'SEVERITY',
    choices: ['error', 'warning', 'info'],
    summary: 'store nothing on a finding at or above it (exit 4)',
  },
} as const

export type ImportInvocation = Invocation<ArgumentValues<typeof importArguments>, OptionValues<typeof importOptions>>

async function readText(
  path: string,
  { io, cwd }: Pick<ImportInvocation, 'io' | 'cwd'>,
): Promise<{ name: string; content: string }> {
  if (path === '-') {
    if (io.isInteractive) await io.stderr('Reading the document from standard input; end it with Ctrl-D.')
    return { name: 'stdin', content: new TextDecoder().decode(await io.stdin()) }
  }
  const file = resolve(cwd, path)
  try {
    const { size } = await stat(file)
    if (size > maxBytes) throw new SvcError('body-too-large', { limit_bytes: maxBytes })
    return { name: basename(file), content: await readFile(file, 'utf8') }
  } catch (error) {
    if (error instanceof SvcError) throw error
    const { code } = error as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      ENOENT: 'there is no such file',
      EISDIR: 'it is a folder; name a file in it',
      EACCES: 'you may not read it',
    }
    throw new SvcError('usage', { reason: `${path} cannot be imported: ${reasons[code ?? ''] ?? String(code)}.` })
  }
}

async function sourceOf(invocation: ImportInvocation): Promise<ImportRequest['source']> {
  const { path } = invocation.args
  if (/^https?:\/\//i.test(path)) return { kind: 'url', url: path }
  return { kind: 'inline', ...(await readText(path, invocation)) }
}

async function requestOf(format: string, invocation: ImportInvocation): Promise<ImportRequest> {
  const { options } = invocation
  const publish = options.publish ?? options.visibility
  if (options.publish && options.visibility && options.publish !== options.visibility)
    throw new SvcError('usage', { reason: '--publish and --visibility are the same option and contradict each other.' })
  return {
    format,
    source: await sourceOf(invocation),
    ...(options['dry-run'] ? { dry_run: true } : {}),
    ...(options['project-name'] ? { project_name: options['project-name'] } : {}),
    ...(options['project-name-field'] ? { project_name_field: options['project-name-field'] } : {}),
    ...(options.version ? { version: options.version } : {}),
    ...(options['project-id'] ? { project_id: options['project-id'] } : {}),
    ...(options['project-slug'] ? { project_slug: options['project-slug'] } : {}),
    ...(options['version-slug'] ? { version_slug: options['version-slug'] } : {}),
    ...(publish ? { publish } : {}),
    ...(options.force ? { force: true } : {}),
    ...(options['min-grade'] ? { min_grade: options['min-grade'] } : {}),
    ...(options['fail-on'] ? { fail_on: options['fail-on'] } : {}),
  }
}

/** The exit code that a finished job stands for: the worst of what it says. */
export function exitCodeOf(job: ImportJob): ExitCode[] {
  const codes: ExitCode[] = []
  if (job.status === 'failed') codes.push(6)
  if (job.status === 'cancelled') codes.push(6)
  if (job.status === 'blocked' && job.error !== null) codes.push(3)
  if (job.gate?.passed === false) codes.push(4)
  if (job.gate?.min_grade != null && job.lint?.grade === null) codes.push(5)
  return codes
}

const isCode = (code: string): code is keyof typeof catalogue => Object.hasOwn(catalogue, code)

/** Starts an import, waits for it and tells what came of it. */
export async function runImport(format: string, invocation: ImportInvocation): Promise<Result> {
  const { options, io } = invocation
  const request = await requestOf(format, invocation)
  const { call, tenant } = await invocation.connection()
  let job = await call(importsApi.create, { params: { tenant_slug: await tenant() }, body: request })
  const resume = `svc import status ${job.job_id} --wait`
  if (!options.wait) return { data: job, text: `${job.job_id}\n`, summary: { resume } }
  const deadline = Date.now() + options['import-timeout'] * 1000
  while (job.finished_at === null) {
    invocation.signal.throwIfAborted()
    const left = (deadline - Date.now()) / 1000
    if (left <= 0) {
      await io.stderr(`The job ${job.job_id} still runs (${job.phase ?? job.status}). Go on waiting with: ${resume}`)
      return { data: job, exitCode: 7, summary: { resume } }
    }
    const wait = Math.min(options['poll-interval'], left, 30)
    job = await call(importsApi.get, { params: { job_id: job.job_id }, query: { wait } })
  }
  return resultOf(job)
}

/** A finished job as the result of a command. */
export function resultOf(job: ImportJob): Result {
  const failure = job.error
  const failures =
    failure === null
      ? []
      : [
          Object.assign(new SvcError(isCode(failure.code) ? failure.code : 'internal', {}), {
            message: failure.message,
          }),
        ]
  return { data: job, exitCode: exitCodeOf(job), text: () => renderJob(job), failures }
}
