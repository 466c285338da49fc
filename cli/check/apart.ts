/** Checks of large documents, each in a process of this program with a deadline and a memory limit. */
import { join } from 'node:path'
import { residentMb } from '../../server/analysis/resident-memory.ts'
import { SvcError } from '../../src/errors.ts'
import type { ProjectApi } from '../../src/project-file/settings.ts'
import { loadConfig } from '../configuration.ts'
import { pauseWork } from '../deadline.ts'
import { shortName } from '../project-file/find.ts'
import { stoppedResult, type ApiResult } from './gates.ts'
import type { CheckInvocation } from './options.ts'

/** APIs that a process checks before it is replaced. */
const mostApis = 25
const watchEveryMs = 100

interface Limits {
  readonly deadlineMs: number
  readonly memoryMb: number
}

/** This program: the executable is its own, from the sources the entry is named. */
const program = (): string[] =>
  import.meta.dir.startsWith('/$bunfs') || import.meta.dir.startsWith('B:\\~BUN')
    ? [process.execPath]
    : [process.execPath, 'run', join(import.meta.dir, '..', 'main.ts')]

function commandOf(apis: readonly ProjectApi[], { options }: CheckInvocation): string[] {
  const flags = ['consumers', 'allow-missing-base', 'allow-unknown', 'allow-functions', 'allow-skipped'] as const
  const values = ['profile', 'fail-on', 'min-grade', 'as-of'] as const
  return [
    ...program(),
    'check',
    ...apis.map((it) => it.name),
    '--apart',
    '--quiet',
    ...(options.cache ? [] : ['--no-cache']),
    ...flags.flatMap((it) => (options[it] ? [`--${it}`] : [])),
    ...values.flatMap((it) => (options[it] === undefined ? [] : [`--${it}=${options[it]}`])),
  ]
}

// This process ends them; their own bounds are wider, so that it is the one that says so.
function environmentOf({ env, globals }: CheckInvocation, limits: Limits): Record<string, string> {
  const { baseUrl, tenant, apiKey, workspace, root, timeoutMs } = globals
  const given = {
    SVC_BASE_URL: baseUrl,
    SVC_TENANT: tenant,
    SVC_API_KEY: apiKey,
    SVC_WORKSPACE: workspace,
    SVC_ROOT: root,
    SVC_TIMEOUT: `${timeoutMs}ms`,
    SVC_DEADLINE: `${limits.deadlineMs * 2}ms`,
    SVC_MAX_MEMORY: `${limits.memoryMb * 2}`,
  }
  return Object.fromEntries(
    Object.entries({ ...env, ...given }).filter((it): it is [string, string] => it[1] !== undefined),
  )
}

/** A process that checks some APIs in their order. */
class Checking {
  readonly #child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  readonly #limits: Limits
  #broken: string | null = null
  #since = performance.now()

  constructor(apis: readonly ProjectApi[], invocation: CheckInvocation, limits: Limits) {
    this.#limits = limits
    this.#child = Bun.spawn(commandOf(apis, invocation), {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      cwd: invocation.cwd,
      env: environmentOf(invocation, limits),
    })
    invocation.signal.addEventListener('abort', () => this.#child.kill(), { once: true })
  }

  /** The results, one after the other; it ends where the process does. */
  async *results(): AsyncGenerator<ApiResult> {
    const watch = setInterval(() => void this.#look(), watchEveryMs)
    const decoder = new TextDecoder()
    let text = ''
    try {
      for await (const piece of this.#child.stdout) {
        text += decoder.decode(piece, { stream: true })
        const lines = text.split('\n')
        text = lines.pop() ?? ''
        for (const line of lines) {
          this.#since = performance.now()
          yield JSON.parse(line) as ApiResult
        }
      }
    } finally {
      clearInterval(watch)
      this.#child.kill()
    }
  }

  async #look(): Promise<void> {
    const { deadlineMs, memoryMb } = this.#limits
    if (performance.now() - this.#since > deadlineMs) this.#end(`it took longer than ${deadlineMs / 1000} seconds`)
    else if (((await residentMb(this.#child.pid)) ?? 0) > memoryMb)
      this.#end(`it needed more than ${memoryMb} MB of memory`)
  }

  #end(reason: string): void {
    this.#broken ??= reason
    this.#child.kill('SIGKILL')
  }

  /** Why it ended before it was done. */
  async reason(): Promise<string> {
    const said = await new Response(this.#child.stderr).text()
    await this.#child.exited
    return this.#broken ?? `its process ended unexpectedly (${said.trim().split('\n')[0] ?? ''})`
  }
}

async function checkSome(
  apis: readonly ProjectApi[],
  invocation: CheckInvocation,
  limits: Limits,
): Promise<readonly ApiResult[]> {
  const done: ApiResult[] = []
  while (done.length < apis.length) {
    const left = apis.slice(done.length)
    const checking = new Checking(left, invocation, limits)
    for await (const result of checking.results()) done.push(result)
    const [stopped] = apis.slice(done.length)
    if (stopped === undefined) break
    invocation.signal.throwIfAborted()
    const root = shortName(stopped.root, invocation.cwd)
    const reason = await checking.reason()
    // The API that was under way is the one that broke a limit; the others get another process.
    done.push(stoppedResult(stopped, root, new SvcError('run-stopped', { what: `The check of ${root}`, reason })))
  }
  return done
}

/** What the command line allows, else what the settings of the workspace do. */
function limitsOf(invocation: CheckInvocation): Limits {
  const { values } = loadConfig(invocation)
  const { given, deadlineMs, memoryMb } = invocation.globals
  return {
    // The gates of an API are two analyses: linting and comparing.
    deadlineMs: given.includes('deadline') ? deadlineMs : values['analysis.deadline'] * 2,
    memoryMb: given.includes('max-memory') ? memoryMb : values['analysis.memoryMb'],
  }
}

/**
 * Checks APIs in several processes. One that takes too long or needs too much memory is a failed gate of its API.
 * @returns the results in any order
 */
export async function checkApart(
  apis: readonly ProjectApi[],
  processes: number,
  invocation: CheckInvocation,
): Promise<readonly ApiResult[]> {
  const limits = limitsOf(invocation)
  pauseWork()
  const waiting = [...apis]
  const size = Math.max(1, Math.min(mostApis, Math.ceil(apis.length / (processes * 4))))
  const work = async (): Promise<readonly ApiResult[]> => {
    const results: ApiResult[] = []
    for (let some = waiting.splice(0, size); some.length > 0; some = waiting.splice(0, size))
      results.push(...(await checkSome(some, invocation, limits)))
    return results
  }
  return (await Promise.all(Array.from({ length: processes }, work))).flat()
}
