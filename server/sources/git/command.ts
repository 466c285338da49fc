/** Runs the system's git as a program that can do nothing but read one repository. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { EgressProxy } from '../../egress/door.ts'
import type { GitAddress } from './address.ts'
import { inSpan } from '../../../src/kernel/span.ts'

/** Whose keys ssh may show: those of the person at this machine, or none. */
export type Identity = 'person' | 'none'

/** Where and how git runs. */
export interface GitPlace {
  /** The bare repository, and beside it the configuration. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** What is in no output: a server may repeat what it was sent. */
  readonly secrets: readonly string[]
  /** No one waits for it: it leaves the processor to those who are waited for. */
  readonly isPatient?: boolean
  readonly signal: AbortSignal
}

/** What of an Authorization header is secret: its credentials, and the password in them. */
function secretsIn(authorization: string | null): readonly string[] {
  const credentials = authorization?.split(' ').at(-1) ?? ''
  const password = Buffer.from(credentials, 'base64').toString('utf8').split(':').slice(1).join(':')
  return [credentials, password].filter((one) => one !== '')
}

export interface GitResult {
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
}

// Everything that a system, a user or a repository could make git run is off; what it may speak is in GIT_ALLOW_PROTOCOL.
const configuration = (proxy: EgressProxy): string => `[core]
	hooksPath = /dev/null
	fsmonitor = false
	askPass =
	attributesFile = /dev/null
	excludesFile = /dev/null
[credential]
	helper =
[http]
	proxy = ${proxy.url}
	proxyAuthMethod = basic
	lowSpeedLimit = 100
	lowSpeedTime = 30
[protocol]
	version = 2
[fetch]
	recurseSubmodules = false
[submodule]
	recurse = false
[gc]
	auto = 0
[maintenance]
	auto = false
[advice]
	detachedHead = false
`

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The ssh that goes through the guard: to a port of loopback, while the host key is that of the real host. */
function sshCommand(
  address: GitAddress & { readonly transport: 'ssh' },
  port: number,
  identity: Identity,
  folder: string,
): string {
  const alias = address.port === 22 ? address.host : `[${address.host}]:${address.port}`
  const options = [
    'HostName=127.0.0.1',
    `Port=${port}`,
    `HostKeyAlias=${alias}`,
    'CheckHostIP=no',
    'ProxyCommand=none',
    'ProxyJump=none',
    'BatchMode=yes',
    'ClearAllForwardings=yes',
    'ForwardAgent=no',
    'ForwardX11=no',
    'PermitLocalCommand=no',
    'ControlMaster=no',
    'ControlPath=none',
    'StrictHostKeyChecking=accept-new',
    'ConnectTimeout=20',
    ...(identity === 'person' ? [] : ['IdentityAgent=none', `UserKnownHostsFile=${join(folder, 'known_hosts')}`]),
  ]
  const config = identity === 'person' ? [] : ['-F', '/dev/null']
  return ['ssh', ...config, ...options.flatMap((option) => ['-o', option])].map(quoted).join(' ')
}

// GIT_CONFIG_*: neither an argument nor a file holds the token, and git sends it to this origin alone.
function variablesOf({ transport, url }: GitAddress, authorization: string | null): Record<string, string> {
  if (transport !== 'http' || authorization === null) return {}
  return {
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'http.followRedirects',
    GIT_CONFIG_VALUE_0: 'false',
    GIT_CONFIG_KEY_1: `http.${new URL(url).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_1: `Authorization: ${authorization}`,
  }
}

/** Prepares a place in which git can read `address` and nothing else. */
export async function prepareGit(
  folder: string,
  address: GitAddress,
  proxy: EgressProxy,
  options: {
    readonly identity: Identity
    readonly sshPort: number | null
    /** The Authorization header that is sent to the origin of the address. */
    readonly authorization?: string | null | undefined
    readonly signal: AbortSignal
  },
): Promise<GitPlace> {
  const config = join(folder, 'config.svc')
  await writeFile(config, configuration(proxy), { mode: 0o600 })
  const { identity, sshPort, signal } = options
  const own = process.env
  const person =
    identity === 'person' ? { HOME: own.HOME ?? folder, SSH_AUTH_SOCK: own.SSH_AUTH_SOCK ?? '' } : { HOME: folder }
  const env = {
    PATH: own.PATH ?? '/usr/bin:/bin',
    LC_ALL: 'C',
    ...person,
    XDG_CONFIG_HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: config,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_ALLOW_PROTOCOL: address.transport === 'ssh' ? 'ssh' : 'http:https',
    ...(address.transport === 'ssh' && sshPort !== null
      ? { GIT_SSH_VARIANT: 'ssh', GIT_SSH_COMMAND: sshCommand(address, sshPort, identity, folder) }
      : {}),
  }
  const authorization = options.authorization ?? null
  const secrets = secretsIn(authorization)
  return { folder, env: { ...env, ...variablesOf(address, authorization) }, secrets, signal }
}

// Git starts programs of its own: they are one group and end together.
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

function yieldTo({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already.
  }
}

/** Runs git to its end. Its output is bounded; an aborted signal ends it and all that it started. Rejects where it cannot be started. */
export const runGit = (
  place: GitPlace,
  args: readonly string[],
  options: { readonly stdin?: string; readonly maxBytes?: number } = {},
): Promise<GitResult> => {
  const name = `git ${args.find((word) => /^[a-z]/.test(word)) ?? ''}`.trim()
  return inSpan({ name, kind: 'client', isInner: true }, () => startGit(place, args, options))
}

function startGit(
  place: GitPlace,
  args: readonly string[],
  options: { readonly stdin?: string; readonly maxBytes?: number },
): Promise<GitResult> {
  const { folder, env, secrets, signal } = place
  const { stdin = '', maxBytes = 512 * 1024 * 1024 } = options
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const child = spawn('git', ['-C', folder, ...args], { env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    if (place.isPatient === true) yieldTo(child)
    const out: Buffer[] = []
    let size = 0
    let said = ''
    const abort = () => endGroup(child)
    signal.addEventListener('abort', abort, { once: true })
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > maxBytes) endGroup(child)
      else out.push(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.length < 20_000) said += chunk.toString('utf8')
    })
    child.on('error', (error) => {
      signal.removeEventListener('abort', abort)
      reject(error)
    })
    child.on('close', (code) => {
      signal.removeEventListener('abort', abort)
      if (signal.aborted) reject(signal.reason as Error)
      else {
        const stderr = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), said)
        resolve({ code: code ?? 1, stdout: Buffer.concat(out), stderr })
      }
    })
    child.stdin.on('error', () => {})
    child.stdin.end(stdin)
  })
}
