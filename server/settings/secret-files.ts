/** Secrets in files: every variable that holds a secret has a second one, NAME_FILE, that names a file with it. */
import { closeSync, openSync, readSync } from 'node:fs'
import { SvcError } from '../../src/errors.ts'

/** Variables of the command line that hold secrets; the settings of a service say it of themselves. */
export const clientSecretVariables = [
  'SVC_API_KEY',
  'SVC_CHAT_URL',
  'SVC_GATEWAY_KEY',
  'SVC_GIT_TOKEN',
  'SVC_ID_TOKEN',
  'SVC_MCP_API_KEY',
  'SVC_MCP_DATABASE_URL',
  'SVC_USER_PASSWORD',
  'SVC_WEBHOOK_SECRET',
] as const

/** The variable that names the file of a secret. */
export const fileVariableOf = (variable: string): string => `${variable}_FILE`

/** The setting in svc.config.{yaml,json} that names the file of a secret. */
export const fileKeyOf = (key: string): string => `${key}File`

const largestBytes = 64 * 1024

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'svc has no permission to read it',
  EPERM: 'svc has no permission to read it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its links lead in a circle',
}

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? (code === '' ? String(error) : `reading it failed (${code})`)
}

export type SecretRead = { readonly text: string } | { readonly problem: string }

/** Reads at most the largest secret: the path may lead to a device that never ends. */
function readStart(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(largestBytes + 1)
    let filled = 0
    for (let read = 1; read > 0 && filled < bytes.length; filled += read)
      read = readSync(file, bytes, filled, bytes.length - filled, null)
    return bytes.subarray(0, filled)
  } finally {
    closeSync(file)
  }
}

/**
 * The secret in a file, without the line breaks that editors and `echo` leave at its end.
 * @returns the secret, or why there is none; the text of the file is never part of that
 */
export function readSecretFile(path: string): SecretRead {
  try {
    const bytes = readStart(path)
    if (bytes.length > largestBytes) return { problem: `it has more than ${largestBytes} bytes, so it is no secret` }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/[\r\n]+$/, '')
    return text === '' ? { problem: 'it is empty' } : { text }
  } catch (error) {
    return { problem: error instanceof TypeError ? 'it is not a text in UTF-8' : reasonOf(error) }
  }
}

/**
 * A secret that may be replaced while the service runs: the file is read at each use. While it cannot be read, or is too
 * short, the last good secret stays.
 * @param accept why a text is no such secret; null where it is one
 * @param onProblem called once for each problem that begins
 */
export function rereadSecret(
  path: string,
  first: string,
  accept: (text: string) => string | null,
  onProblem: (problem: string) => void,
): () => string {
  let good = first
  let reported: string | null = null
  return () => {
    const read = readSecretFile(path)
    const problem = 'text' in read ? accept(read.text) : read.problem
    if ('text' in read && problem === null) good = read.text
    if (problem !== null && problem !== reported) onProblem(problem)
    reported = problem
    return good
  }
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * A variable that holds a secret, or what is in the file that its second variable names; empty without both.
 * @throws SvcError `config-invalid` where both are set, or the file cannot be used
 */
export function secretVariable(env: Env, variable: string): string {
  const given = env[variable] ?? ''
  const name = fileVariableOf(variable)
  const path = env[name] ?? ''
  if (path === '') return given
  const refuse = (problem: string) => new SvcError('config-invalid', { problems: [problem] })
  if (given !== '') throw refuse(`${variable} and ${name} cannot be set both; remove one of them`)
  const read = readSecretFile(path)
  if ('text' in read) return read.text
  throw refuse(`${name} names ${path}, which cannot be used: ${read.problem}`)
}

/**
 * The variables of the command line, with those that a file gives. Settings of a service are read where they are used.
 * @returns the same object where no file is named
 * @throws SvcError as `secretVariable` does
 */
export function withSecretFiles(env: Env): Env {
  const named = clientSecretVariables.filter((it) => (env[fileVariableOf(it)] ?? '') !== '')
  return named.length === 0
    ? env
    : { ...env, ...Object.fromEntries(named.map((variable) => [variable, secretVariable(env, variable)])) }
}
