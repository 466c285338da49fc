/** Waits for a job: looks at it, shows how far it is, and takes it back when the person leaves. */
import { importsApi, type ImportJob } from '../../src/api/imports.ts'
import { SvcError } from '../../src/errors.ts'
import type { Connection } from '../connection/connection.ts'
import type { Globals } from '../globals.ts'
import type { Progress } from './progress.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface FollowOptions {
  /** Pause between two looks. */
  readonly pollMs: number
  /** Longest wait for the end of the job. */
  readonly timeoutMs: number
  /** Longest wait for one answer of the service. */
  readonly requestMs: number
  readonly signal: AbortSignal
  readonly progress: Progress
  /** Whether Ctrl-C cancels the job: anyone who started it takes it back, anyone who only looks does not. */
  readonly cancels: boolean
}

/** How waiting ended. */
export interface Followed {
  readonly job: ImportJob
  readonly ended: 'finished' | 'timed-out' | 'interrupted'
}

// The service holds an answer back for so long at most.
const longestHoldMs = 30_000

/** The command that continues waiting for a job, on the same service or workspace; what a variable says is not repeated. */
export function resumeCommand(job: ImportJob, { baseUrl, tenant, workspace }: Globals, env: Env): string {
  const named = [
    ['base-url', baseUrl, env.SVC_BASE_URL],
    ['tenant', tenant, env.SVC_TENANT],
    ['workspace', workspace, env.SVC_WORKSPACE],
  ] as const
  const quoted = (value: string): string =>
    /^[\w./:@%+=-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
  const globals = named
    .filter(([, value, variable]) => value !== undefined && value !== variable)
    .map(([name, value]) => `--${name} ${quoted(value ?? '')} `)
  return `svc ${globals.join('')}import status ${job.job_id} --wait`
}

async function takeBack(job: ImportJob, { shutdownCall }: Connection): Promise<ImportJob> {
  return shutdownCall(importsApi.cancel, { params: { job_id: job.job_id } }).catch(() => job)
}

/**
 * Looks at a job until it has ended, the time is over (the job continues) or the person interrupts.
 * @throws SvcError as the service answers; the message of `transport-failed` is about the look, not about the job
 */
export async function followJob(first: ImportJob, connection: Connection, options: FollowOptions): Promise<Followed> {
  const { pollMs, timeoutMs, requestMs, signal, progress, cancels } = options
  const deadline = performance.now() + timeoutMs
  const params = { job_id: first.job_id }
  let job = first
  try {
    for (;;) {
      progress.update(job)
      const left = deadline - performance.now()
      // Anyone who waits no longer than so long means it, even where the answer came a moment later.
      if (job.finished_at !== null && (left > 0 || job === first)) return { job, ended: 'finished' }
      if (signal.aborted) return { job: cancels ? await takeBack(job, connection) : job, ended: 'interrupted' }
      if (left <= 0) return { job, ended: 'timed-out' }
      // The answer comes as soon as the job ends, so that a look costs no time; it must come before the request gives up.
      const hold = Math.min(pollMs, left, longestHoldMs, requestMs / 2)
      try {
        job = await connection.call(importsApi.get, { params, query: { wait: hold / 1000 } })
      } catch (error) {
        if (error instanceof SvcError || !signal.aborted) throw error
      }
    }
  } finally {
    await progress.end()
  }
}
