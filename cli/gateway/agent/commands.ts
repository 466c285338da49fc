/** Runs commands of the engine: bounded in time and output, ended with all that they started. */
import { spawn } from 'node:child_process'

export interface Ran {
  readonly ok: boolean
  /** What it wrote to both streams; why it did not run or end where there is no exit code. */
  readonly output: string
}
export type RunCommand = (command: string, env: Readonly<Record<string, string>>, timeoutMs: number) => Promise<Ran>

const mostOutput = 65_536

/** Runs a command line with the shell of the system; what the agent gives it is in variables, so that nothing needs quoting. */
export const runCommand: RunCommand = (command, env, timeoutMs) =>
  new Promise((resolve) => {
    const { SVC_GATEWAY_KEY: _, ...inherited } = process.env
    const child = spawn('/bin/sh', ['-c', command], {
      env: { ...inherited, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    const take = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-mostOutput)
    }
    const end = (ran: Ran): void => {
      clearTimeout(timer)
      resolve(ran)
    }
    const timer = setTimeout(() => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It ended in the same moment.
      }
      end({ ok: false, output: `${output}\nit did not end within ${timeoutMs / 1000} s` })
    }, timeoutMs)
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('error', (error) => end({ ok: false, output: error.message }))
    child.on('exit', (code, signal) =>
      end({
        ok: code === 0,
        output: code === 0 ? output : `${output}\n${signal === null ? `exit code ${code}` : `ended by ${signal}`}`,
      }),
    )
  })
