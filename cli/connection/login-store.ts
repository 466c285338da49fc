/** Where the command line keeps its sign-ins: one file for each service, readable by their owner alone. */
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { replaceFile } from '../../server/disk/door.ts'
import { SvcError } from '../../src/errors.ts'
import { causeOf, codeOf } from '../file-cause.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A sign-in at one service. */
export interface StoredLogin {
  readonly baseUrl: string
  readonly email: string
  /** The tenant to work in where none is named. */
  readonly tenant: string | null
  readonly accessToken: string
  /** ISO 8601. */
  readonly accessExpiresAt: string
  readonly refreshToken: string
  readonly refreshExpiresAt: string
}

/** How long a lock is trusted; anyone who held it longer has died. */
const lockLifeMs = 30_000
const lockPollMs = 40

/** The folder of the program's own settings (XDG Base Directory Specification: relative paths are skipped). */
function configFolder(env: Env): string {
  const named = env.XDG_CONFIG_HOME
  if (named !== undefined && isAbsolute(named)) return join(named, 'svc')
  return join(env.HOME ?? homedir(), '.config', 'svc')
}

/** The file of a service: its host, for people, and a digest of its whole address. */
export function loginPath(env: Env, baseUrl: string): string {
  const host = new URL(baseUrl).host.replaceAll(/[^\w.-]/g, '_')
  const digest = createHash('sha256').update(baseUrl).digest('hex').slice(0, 12)
  return join(configFolder(env), 'credentials', `${host}-${digest}.json`)
}

const fields = [
  'baseUrl',
  'email',
  'accessToken',
  'accessExpiresAt',
  'refreshToken',
  'refreshExpiresAt',
] as const satisfies readonly (keyof StoredLogin)[]

/** The sign-in of a file; null where there is none, or none that can be read as one. */
export function readLogin(path: string): StoredLogin | null {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<keyof StoredLogin, unknown>> | null
    const isWhole = value !== null && fields.every((name) => typeof value[name] === 'string')
    return isWhole ? ({ ...value, tenant: value.tenant ?? null } as StoredLogin) : null
  } catch {
    return null
  }
}

const unwritable = (path: string, error: unknown): SvcError =>
  new SvcError('file-unwritable', { name: path, reason: causeOf(error) })

function makeFolder(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  chmodSync(dirname(path), 0o700)
}

/**
 * Keeps a sign-in: whole or not at all, and never readable by others, not even for a moment.
 * @throws SvcError `file-unwritable`
 */
export function writeLogin(path: string, login: StoredLogin): void {
  try {
    makeFolder(path)
    replaceFile(path, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** Forgets a sign-in; nothing happens where there is none. */
export const removeLogin = (path: string): void => rmSync(path, { force: true })

function tryLock(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw unwritable(lock, error)
  }
  try {
    if (Date.now() - statSync(lock).mtimeMs > lockLifeMs) rmSync(lock, { force: true })
  } catch {
    // Let go of meanwhile.
  }
  return false
}

/**
 * Runs work while no other process does the same for this file: a refresh token is good once, so that of two processes
 * only one may show it.
 * @throws SvcError `usage` where the folder cannot be written to
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`
  makeFolder(path)
  while (!tryLock(lock)) await new Promise((resolve) => setTimeout(resolve, lockPollMs))
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}
