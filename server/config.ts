/** Reads the settings of a service from flags, variables and the configuration file, and says where each came from. */
import type { Json } from '../src/kernel/json.ts'
import { parseDocument } from '../src/document/parse.ts'
import { SvcError } from '../src/errors.ts'
import { durationExample, formatDuration, parseDuration } from '../src/kernel/duration.ts'
import { suggest } from '../src/kernel/suggest.ts'
import { issuerProblems } from './sign-in/issuer-settings.ts'
import { parseNetworks } from './egress/address.ts'
import { isPostgresUrl } from '../db/failures.ts'
import { readKeys } from './vault/keys.ts'
import { parseGitHosts } from './hosting/hosts.ts'
import { mailProblems } from './mail/settings.ts'
import { storageProblems } from './storage/settings.ts'
import { parseRoles, roles } from './settings/roles.ts'
import { readSchedule } from './webhooks/settings.ts'
import {
  clientSecretVariables,
  fileKeyOf,
  fileVariableOf,
  readSecretFile,
  rereadSecret,
} from './settings/secret-files.ts'
import { settings, type Setting, type SettingKey, type SettingValues } from './settings/settings.ts'

/** The configuration file as it was found. */
export interface ConfigFile {
  readonly path: string
  readonly text: string
}

/** Where a value came from: `flag` --port, `variable` SVC_PORT, `file` svc.config.yaml:3, or the default. */
export interface Source {
  readonly kind: 'flag' | 'variable' | 'file' | 'default'
  /** The name of the flag or variable, the file with its line; empty for a default. */
  readonly name: string
  /** The file of a secret that the variable or the setting names. */
  readonly secretFile?: string
}

export interface Config {
  /** A secret in a file is read again at each access, so that a replaced file holds without a restart. */
  readonly values: SettingValues
  readonly sources: Readonly<Record<SettingKey, Source>>
  readonly file: string | null
}

export interface ConfigInput {
  /** Values of the command line by key, as text; those not given are left out. */
  readonly flags?: Readonly<Partial<Record<SettingKey, string>>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly file: ConfigFile | null
  /** Called when the file of a secret, which was good, cannot be used any more; the last good secret stays. */
  readonly onSecretProblem?: (problem: string) => void
}

const keys = Object.keys(settings) as SettingKey[]
const flagOf = (key: SettingKey): string =>
  `--${key.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`).replace('.', '-')}`

type Read = { readonly value: unknown } | { readonly expected: string }

/** The value that `text` means for a setting, or what was expected instead. */
const readText = (setting: Setting, text: string): Read => {
  switch (setting.type) {
    case 'choice': {
      const near = suggest(text, setting.choices)
      const meant = near === null ? '' : `; did you mean ${near}?`
      return setting.choices.includes(text)
        ? { value: text }
        : { expected: `one of ${setting.choices.join(', ')}, not "${text}"${meant}` }
    }
    case 'switch':
      if (/^(true|yes|on|1)$/i.test(text)) return { value: true }
      return /^(false|no|off|0)$/i.test(text) ? { value: false } : { expected: `true or false, not "${text}"` }
    case 'duration': {
      const ms = parseDuration(text)
      return ms === null ? { expected: `${durationExample}, not "${text}"` } : { value: ms }
    }
    case 'quota':
    case 'integer': {
      if (setting.type === 'quota' && text === 'unlimited') return { value: null }
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
      const range = setting.max === Number.MAX_SAFE_INTEGER ? 'a whole number' : `${setting.min} to ${setting.max}`
      const more = setting.type === 'quota' ? ' or "unlimited"' : ''
      return value >= setting.min && value <= setting.max ? { value } : { expected: `${range}${more}, not "${text}"` }
    }
    case 'text':
    case 'path':
    case 'list': {
      const least = setting.minLength ?? 0
      // The text itself is not repeated: what has a least length is a secret.
      return text.length < least ? { expected: `at least ${least} characters` } : { value: text }
    }
  }
}

const asText = (setting: Setting, value: Json): string | null => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' && ['integer', 'quota', 'duration'].includes(setting.type)) return String(value)
  if (typeof value === 'boolean' && setting.type === 'switch') return String(value)
  if (Array.isArray(value) && setting.type === 'list' && value.every((it) => typeof it === 'string')) {
    return value.join(',')
  }
  return null
}

interface Entry {
  readonly value: Json
  readonly place: string
}

/** The settings that name files of secrets, with the variable of the secret. */
const fileKeys = new Map<string, SettingKey>(
  keys.filter((key) => (settings[key] as Setting).secret !== undefined).map((key) => [fileKeyOf(key), key]),
)

const isMap = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The entries of the file by key; problems for what is not a setting. */
const readFile = (file: ConfigFile, problems: string[]): Map<string, Entry> => {
  const document = parseDocument(file.text, { source: file.path })
  const found = new Map<string, Entry>()
  const lineAt = (path: readonly (string | number)[]): string =>
    `${file.path}:${document.locate(path, { key: true }).start.line + 1}`
  for (const it of document.problems.filter((problem) => problem.severity === 'error')) {
    // A file that holds nothing sets nothing.
    if (it.code !== 'empty-document') problems.push(`${file.path}:${it.range.start.line + 1}: ${it.message}`)
  }
  if (problems.length > 0 || document.value === null) return found
  if (!isMap(document.value)) {
    problems.push(`${file.path}:1: must be a map of settings`)
    return found
  }
  const visit = (map: { [key: string]: Json }, path: string[]): void => {
    for (const [name, value] of Object.entries(map)) {
      const at = [...path, name]
      const key = at.join('.')
      const isGroup = keys.some((it) => it.startsWith(`${key}.`))
      if (Object.hasOwn(settings, key) || fileKeys.has(key)) found.set(key, { value, place: lineAt(at) })
      else if (isGroup && isMap(value)) visit(value, at)
      else if (isGroup) problems.push(`${lineAt(at)}: ${key} must be a map of settings`)
      else {
        const known = [...keys, ...fileKeys.keys()]
        const near = suggest(key, known) ?? suggest(name, known)
        problems.push(`${lineAt(at)}: unknown setting "${key}"${near === null ? '' : `; did you mean "${near}"?`}`)
      }
    }
  }
  visit(document.value, [])
  return found
}

type Given = { readonly env: ConfigInput['env']; readonly entries: ReadonlyMap<string, Entry> }

/** The file that holds a secret, and who names it; null where none does. A secret that is given as well is a problem. */
function secretFileOf(key: SettingKey, { env, entries }: Given, problems: string[]): Source | null {
  const setting: Setting = settings[key]
  if (setting.secret === undefined) return null
  const name = fileVariableOf(setting.env)
  const variable = env[name]
  const entry = entries.get(fileKeyOf(key))
  const path = variable === undefined || variable === '' ? entry?.value : variable
  if (path === undefined) return null
  const source =
    path === variable ? { kind: 'variable' as const, name } : { kind: 'file' as const, name: entry?.place ?? '' }
  if (typeof path !== 'string' || path === '') {
    problems.push(`${source.name}: ${fileKeyOf(key)} must be the path of a file`)
    return null
  }
  const given = env[setting.env] ? setting.env : entries.get(key)?.place
  if (given !== undefined) problems.push(`${given} and ${source.name} cannot be set both; remove one of them`)
  return { ...source, secretFile: path }
}

/** Takes a setting from the file of its secret. */
function takeFile(
  key: SettingKey,
  source: Source,
  to: {
    readonly values: Record<string, unknown>
    readonly sources: Record<string, Source>
    readonly problems: string[]
    readonly onSecretProblem: (problem: string) => void
  },
): void {
  const { name, secretFile: path = '' } = source
  const accept = (text: string): string | null => {
    const read = readText(settings[key], text)
    return 'value' in read ? null : `it must have ${read.expected}`
  }
  const read = readSecretFile(path)
  const problem = 'text' in read ? accept(read.text) : read.problem
  to.sources[key] = source
  if (problem !== null) to.problems.push(`${name} names ${path}, which cannot be used: ${problem}`)
  if (problem !== null || !('text' in read)) return
  const report = (later: string): void =>
    to.onSecretProblem(`${name} names ${path}, which cannot be used: ${later}; the last good value stays`)
  const get = rereadSecret(path, read.text, accept, report)
  Object.defineProperty(to.values, key, { enumerable: true, get })
}

/**
 * The effective settings.
 * @throws SvcError `config-invalid` naming every problem with its place: flag, variable, or line of the file
 */
export const readConfig = ({ flags = {}, env, file, onSecretProblem = () => {} }: ConfigInput): Config => {
  const problems: string[] = []
  const entries = file === null ? new Map<string, Entry>() : readFile(file, problems)
  const values: Record<string, unknown> = {}
  const sources: Record<string, Source> = {}
  const take = (key: SettingKey, text: string, kind: Source['kind'], name: string): void => {
    const read = readText(settings[key], text)
    sources[key] = { kind, name }
    if ('value' in read) values[key] = read.value
    else problems.push(kind === 'file' ? `${name}: ${key} takes ${read.expected}` : `${name} takes ${read.expected}`)
  }
  for (const key of keys) {
    const setting: Setting = settings[key]
    const flag = flags[key]
    const variable = env[setting.env]
    const entry = entries.get(key)
    const inFile = flag === undefined ? secretFileOf(key, { env, entries }, problems) : null
    if (inFile !== null) takeFile(key, inFile, { values, sources, problems, onSecretProblem })
    else if (flag !== undefined) take(key, flag, 'flag', flagOf(key))
    else if (variable !== undefined && variable !== '') take(key, variable, 'variable', setting.env)
    else if (entry) {
      const text = asText(setting, entry.value)
      if (text === null) problems.push(`${entry.place}: ${key} takes no ${JSON.stringify(entry.value).slice(0, 40)}`)
      else take(key, text, 'file', entry.place)
    } else {
      values[key] = setting.type === 'quota' ? undefined : setting.default
      sources[key] = { kind: 'default', name: '' }
    }
  }
  checkNetworks(values, sources, problems)
  checkAddresses(values, sources, problems)
  checkSecretKeys(values, sources, problems)
  if (readSchedule(String(values['webhookSchedule'])) === null)
    problems.push(`${sources['webhookSchedule']?.name ?? ''} must be 1 to 50 durations of at most 7d, such as 0s,5s,5m`)
  if (parseRoles(String(values['roles'])) === null)
    problems.push(`${sources['roles']?.name ?? ''} must be roles with commas between them: ${roles.join(', ')}`)
  if (parseGitHosts(String(values['gitHosts'])) === null)
    problems.push(
      `${sources['gitHosts']?.name ?? ''} must be HOST=PROVIDER, where PROVIDER is github, gitlab or bitbucket`,
    )
  problems.push(...issuerProblems(values, (key) => sources[key]?.name ?? key))
  problems.push(...mailProblems(values, (key) => sources[key]?.name ?? key))
  problems.push(...storageProblems(values, env, (key) => sources[key]?.name ?? key))
  if (problems.length > 0) throw new SvcError('config-invalid', { problems })
  return { values: values as unknown as SettingValues, sources: sources as Config['sources'], file: file?.path ?? null }
}

const checkSecretKeys = (
  { secretKey }: Readonly<Record<string, unknown>>,
  sources: Readonly<Record<string, Source>>,
  problems: string[],
): void => {
  if (typeof secretKey !== 'string' || secretKey === '') return
  const { name = '' } = sources['secretKey'] ?? {}
  // The text is not repeated: a key with a typing error is almost a key.
  if (readKeys(secretKey) === null) problems.push(`${name} must be base64 of exactly 32 bytes for each key`)
}

const checkAddresses = (
  { databaseUrl, publicUrl }: Readonly<Record<string, unknown>>,
  sources: Readonly<Record<string, Source>>,
  problems: string[],
): void => {
  // The text is not repeated: it may hold a password.
  if (typeof databaseUrl === 'string' && databaseUrl !== '' && !isPostgresUrl(databaseUrl))
    problems.push(
      `${sources['databaseUrl']?.name ?? ''} must be a URL of Postgres such as postgres://user:password@host/database; without it svc uses SQLite in the folder of --workspace`,
    )
  if (typeof publicUrl === 'string' && publicUrl !== '' && !/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? ''))
    problems.push(
      `${sources['publicUrl']?.name ?? ''} must be a URL such as https://svc.example.com, not "${publicUrl}"`,
    )
}

const checkNetworks = (
  values: Readonly<Record<string, unknown>>,
  sources: Readonly<Record<string, Source>>,
  problems: string[],
): void => {
  for (const key of ['egressAllow', 'trustedProxies']) {
    for (const one of String(values[key] ?? '').split(',')) {
      try {
        parseNetworks(one)
      } catch {
        const name = sources[key]?.name ?? ''
        problems.push(`${name} must be networks such as 10.0.0.0/8 or fd00::/8, not "${one.trim()}"`)
      }
    }
  }
}

const redacted = '[redacted]'

/** A value as it may be shown: secrets are replaced, absent values empty. */
export const showValue = (key: SettingKey, value: unknown): string => {
  const setting: Setting = settings[key]
  if (value === undefined || value === null) return setting.type === 'quota' && value === null ? 'unlimited' : ''
  if (setting.secret === 'all') return redacted
  if (setting.secret === 'password') {
    return String(value)
      .replace(/^(\w+:\/\/[^:@/]*:)[^/]*@/, `$1${redacted}@`)
      .replace(/([?&]password=)[^&]*/, `$1${redacted}`)
  }
  return setting.type === 'duration' ? formatDuration(Number(value)) : String(value)
}

const isInEnvironment = ({ kind, secretFile }: Source): boolean => kind === 'variable' && secretFile === undefined

/** The standard variables for the telemetry libraries, which read them themselves: those that only a file sets. */
export const telemetryVariables = (config: Config): Record<string, string> =>
  Object.fromEntries(
    keys
      .filter((key) => key.startsWith('otel.') && !isInEnvironment(config.sources[key]) && config.values[key] !== null)
      .map((key) => [settings[key].env, String(config.values[key])]),
  )

// Variables of the command line itself.
const clientVariables = [
  ...clientSecretVariables,
  ...clientSecretVariables.map(fileVariableOf),
  'SVC_BASE_URL',
  'SVC_CACHE',
  'SVC_CONFIG',
  'SVC_DEBUG',
  'SVC_GATEWAY_PUBLIC_KEY',
  'SVC_GATEWAY_URL',
  'SVC_TENANT',
  'SVC_ROOT',
  'SVC_TIMEOUT',
  'SVC_ALLOW_HOSTS',
  'SVC_OFFLINE',
  'SVC_DEADLINE',
  'SVC_MAX_MEMORY',
]

/** The SVC_* variables that nothing reads, each with what was probably meant. */
export const strayVariables = (
  env: Readonly<Record<string, string | undefined>>,
  more: readonly string[] = [],
): { readonly name: string; readonly near: string | null }[] => {
  const files = [...fileKeys.values()].map((key) => fileVariableOf(settings[key].env))
  const known: string[] = [...keys.map((key) => settings[key].env), ...files, ...clientVariables, ...more]
  return Object.keys(env)
    .filter((name) => name.startsWith('SVC_') && !known.includes(name))
    .sort()
    .map((name) => ({ name, near: suggest(name, known) }))
}
