/**
 * A command that reads large documents ends within seconds, before code that the runtime's slowest compiler makes pays for
 * itself: it takes a third of the processor time. The runtime reads its settings once, when a process starts, so such a
 * command replaces its process by the same one with other settings. One that reads little ends before most of what the other
 * compilers make runs: they wait longer, which needs no other process.
 */
import { statSync } from 'node:fs'

/** The settings, by the names of the runtime's variables. */
const settings: Readonly<Record<string, string>> = {
  BUN_JSC_useFTLJIT: '0',
  // The thousand calls by default are reached by code that then hardly runs again.
  BUN_JSC_thresholdForOptimizeAfterWarmUp: '2000',
}

/** Below this, a command ends before it is compiled that well, and the second start costs more than it saves. */
const leastBytes = 700_000

/** What runs until it is stopped: there, everything pays. */
const lasting: ReadonlySet<string> = new Set(['serve', 'lsp', 'mcp', 'watch'])

/** What may work for minutes, or until it is stopped, in the same process. */
const long: ReadonlySet<string> = new Set([...lasting, 'gateway', 'import', 'view', 'webhooks'])

/** How many times as often code runs before it is compiled, where a command reads little. */
const patience = 16

/**
 * What somebody waits for to start and then runs for long: most of what a start runs, runs once. The command itself calls
 * `compileAgain` when it has started.
 */
const greeting: ReadonlySet<string> = new Set(['mcp'])

/** The bytes of a file, `'folder'`, or null for what is neither. */
type SizeOf = (path: string) => number | 'folder' | null

const sizeOnDisk: SizeOf = (path) => {
  try {
    const info = statSync(path, { throwIfNoEntry: false })
    if (info?.isDirectory() === true) return 'folder'
    return info?.isFile() === true ? info.size : null
  } catch {
    return null
  }
}

/** Whether a command line names what takes long to read: a large file, a folder, or all APIs of a project. */
export function readsMuch(argv: readonly string[], sizeOf: SizeOf = sizeOnDisk): boolean {
  const [command = ''] = argv
  if (lasting.has(command) || argv.includes('--watch')) return false
  if (command === 'check') return true
  return argv.slice(1).some((word) => {
    const size = word.startsWith('-') ? null : sizeOf(word)
    return size === 'folder' || (size !== null && size >= leastBytes)
  })
}

/** The runtime's part in replacing the process. */
interface Runtime {
  readonly isStandaloneExecutable: boolean
  readonly env: NodeJS.ProcessEnv
  readonly execPath: string
  readonly argv0: string
  /** Replaces this process; absent where the system cannot (Windows). */
  readonly execve?: (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => never
  /** Makes the compilers of this process wait so many times as long. */
  readonly postpone: (scale: number) => void
}

const runtime = (): Runtime => ({
  isStandaloneExecutable: Bun.isStandaloneExecutable,
  env: process.env,
  execPath: process.execPath,
  argv0: process.argv0,
  postpone: Bun.unsafe.setJITPolicy,
  ...(process.platform === 'win32' || process.execve === undefined ? {} : { execve: process.execve }),
})

/**
 * Starts the executable again with the settings where `argv` reads much, and does not return then. Otherwise, and in the
 * process that was started again, it returns; programs that a command starts never see the settings. Where `argv` reads little, as far
 * as its arguments tell, the compilers wait.
 */
export function settleCompiler(argv: readonly string[], at: Runtime = runtime(), sizeOf: SizeOf = sizeOnDisk): void {
  const { env, execve } = at
  const names = Object.keys(settings)
  if (names.some((name) => env[name] !== undefined)) {
    for (const name of names) delete env[name]
    // A check is divided among processes, and each of them reads little.
    if (at.isStandaloneExecutable && argv[0] === 'check') at.postpone(patience)
    return
  }
  if (!at.isStandaloneExecutable) return
  if (greeting.has(argv[0] ?? '')) return at.postpone(patience)
  if (readsMuch(argv, sizeOf)) execve?.(at.execPath, [at.argv0, ...argv], { ...env, ...settings })
  else if (!long.has(argv[0] ?? '') && !argv.includes('--watch') && !argv.includes('-')) at.postpone(patience)
}

/** Ends the patience of the compilers: what runs from now on may run often. Changes nothing where they did not wait. */
export const compileAgain = (): void => Bun.unsafe.setJITPolicy(1)
