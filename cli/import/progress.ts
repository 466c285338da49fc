/** What is seen of a job while it runs: a bar on a terminal, JSON lines for programs. */
import type { ImportJob } from '../../src/api/imports.ts'
import type { Io } from '../io.ts'

export type ProgressMode = 'auto' | 'bar' | 'json' | 'none'

export interface Progress {
  /** Shows the state; the same state is not shown twice. */
  update(job: ImportJob): void
  /** Takes away what was drawn; JSON lines stay. */
  end(): Promise<void>
}

type Env = Readonly<Record<string, string | undefined>>
type Terminal = NonNullable<Io['errorTerminal']>

const frameMs = 100

const isUnicode = (env: Env): boolean =>
  /utf-?8/i.test([env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => value !== undefined && value !== '') ?? '')

/** One line of a bar, no wider than `columns`: phase, bar, share, seconds. */
export function drawBar(
  job: Pick<ImportJob, 'phase' | 'status' | 'progress'>,
  elapsedMs: number,
  style: { readonly columns: number; readonly unicode: boolean; readonly colour: boolean },
): string {
  const { done, total } = job.progress
  const share = total === 0 ? 0 : Math.min(1, done / total)
  const label = (job.phase ?? job.status).padEnd(10)
  const tail = ` ${String(Math.floor(share * 100)).padStart(3)} % ${(elapsedMs / 1000).toFixed(1)} s`
  const width = Math.max(0, Math.min(40, style.columns - label.length - tail.length - 3))
  const full = Math.round(share * width)
  const [on, off] = style.unicode ? ['█', '░'] : ['#', '.']
  const bar = on.repeat(full) + off.repeat(width - full)
  return `${label} ${style.colour ? `\u001b[36m${bar}\u001b[39m` : bar}${tail}`.trimEnd()
}

function barOn(terminal: Terminal, colour: boolean, env: Env): Progress {
  const started = performance.now()
  let shown: ImportJob | null = null
  let drawn = false
  const draw = (): void => {
    if (shown === null) return
    drawn = true
    const elapsedMs = performance.now() - started
    const style = { columns: terminal.columns, unicode: isUnicode(env), colour }
    void terminal.draw(drawBar(shown, elapsedMs, style))
  }
  const timer = setInterval(draw, frameMs)
  timer.unref()
  return {
    update(job) {
      shown = job
      // At once: where the job runs in this very process, no timer does while it computes.
      if (job.finished_at === null) draw()
    },
    async end() {
      clearInterval(timer)
      if (drawn) await terminal.draw('')
    },
  }
}

/** One state of a job as a line of JSON. */
const lineOf = (job: ImportJob, elapsedMs: number): string =>
  JSON.stringify({
    event: 'import.progress',
    job_id: job.job_id,
    status: job.status,
    phase: job.phase,
    done: job.progress.done,
    total: job.progress.total,
    elapsed_ms: Math.round(elapsedMs),
  })

function linesOn({ log }: Pick<Io, 'log'>): Progress {
  const started = performance.now()
  let last = ''
  return {
    update(job) {
      const state = JSON.stringify([job.status, job.phase, job.progress])
      if (state === last) return
      last = state
      log.log(lineOf(job, performance.now() - started))
    },
    end: () => Promise.resolve(),
  }
}

const silent: Progress = { update: () => {}, end: () => Promise.resolve() }

/** The progress that `--progress` asks for. `auto` draws a bar on a terminal; elsewhere it is silent. */
export function showProgress(mode: ProgressMode, io: Io, env: Env): Progress {
  const { errorTerminal: terminal } = io
  if (mode === 'none') return silent
  if (mode === 'json') return linesOn(io)
  return terminal?.redraws === true ? barOn(terminal, io.colour.stderr, env) : silent
}
