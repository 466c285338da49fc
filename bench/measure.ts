/** What benchmarks share: medians, processes, and a table of ratios. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dir, '..')
export const cacheFolder = join(import.meta.dir, '.cache')
export const binary = join(root, 'dist', 'svc')

/** One line of the result: ours against a reference measured in the same run. */
export interface Measurement {
  readonly name: string
  readonly ours: number
  readonly reference: number
  readonly referenceName: string
  readonly unit: 'ms' | 'requests/s' | 'MB' | 'tokens'
  /** What the project guarantees, as words. */
  readonly goal: string
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** A fresh folder below the cache. */
export function freshFolder(name: string): string {
  const folder = join(cacheFolder, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Milliseconds of one run of a command, from spawn to exit. Throws where it fails. */
export function timeCommand(command: readonly string[], env: Record<string, string> = {}): number {
  const begun = performance.now()
  const result = Bun.spawnSync([...command], { env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'pipe' })
  const took = performance.now() - begun
  if (result.exitCode !== 0) throw new Error(`${command.join(' ')}: ${result.exitCode} ${result.stderr.toString()}`)
  return took
}

export interface Measured {
  readonly ms: number
  /** The largest resident memory. */
  readonly mb: number
}

export interface MeasureOptions {
  readonly runs: number
  readonly limitMs: number
  /** Exit codes that mean it did its work; more than 0 where it says what it found so. */
  readonly ends: readonly number[]
}

// A tool that takes longer than this is measured once.
const slowMs = 15_000

/** What `one-run.ts` writes about a command that it ran. */
export interface OneRun extends Measured {
  readonly exitCode: number | null
}

/**
 * Linux counts the memory of the process that starts a command as the command's own. A small process starts it,
 * since this one may have read large documents; what needs less than that process (about 50 MB) is shown too large.
 */
function runOnce(command: readonly string[], limitMs: number): OneRun {
  const starter = [process.execPath, join(import.meta.dir, 'one-run.ts'), String(limitMs), ...command]
  const result = Bun.spawnSync(starter, { stdout: 'pipe', stderr: 'inherit' })
  return JSON.parse(result.stdout.toString()) as OneRun
}

/** The median time of whole runs of a command, and its memory; null where it does not end well within the limit. */
export function measureCommand(command: readonly string[], { runs, limitMs, ends }: MeasureOptions): Measured | null {
  const times: number[] = []
  let mb = 0
  for (let run = 0; run < runs; run++) {
    const result = runOnce(command, limitMs)
    if (result.exitCode === null || !ends.includes(result.exitCode)) return null
    times.push(result.ms)
    mb = Math.max(mb, result.mb)
    if ((times[0] ?? 0) > slowMs) break
  }
  return { ms: median(times), mb }
}

/** Interleaves runs of two commands, so that noise of the machine affects both, and gives both medians. */
export function comparePair(
  ours: readonly string[],
  reference: readonly string[],
  runs: number,
): { readonly ours: number; readonly reference: number } {
  const a: number[] = []
  const b: number[] = []
  for (let run = 0; run < runs; run++) {
    a.push(timeCommand(ours))
    b.push(timeCommand(reference))
  }
  return { ours: median(a), reference: median(b) }
}

/** A server process and the address that its first output names. */
export async function startServer(
  command: readonly string[],
  env: Record<string, string> = {},
): Promise<{ readonly url: string; readonly pid: number; stop(): Promise<void> }> {
  const child = Bun.spawn([...command], { env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'ignore' })
  const reader = child.stdout.getReader()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`${command.join(' ')} ended: ${text}`)
    text += new TextDecoder().decode(value)
    const url = /http:\/\/[\d.]+:\d+/.exec(text)?.[0]
    if (url !== undefined)
      return {
        url,
        pid: child.pid,
        async stop() {
          child.kill('SIGTERM')
          await child.exited
        },
      }
  }
}

/** Resident memory of a process in MB (Linux). */
export async function residentMb(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}

export function printRows(rows: readonly Measurement[]): void {
  const cell = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1))
  for (const row of rows) {
    const ratio = row.ours / row.reference
    console.log(
      `${row.name}\n  ${cell(row.ours)} ${row.unit}, ${row.referenceName} ${cell(row.reference)} ${row.unit}: ratio ${ratio.toFixed(2)} (goal: ${row.goal})`,
    )
  }
}
