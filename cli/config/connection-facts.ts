import { formatDuration, parseDuration } from '../../src/kernel/duration.ts'
import { workspaceFolder } from '../connection/workspace.ts'
import type { Invocation } from '../declare.ts'
import { globalOptions } from '../globals.ts'

/** A global option as it applies to this invocation. */
export interface ConnectionFact {
  /** The option without its dashes. */
  readonly option: string
  /** "" where it is not set. */
  readonly value: string
  readonly source: 'flag' | 'variable' | 'default'
  readonly variable: string
}

type Around = Pick<Invocation, 'globals' | 'env' | 'cwd'>

/** The service, organization, key and timeout that commands use here; the key is redacted. */
export function connectionFacts({ globals, env }: Around): ConnectionFact[] {
  const { baseUrl = '', tenant = '', apiKey, timeoutMs, given } = globals
  const values = {
    // An address may contain a password.
    'base-url': baseUrl.replace(/^(\w+:\/\/[^:@/]*:)[^/]*@/, '$1[redacted]@'),
    tenant,
    'api-key': apiKey === undefined ? '' : '[redacted]',
    timeout: formatDuration(timeoutMs),
  }
  const fromEnv = (option: keyof typeof values): boolean => {
    const text = env[globalOptions[option].env] ?? ''
    if (option === 'timeout') return text !== '' && parseDuration(text) === timeoutMs
    return text !== '' && text === { 'base-url': baseUrl, tenant, 'api-key': apiKey }[option]
  }
  return (Object.keys(values) as (keyof typeof values)[]).map((option) => {
    const named = fromEnv(option) ? 'variable' : 'flag'
    const source = given.includes(option) ? named : 'default'
    return { option, value: values[option], source, variable: globalOptions[option].env }
  })
}

/** The absolute path of the local workspace that commands use here; null where they use a service. */
export const workspaceInUse = ({ globals, env, cwd }: Around, configured: string | null): string | null =>
  globals.baseUrl === undefined ? workspaceFolder(configured ?? undefined, env, cwd) : null
