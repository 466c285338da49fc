/** What "svc doctor" looks at: each check says how it is and what to do about it. */
import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { describeFileFailure } from '../../db/failures.ts'
import { inspectDatabase } from '../../db/inspect.ts'
import type { DatabaseTarget } from '../../db/open.ts'
import type { Config } from '../../server/config.ts'
import { strayVariables } from '../../server/config.ts'
import { SvcError } from '../../src/errors.ts'

export type CheckStatus = 'pass' | 'warn' | 'fail'

export interface Check {
  readonly name: string
  readonly status: CheckStatus
  readonly message: string
  /** What to do; null where nothing needs doing. */
  readonly advice: string | null
}

const check = (name: string, status: CheckStatus, message: string, advice: string | null = null): Check => ({
  name,
  status,
  message,
  advice,
})

const reasonOf = (error: unknown): string =>
  describeFileFailure(error) ?? (error instanceof Error ? error.message : String(error))

/** The settings are readable (they are when this is called), and no SVC_ variable is misspelt. */
export const checkConfig = (config: Config, env: Readonly<Record<string, string | undefined>>): Check => {
  const from = config.file ?? 'variables and defaults'
  const stray = strayVariables(env)
  if (stray.length === 0) return check('config', 'pass', `every setting is valid (${from})`)
  const names = stray.map(({ name, near }) => (near === null ? name : `${name} (did you mean ${near}?)`))
  return check('config', 'warn', `unknown variable ${names.join(', ')}`, 'Correct the name or unset the variable.')
}

/** The nearest folder upward that exists. */
const existing = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder))

/** The workspace folder can be written to, or made. */
export const checkWorkspace = (folder: string): Check => {
  const base = existing(folder)
  const advice = `Make it writable for you, or name another folder with --workspace or SVC_WORKSPACE.`
  try {
    if (!statSync(base).isDirectory()) return check('workspace', 'fail', `${base} is a file, not a folder`, advice)
    if (base !== folder) {
      accessSync(base, constants.W_OK | constants.X_OK)
      return check('workspace', 'pass', `${folder} does not exist yet; the first use makes it`)
    }
    const probe = mkdtempSync(join(folder, '.doctor-'))
    try {
      writeFileSync(join(probe, 'probe'), 'x'.repeat(4096))
    } finally {
      rmSync(probe, { recursive: true, force: true })
    }
    return check('workspace', 'pass', `${folder} is writable`)
  } catch (error) {
    return check('workspace', 'fail', `${folder} cannot be written to: ${reasonOf(error)}`, advice)
  }
}

/** The database answers, is sound, and has the tables of this svc. */
export const checkDatabase = async (target: DatabaseTarget): Promise<Check> => {
  try {
    const { place, engine, isNew, pending, unknown, damage } = await inspectDatabase(target)
    const at = `${engine} at ${place}`
    if (damage.length > 0) {
      return check(
        'database',
        'fail',
        `${at} is damaged: ${damage.join('; ')}`,
        'Restore a backup: "svc backup restore".',
      )
    }
    if (isNew) return check('database', 'pass', `${at} is empty; the first use fills it`)
    const [newer] = unknown
    if (newer !== undefined) {
      const { message, hint } = new SvcError('database-newer', { migration: newer })
      return check('database', 'fail', message, hint)
    }
    if (pending.length === 0) return check('database', 'pass', `${at} is sound and up to date`)
    const todo = `${at} is sound; the next start applies ${pending.join(', ')}`
    return check('database', 'warn', todo, 'Create a backup first: "svc backup create".')
  } catch (error) {
    if (error instanceof SvcError) return check('database', 'fail', error.message, error.hint)
    return check('database', 'fail', reasonOf(error))
  }
}

/** The clock of this machine is no earlier than the release it runs: tokens and certificates depend on it. */
export const checkClock = (nowMs: number, releasedMs: number): Check =>
  nowMs < releasedMs
    ? check(
        'clock',
        'fail',
        `this machine says it is ${new Date(nowMs).toISOString()}, before this svc was made`,
        'Set the clock: sign-in and certificates fail if it is wrong.',
      )
    : check('clock', 'pass', `this machine says it is ${new Date(nowMs).toISOString()}`)

const mebibyte = 1024 ** 2

/** There is room where the workspace is. */
export const checkDisk = (folder: string): Check => {
  const base = existing(folder)
  try {
    const { bavail, bsize } = statfsSync(base)
    const freeMib = Math.floor((bavail * bsize) / mebibyte)
    const message = `${freeMib.toLocaleString('en')} MiB are free at ${base}`
    const advice = 'Free disk space, or move the workspace.'
    if (freeMib < 100) return check('disk', 'fail', message, advice)
    return freeMib < 1024 ? check('disk', 'warn', message, advice) : check('disk', 'pass', message)
  } catch (error) {
    return check('disk', 'warn', `the free space at ${base} cannot be read: ${reasonOf(error)}`)
  }
}

const listenFailure = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve((error as { code?: string }).code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })

/** How a host that a service listens on is written in a URL: loopback where it is every address. */
const reachableName = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

const answersAsSvc = async (host: string, port: number): Promise<boolean> => {
  const name = reachableName(host)
  const answers = async (path: string): Promise<boolean> => {
    try {
      const response = await fetch(`http://${name}:${port}${path}`, { signal: AbortSignal.timeout(2000) })
      return response.ok && (await response.text()).includes('"status"')
    } catch {
      return false
    }
  }
  // The port of agents has another address for the same question.
  return (await answers('/healthz')) || answers('/health')
}

/** `svc serve` could listen there, or does already. A port that is not required only warns where it is taken. */
export const checkPort = async (
  name: string,
  host: string,
  port: number,
  settingName: string,
  { isRequired = true }: { readonly isRequired?: boolean } = {},
): Promise<Check> => {
  const at = `${host}:${port}`
  if (port === 0) return check(name, 'pass', 'any free port is taken')
  const failure = await listenFailure(host, port)
  if (failure === null) return check(name, 'pass', `${at} is free`)
  if (failure === 'EADDRINUSE') {
    return (await answersAsSvc(host, port))
      ? check(name, 'pass', `svc is listening on ${at} already`)
      : check(
          name,
          isRequired ? 'fail' : 'warn',
          `another program is listening on ${at}${isRequired ? '' : '; agents can use /mcp of the service'}`,
          `End it, or choose another port with ${settingName}.`,
        )
  }
  const reasons: Readonly<Record<string, string>> = {
    EACCES: `no permission to listen on ${at}: ports below 1024 are reserved`,
    EADDRNOTAVAIL: `${host} is not an address of this machine`,
    ENOTFOUND: `the name ${host} does not resolve`,
  }
  return check(name, 'fail', reasons[failure] ?? `${at}: ${failure}`, `Choose another with ${settingName}.`)
}
