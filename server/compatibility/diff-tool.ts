import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readForeignFindings, type ForeignFinding } from '../../src/compat/second-opinion.ts'

/** What running the operator's tool ended with. */
export interface ToolOutcome {
  readonly name: string
  readonly version: string | null
  readonly durationMs: number
  /** A sentence where it did not answer. */
  readonly result: readonly ForeignFinding[] | string
}

const longestRunMs = 60_000
const mostOutputBytes = 32 * 1024 * 1024

/** The command of a setting: words, and what a bare oasdiff is to be called with. */
export function diffToolCommand(setting: string | null | undefined): readonly string[] | null {
  const words = (setting ?? '').trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return null
  return words.length === 1 ? [...words, 'changelog', '{base}', '{head}', '--format', 'json'] : words
}

// The tool sees neither our credentials nor a network: what a document refers to elsewhere is not fetched for it.
const environment = {
  PATH: process.env.PATH ?? '',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  http_proxy: 'http://127.0.0.1:9',
  https_proxy: 'http://127.0.0.1:9',
  OASDIFF_NO_UPDATE_CHECK: '1',
}

async function run(command: readonly string[], cwd: string): Promise<{ stdout: string; stderr: string } | string> {
  let child: ReturnType<typeof Bun.spawn>
  try {
    child = Bun.spawn([...command], {
      cwd,
      env: { ...environment, HOME: cwd, TMPDIR: cwd },
      stdin: 'ignore',
      stdout: Bun.file(join(cwd, 'stdout')),
      stderr: Bun.file(join(cwd, 'stderr')),
      timeout: longestRunMs,
      killSignal: 'SIGKILL',
    })
  } catch (error) {
    return `it could not be started (${(error as Error).message})`
  }
  await child.exited
  if (child.signalCode !== null) return `it was ended after ${longestRunMs / 1000} seconds`
  const out = Bun.file(join(cwd, 'stdout'))
  if (out.size > mostOutputBytes) return `it wrote more than ${mostOutputBytes} bytes`
  return { stdout: await out.text(), stderr: (await Bun.file(join(cwd, 'stderr')).text()).trim().slice(0, 500) }
}

async function versionOf(program: string, cwd: string): Promise<string | null> {
  const answer = await run([program, '--version'], cwd)
  if (typeof answer === 'string') return null
  // What was built from sources says a branch in place of a number: "oasdiff version main".
  return /\d+\.\d+(?:\.\d+)?\S*/.exec(answer.stdout)?.[0] ?? /\bversion\s+(\S{1,100})/i.exec(answer.stdout)?.[1] ?? null
}

/** A document as a tool reads it. */
export interface ToolInput {
  readonly bytes: Uint8Array
  readonly syntax: 'json' | 'yaml'
}

/** Runs the operator's tool over two documents, bounded in time and output. Never throws for what the tool does. */
export async function runDiffTool(command: readonly string[], base: ToolInput, head: ToolInput): Promise<ToolOutcome> {
  const [program = ''] = command
  const name = basename(program).replace(/\.exe$/, '')
  const folder = await mkdtemp(join(tmpdir(), 'svc-compat-'))
  try {
    const files = { '{base}': join(folder, `base.${base.syntax}`), '{head}': join(folder, `head.${head.syntax}`) }
    await Promise.all([Bun.write(files['{base}'], base.bytes), Bun.write(files['{head}'], head.bytes)])
    const version = await versionOf(program, folder)
    const begun = performance.now()
    const words = command.map((word) => (word === '{base}' || word === '{head}' ? files[word] : word))
    const answer = await run(words, folder)
    const durationMs = Math.round(performance.now() - begun)
    if (typeof answer === 'string') return { name, version, durationMs, result: answer }
    const read = readForeignFindings(answer.stdout)
    const silent = answer.stdout.trim() === '' && answer.stderr !== ''
    const failed = typeof read === 'string' && answer.stderr !== '' ? `${read}; it said: ${answer.stderr}` : read
    const result = silent ? `it said: ${answer.stderr}` : failed
    return { name, version, durationMs, result }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
