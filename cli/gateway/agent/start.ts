/** Puts an agent together from what the command was given. */
import { existsSync, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { readPublicKey } from '../../../src/host/signature.ts'
import { recipientOf, sha256Of } from '../../../src/gateway/release/digest.ts'
import { SvcError } from '../../../src/errors.ts'
import { causeOf } from '../../file-cause.ts'
import { version } from '../../version.gen.ts'
import { Agent } from './agent.ts'
import { runCommand } from './commands.ts'
import type { Engine } from '../../../src/gateway/engines/engine.ts'
import type { EngineName } from '../../../src/gateway/engines/index.ts'
import { besides, setupOf, writeEntry } from './engines.ts'
import { Folder } from './folder.ts'
import { lockFolder } from './lock.ts'
import { loadState, Releases, type Tell } from './releases.ts'
import { confirmRelease } from './probe.ts'
import { createService, type EngineReport } from './service.ts'
import { Shipper } from './ship.ts'
import { Spool } from './spool.ts'
import { watchOf } from './watch.ts'

export interface StartOptions {
  readonly url: string
  readonly key: string
  readonly dir: string
  readonly engine: EngineName
  readonly validate: string | undefined
  readonly reload: string | undefined
  readonly health: string | undefined
  readonly auditLog: string | undefined
  readonly accessLog: string | undefined
  readonly errorLog: string | undefined
  readonly publicKey: string | undefined
  readonly acceptOlder: boolean
  readonly keep: number
  readonly watchMs: number
  readonly spoolBytes: number
  readonly fromStart: boolean
  readonly timeoutMs: number
  readonly tell: Tell
}

export interface Started {
  readonly agent: Agent
  readonly releases: Releases
  stop(): void
}

const waitSeconds = 25
const graceMs = 10_000

/** The key that releases are signed with: the one that is given, else the one of an earlier start. */
function pinnedKey(given: string | undefined, folder: Folder, tell: Tell): string {
  const known = loadState(folder)?.publicKey ?? null
  const key = given?.trim() ?? known
  if (key === null)
    throw new SvcError('usage', {
      reason:
        'The first start needs --public-key (SVC_GATEWAY_PUBLIC_KEY), which the service shows when a gateway is added; the agent keeps it',
    })
  if (readPublicKey(key) === null)
    throw new SvcError('usage', { reason: '--public-key must be 32 bytes in base64, as the service shows it' })
  if (known !== null && known !== key) tell('public-key-replaced', {}, 'warn')
  return key
}

/** Without an address nothing but the reload says that a release is used: that has to be chosen. */
function healthOf(given: string | undefined, engine: Engine): string | null {
  if (given !== undefined && given !== '') {
    if (!/^https?:\/\//.test(given) || !URL.canParse(given))
      throw new SvcError('usage', { reason: `--health must be a URL such as http://127.0.0.1/healthz, not "${given}"` })
    return given
  }
  if (given === undefined && engine.probes)
    throw new SvcError('usage', {
      reason: `--engine ${engine.name} needs --health: an address of a site that the gateway protects, where the agent asks which release is in use; "" reports releases without asking`,
    })
  return null
}

async function engineReport({ name, version: command }: Engine): Promise<EngineReport> {
  const ran = command === null ? null : await runCommand(command, {}, 10_000)
  const found = ran?.ok === true ? /\d+\.\d+(?:\.\d+)?/.exec(ran.output)?.[0] : undefined
  return { kind: name, version: found ?? null, crs: null }
}

function openFolder(dir: string, engine: EngineName): Folder {
  const path = resolve(dir)
  if (/[\s"'\\`]/.test(path))
    throw new SvcError('usage', {
      reason: `--dir "${path}" must have no blanks, quotes or backslashes: engines include files from it`,
    })
  try {
    mkdirSync(path, { recursive: true, mode: 0o755 })
  } catch (error) {
    throw new SvcError('usage', { reason: `--dir "${path}" cannot be made: ${causeOf(error)}` })
  }
  return new Folder(path, besides(engine))
}

/**
 * @throws SvcError `usage`, `gateway-agent-running`
 */
export async function startAgent(options: StartOptions): Promise<Started> {
  const { tell } = options
  const setup = setupOf(options.engine, options)
  const { engine } = setup
  const health = healthOf(options.health, engine)
  const folder = openFolder(options.dir, options.engine)
  const unlock = lockFolder(folder)
  try {
    const publicKey = pinnedKey(options.publicKey, folder, tell)
    folder.prepare()
    const auditLog = resolve(options.auditLog ?? folder.at('audit.log'))
    writeEntry(folder, auditLog)
    for (const path of [options.accessLog, options.errorLog])
      if (path !== undefined && !existsSync(path)) tell('log-missing', { path }, 'warn')
    const releases = new Releases({
      folder,
      setup,
      publicKey,
      recipient: recipientOf(sha256Of(options.key)),
      acceptOlder: options.acceptOlder,
      run: runCommand,
      watch: watchOf({
        health,
        probes: engine.probes,
        errorLog: options.errorLog ?? null,
        fatal: engine.fatal,
        folder: folder.path,
        forMs: options.watchMs,
        everyMs: Math.min(1000, Math.max(20, options.watchMs / 10)),
        graceMs,
      }),
      keep: options.keep,
      now: Date.now,
      secrets: [options.key],
      tell,
    })
    const service = createService({
      url: options.url,
      key: options.key,
      timeoutMs: options.timeoutMs,
      userAgent: `svc-gateway/${version}`,
    })
    const shipper = new Shipper({
      folder,
      spool: new Spool(folder, options.spoolBytes),
      auditLog,
      accessLog: options.accessLog === undefined ? null : resolve(options.accessLog),
      fromStart: options.fromStart,
      tell,
    })
    const agent = new Agent({
      service,
      releases,
      shipper,
      engine: await engineReport(engine),
      tell,
      waitSeconds,
      logsEveryMs: 1000,
      random: Math.random,
      firstPauseMs: 1000,
      mostPauseMs: 60_000,
      confirm:
        health === null || !engine.probes ? null : (digest, signal) => confirmRelease(health, digest, 'DIR', signal),
    })
    return { agent, releases, stop: unlock }
  } catch (error) {
    unlock()
    throw error
  }
}
