/** The command of a local server: which package it runs, and its arguments without secrets. */
import { isPlaceholder, looksSecret, secretName } from './secrets.ts'
import { decodedOrSame } from '../kernel/text.ts'

/** What stays where a secret was. */
export const droppedMark = '<dropped>'

const addresses = /[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"']+/gi

/** Whether a user in a URL is a secret or comes with one. That of ssh without a password is the name of an account: "git". */
const isSecretUser = (scheme: string, user: string): boolean =>
  !user.split(':').every(isPlaceholder) && (user.includes(':') || !/^(?:git\+)?ssh$|^sftp$/i.test(scheme))

const isPublicParameter = (pair: string): boolean => {
  const [name = '', value = ''] = pair.split(/=(.*)/s)
  return isPlaceholder(value) || !(secretName(decodedOrSame(name)) || looksSecret(decodedOrSame(value)))
}

function withoutSecretParts(address: string): string {
  const [, scheme = '', user = '', place = '', query = '', fragment = ''] =
    /^([^:]*):\/\/(?:([^/?#]*)@)?([^?#]*)(\?[^#]*)?(.*)$/s.exec(address) ?? []
  const kept = query === '' ? [] : query.slice(1).split('&').filter(isPublicParameter)
  const login = user === '' || isSecretUser(scheme, user) ? '' : `${user}@`
  return `${scheme}://${login}${place}${kept.length === 0 ? '' : `?${kept.join('&')}`}${fragment}`
}

/** A text whose URLs, of a service, a database or anything else, have no user, no password, and no values of secret parameters. */
export const withoutUrlSecrets = (text: string): string => text.replaceAll(addresses, withoutSecretParts)

const settings = /(?<=^|[;,\s=])([A-Za-z][\w-]*(?: [A-Za-z]+)?)=([^;,\s]+)/g

/** A connection string without the values of its secret settings: "Server=db;Password=x", "host=db password=x". */
const withoutSecretSettings = (text: string): string =>
  text.replaceAll(settings, (whole, name: string, value: string) =>
    secretName(name) && !isPlaceholder(value) ? `${name}=${droppedMark}` : whole,
  )

/** Arguments without secrets, and the positions from which one was taken. */
export interface CleanArguments {
  readonly args: readonly string[]
  readonly dropped: readonly number[]
}

const variable = /^(-e|--env=)?([A-Za-z_]\w*)=(.*)$/s

/**
 * The value of one argument without a secret: "--token=x", "KEY=x", "Authorization: Bearer x", a URL, a connection string, or a secret
 * itself.
 * @param isVariable whether it is a variable of the environment: every value of one is dropped, its name need not say that it is secret
 */
function clean(arg: string, isVariable: boolean): string {
  const text = withoutUrlSecrets(arg)
  const [, option = '', variableName = '', variableValue = ''] = variable.exec(text) ?? []
  if ((isVariable || option !== '' || /^[A-Z][A-Z0-9_]*$/.test(variableName)) && !isPlaceholder(variableValue))
    return `${option}${variableName}=${droppedMark}`
  const pair = /^(-{0,2}[\w.-]+)(=)(.*)$/s.exec(text) ?? /^([\w-]+)(:\s*)(.+)$/s.exec(text)
  if (pair === null) return looksSecret(text) ? droppedMark : withoutSecretSettings(text)
  const [, name = '', between = '', value = ''] = pair
  const isSecret = !isPlaceholder(value) && (secretName(name) || looksSecret(value))
  return isSecret ? `${name}${between}${droppedMark}` : withoutSecretSettings(text)
}

/** Takes secrets out of the arguments of a command; an option whose name says "secret" takes the argument behind it along. */
export function withoutSecrets(args: readonly string[]): CleanArguments {
  const dropped: number[] = []
  const kept = args.map((arg, at) => {
    const before = args[at - 1] ?? ''
    const follows = /^--?[A-Za-z]/.test(before) && !before.includes('=') && secretName(before)
    const isVariable = before === '-e' || before === '--env'
    const cleaned = follows && !arg.startsWith('-') && !isPlaceholder(arg) ? droppedMark : clean(arg, isVariable)
    if (cleaned !== arg) dropped.push(at)
    return cleaned
  })
  return { args: kept, dropped }
}

/** A package that a command runs. */
export interface CommandPackage {
  readonly registry: 'npm' | 'pypi' | 'oci'
  readonly identifier: string
  readonly version: string | null
}

const npmOf = (text: string): CommandPackage => {
  const [, identifier = text, version = null] = /^(@?[^@]+)(?:@(.+))?$/.exec(text) ?? []
  return { registry: 'npm', identifier, version }
}

const pypiOf = (text: string): CommandPackage => {
  const [, identifier = text, version = null] = /^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?(?:(?:==|@)(.+))?$/.exec(text) ?? []
  return { registry: 'pypi', identifier, version }
}

/** An image without its tag or digest, and without the registry that is meant if none is named. */
export const imageOf = (text: string): CommandPackage => {
  const [name = text, digest] = text.split('@')
  const [, identifier = name, tag = null] = /^(.*?)(?::([^:/]+))?$/.exec(name) ?? []
  return {
    registry: 'oci',
    identifier: identifier.replace(/^(?:docker\.io|index\.docker\.io)\//, '').replace(/^library\//, ''),
    version: digest ?? tag,
  }
}

// Options of "docker run" that take no value.
const dockerSwitches = /^(?:-[idtP]+|--(?:rm|init|interactive|tty|detach|privileged|read-only|no-healthcheck))$/

function dockerImage(args: readonly string[]): CommandPackage | null {
  const from = args.indexOf('run')
  if (from === -1) return null
  for (let at = from + 1; at < args.length; at++) {
    const arg = args[at] as string
    if (!arg.startsWith('-')) return imageOf(arg)
    if (!arg.includes('=') && !dockerSwitches.test(arg)) at += 1
  }
  return null
}

const first = (args: readonly string[]): string | undefined => args.find((it) => !it.startsWith('-'))
const option = (args: readonly string[], names: readonly string[]): string | undefined => {
  const at = args.findIndex((it) => names.some((name) => it === name || it.startsWith(`${name}=`)))
  const found = args[at]
  if (found === undefined) return undefined
  return found.includes('=') ? found.slice(found.indexOf('=') + 1) : args[at + 1]
}

/** The package that a command runs: of npx and its like, uvx, pipx, docker; null for a program of the machine. */
export function packageOfCommand(command: string, args: readonly string[]): CommandPackage | null {
  const program = (command.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:exe|cmd)$/i, '').toLowerCase()
  if (program === 'cmd' && /^\/c$/i.test(args[0] ?? '')) return packageOfCommand(args[1] ?? '', args.slice(2))
  if (['npx', 'bunx', 'pnpx'].includes(program)) {
    const name = option(args, ['-p', '--package']) ?? first(args)
    return name === undefined ? null : npmOf(name)
  }
  if (['npm', 'pnpm', 'yarn', 'bun'].includes(program) && /^(?:exec|dlx|x)$/.test(args[0] ?? ''))
    return packageOfCommand('npx', args.slice(1))
  if (program === 'uvx' || program === 'pipx' || (program === 'uv' && args[0] === 'tool')) {
    const rest = program === 'uvx' ? args : args.slice(args.indexOf('run') + 1)
    const name = option(rest, ['--from', '--spec']) ?? first(rest)
    return name === undefined || /[:/]/.test(name) ? null : pypiOf(name)
  }
  return ['docker', 'podman', 'nerdctl'].includes(program) ? dockerImage(args) : null
}

/** The key of a package: as package URLs have it, without a version. */
export const packageKey = (registry: string, identifier: string): string => {
  const kind = registry.toLowerCase()
  if (kind === 'oci' || kind === 'docker') return `pkg:oci/${imageOf(identifier).identifier}`
  return `pkg:${kind}/${kind === 'pypi' ? identifier.toLowerCase().replaceAll(/[-_.]+/g, '-') : identifier}`
}
