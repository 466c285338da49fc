/** Translates what the drivers throw into the errors of the catalogue; anything else passes as it is. */
import { SvcError } from '../src/errors.ts'

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

const fileReasons: Record<string, string> = {
  EACCES: 'you have no permission to write there',
  EPERM: 'you have no permission to write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a part of the path is a file, not a folder',
  ENOENT: 'the folder does not exist and cannot be made',
  EISDIR: 'it is a folder, not a database file',
}

/** Why a system call on a file or folder failed, in words; undefined when the error is not one. */
export function describeFileFailure(error: unknown): string | undefined {
  return fileReasons[codeOf(error)]
}

/** What a failure of SQLite means to a person, or the error itself where it is not about the storage. */
export function translateSqliteFailure(error: unknown, path: string): unknown {
  const code = codeOf(error)
  const workspace = (reason: string) => new SvcError('workspace-unusable', { path, reason })
  const database = (reason: string) => new SvcError('database-unavailable', { reason })
  const reason = fileReasons[code]
  if (reason !== undefined) return workspace(reason)
  if (code.startsWith('SQLITE_CANTOPEN')) return workspace('its database file cannot be opened')
  if (code.startsWith('SQLITE_READONLY')) return workspace('its database file or folder is read-only')
  if (code === 'SQLITE_PERM' || code === 'SQLITE_AUTH') return workspace('you have no permission to write there')
  if (code === 'SQLITE_NOTADB') return workspace('the file is not a SQLite database')
  if (code.startsWith('SQLITE_CORRUPT')) return database(`the file ${path} is damaged; restore a backup`)
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE') return database(`the disk that holds ${path} is full`)
  if (code.startsWith('SQLITE_IOERR')) return database(`reading or writing ${path} failed (${code})`)
  if (code.startsWith('SQLITE_BUSY') || code === 'SQLITE_LOCKED')
    return database(`another process keeps ${path} locked; stop it or try again`)
  return error
}

const postgresReasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name does not resolve at the moment',
  CONNECT_TIMEOUT: 'the connection timed out',
  ETIMEDOUT: 'the connection timed out',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  CONNECTION_CLOSED: 'the connection was closed',
  CONNECTION_ENDED: 'the connection was closed',
  CONNECTION_DESTROYED: 'the connection was closed',
  '28000': 'it refuses this user',
  '28P01': 'it refuses this user or password',
  '3D000': 'there is no database of this name',
  '25006': 'it is read-only',
  '42501': 'this user lacks a privilege',
  '53100': 'its disk is full',
  '53200': 'it is out of memory',
  '53300': 'it has no connection left',
  '57P01': 'it is shutting down',
  '57P02': 'it is shutting down',
  '57P03': 'it is starting up',
}

/** Whether a text is a URL of Postgres (libpq, section 32.1.1.2), which names a host or leaves it to the parameters. */
export const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)

/** The address of a Postgres URL without its credentials. */
export function describeServer(url: string): string {
  if (!URL.canParse(url)) return 'the configured address'
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/** What a failure of Postgres means to a person; `server` is its address without credentials. */
export function translatePostgresFailure(error: unknown, server: string): unknown {
  const reason = postgresReasons[codeOf(error)]
  return reason ? new SvcError('database-unavailable', { reason: `Postgres at ${server}: ${reason}` }) : error
}

/** Whether a failed write broke a unique index or primary key. */
export function isUniqueViolation(error: unknown): boolean {
  return ['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(codeOf(error))
}

/** Whether an error of Postgres or its driver means that a connection that was there is gone. */
export function endsConnection(error: unknown): boolean {
  const code = codeOf(error)
  if (['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT', 'ECONNRESET', 'EPIPE'].includes(code))
    return true
  return (
    typeof error === 'object' &&
    error !== null &&
    'severity' in error &&
    /^(?:FATAL|PANIC)$/.test(String(error.severity))
  )
}

/** Whether Postgres asks to run the transaction again. */
export function isRepeatable(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

/** Whether SQLite or the file system answered that nothing can be written there: no permission, a read-only place, a full disk. */
export function isUnwritable(error: unknown): boolean {
  const code = codeOf(error)
  if (['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_PERM'].includes(code)) return true
  return ['SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_IOERR'].some((it) => code.startsWith(it))
}

/** Whether SQLite answered that another connection writes. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error)
  return code.startsWith('SQLITE_BUSY') || code === 'SQLITE_LOCKED'
}
