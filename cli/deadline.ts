/**
 * What reads documents of others may meet one that is made to keep a program busy, or to fill its memory. A thread beside the
 * command ends the process then: the command itself may be in a computation that never looks up.
 */
import { SvcError, type ExitCode } from '../src/errors.ts'
import { formatDuration } from '../src/kernel/duration.ts'

/** How long a command may work on one document, and how much memory it may need. */
export interface Bounds {
  readonly deadlineMs: number
  readonly memoryMb: number
}

/** What is written where a bound is broken: texts of standard error and of standard output. */
interface Said {
  readonly stderr: string
  readonly stdout: string
  readonly exitCode: ExitCode
}

const lookEveryMs = 50

// Plain JavaScript, in the thread: nothing of ours is loaded twice. The exit function of the system ends the process with its exit
// code while another thread computes, which process.exit of a worker does not.
const program = `
const { writeSync } = require('node:fs')
const libraries = { darwin: ['libSystem.B.dylib'], win32: ['msvcrt.dll'] }
const write = (to, text) => {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; )
    try { at += writeSync(to, bytes.subarray(at)) } catch (error) { if (error.code !== 'EAGAIN') return }
}
const end = ({ stderr, stdout, exitCode }) => {
  write(1, stdout)
  write(2, stderr)
  const { dlopen } = require('bun:ffi')
  const linux = ['libc.so.6', 'libc.musl-' + (process.arch === 'arm64' ? 'aarch64' : 'x86_64') + '.so.1']
  for (const name of libraries[process.platform] ?? linux)
    try { dlopen(name, { _exit: { args: ['i32'], returns: 'void' } }).symbols._exit(exitCode) } catch {}
  process.kill(process.pid, 'SIGKILL')
}
let work = null
let since = 0
self.onmessage = ({ data }) => { work = data; since = performance.now() }
setInterval(() => {
  if (work === null) return
  if (performance.now() - since > work.deadlineMs) end(work.late)
  else if (process.memoryUsage.rss() > work.memoryMb * 1_000_000) end(work.large)
}, ${lookEveryMs})
`

let follow: ((what: string | null) => void) | null = null
/** What is worked on, also while the process waits. */
let current: string | null = null
let waiting = 0

/** Says that the work on a document begins: it has the whole time for itself. Does nothing where no deadline was started. */
export function beginWork(what: string): void {
  current = what
  if (waiting === 0) follow?.(what)
}

/** Says that this process only waits for others, which are watched themselves. */
export function pauseWork(): void {
  current = null
  follow?.(null)
}

/**
 * Waits for others: the service, a person, another program. That is no work; what follows has the whole time for itself.
 * @returns what `wait` gives
 */
export async function whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
  if (waiting++ === 0) follow?.(null)
  try {
    return await wait()
  } finally {
    if (--waiting === 0 && current !== null) follow?.(current)
  }
}

/**
 * Starts the watch over a command.
 * @param what what is worked on until `beginWork` says more
 * @param report how a failure is reported: as the command itself would
 */
export function startDeadline(what: string, bounds: Bounds, report: (failure: SvcError) => Said): void {
  const address = URL.createObjectURL(new Blob([program], { type: 'application/javascript' }))
  const thread = new Worker(address, { ref: false, smol: true })
  const stopped = (named: string, reason: string): Said => report(new SvcError('run-stopped', { what: named, reason }))
  follow = (named) => {
    const late = `it took longer than ${formatDuration(bounds.deadlineMs)}`
    const large = `it needed more than ${bounds.memoryMb} MB of memory`
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(named === null ? null : { ...bounds, late: stopped(named, late), large: stopped(named, large) })
  }
  beginWork(what)
}
