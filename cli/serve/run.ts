/** Runs a process of the service: what the commands that start one share. */
import { join } from 'node:path'
import { telemetryVariables } from '../../server/config.ts'
import { issuersOf } from '../../server/sign-in/issuer-settings.ts'
import { parseNetworks } from '../../server/egress/address.ts'
import { trustedAuthorities } from '../../server/egress/authorities.ts'
import { compatibilityOf } from '../../server/compatibility/settings.ts'
import { embeddingsOf } from '../../server/embeddings/settings.ts'
import { mailOf } from '../../server/mail/settings.ts'
import { hostingOf } from '../../server/hosting/settings.ts'
import { addressesOf } from '../../server/primitives/aliases.ts'
import { plansOf } from '../../server/license/plans.ts'
import { createLogger } from '../../server/operations/log.ts'
import { sampleSlug } from '../../server/sample/seed.ts'
import { readSchedule } from '../../server/webhooks/settings.ts'
import { defaultSchedule } from '../../server/webhooks/state.ts'
import { serve, type Server } from '../../server/serve.ts'
import { keySourceOf } from '../../server/vault/settings.ts'
import { parseRoles, type Role } from '../../server/settings/roles.ts'
import type { SettingKey } from '../../server/settings/settings.ts'
import type { Invocation } from '../declare.ts'
import { loadConfig } from '../configuration.ts'
import { version } from '../version.gen.ts'
import { storedTarget, workspaceFolder } from '../connection/workspace.ts'

/** How this program is called: run from its sources there is no `svc` on the path. */
const programName = (): string => (import.meta.dir.startsWith('/$bunfs') ? 'svc' : 'npm run -s svc --')

/** What is printed where nobody is served. */
const otherWelcome = ({ url }: Server, roles: ReadonlySet<Role>, describe: string): string =>
  `svc ${version} runs as ${[...roles].join(' and ')}; ${url}/readyz says whether it is ready\n\n  Workspace  ${describe}\n\nPress Ctrl-C to stop.\n`

function welcome(server: Server, describe: string): string {
  const { url, agentsUrl, setupLink, seeded } = server
  const next = [
    ['Application', `${url}/app/`],
    ...(seeded ? [['Sample page', `${url}/v1/swagger/local/${sampleSlug}/latest`]] : []),
    ...(agentsUrl === null ? [] : [['Agents', agentsUrl]]),
    ['Contract', `${url}/v1/openapi.json`],
    ['Workspace', describe],
  ]
  const width = Math.max(...next.map(([name = '']) => name.length)) + 2
  const lines = next.map(([name = '', value = '']) => `  ${name.padEnd(width)}${value}`)
  const claim =
    setupLink === null
      ? ''
      : `\nNo user has signed in yet. Create the first administrator (the link works once, for 30 minutes):\n  ${setupLink}\n`
  const tries = seeded
    ? `\nTry, in another terminal:\n${[
        `version list ${sampleSlug}`,
        `diff ${sampleSlug}@1.0.0 ${sampleSlug}@2.0.0`,
        'import auto FILE --publish public',
      ]
        .map((words) => `  ${programName()} ${words}\n`)
        .join('')}`
    : ''
  return `svc ${version} listens on ${url}\n\n${lines.join('\n')}\n${claim}${tries}\nPress Ctrl-C to stop.\n`
}

// The settings that have an option here, as their text.
const optionKeys = {
  host: 'host',
  port: 'port',
  'public-url': 'publicUrl',
  'database-url': 'databaseUrl',
  'log-level': 'logLevel',
  roles: 'roles',
} as const satisfies Readonly<Record<string, SettingKey>>

const flagsOf = (options: Readonly<Record<string, unknown>>): Partial<Record<SettingKey, string>> =>
  Object.fromEntries(
    Object.entries(optionKeys).flatMap(([name, key]) => {
      const value = options[name]
      return value === undefined ? [] : [[key, String(value)]]
    }),
  )

/**
 * Runs a process of the service until a signal ends it.
 * @param only the roles of the process whatever the settings say; null: theirs
 * @returns exit code 0, or 70 where something had to be cut off
 * @throws SvcError `config-invalid` and what `serve` throws
 */
export async function runService(invocation: Invocation, only: Role | null): Promise<{ readonly exitCode: 0 | 70 }> {
  const { options, env, cwd, io, signal } = invocation
  const flags = { ...flagsOf(options), ...(only === null ? {} : { roles: only }) }
  const config = loadConfig(invocation, flags, (reason) => logger.warn('a secret could not be read again', { reason }))
  const { values } = config
  // Anyone who watches a terminal wants to read what was printed, not a line for each request.
  const logger = createLogger({
    level: config.sources.logLevel.kind === 'default' && process.stderr.isTTY ? 'warn' : values.logLevel,
    write: (line) => void process.stderr.write(line),
  })
  const folder = workspaceFolder(values.workspace ?? undefined, env, cwd)
  const database = await storedTarget(values, env, folder, {
    currentUrl: () => values.databaseUrl ?? '',
    connections: {
      prepare: values['database.prepare'],
      poolSize: values['database.poolSize'],
      connectTimeoutMs: values['database.connectTimeout'],
    },
  })
  // The libraries of the traces read their variables themselves.
  Object.assign(process.env, telemetryVariables(config))
  // A file that is not there is reported now, not by the first delivery.
  await trustedAuthorities()
  const roles = parseRoles(values.roles) ?? new Set()
  if (!roles.has('web') && values.publicUrl === null)
    logger.warn('links in mail and reports lead to this process: set SVC_PUBLIC_URL as on the web processes')
  const server = await serve({
    database,
    roles,
    host: values.host,
    // Several processes on a machine are usual where only one of them has the address that people know.
    port: only !== null && config.sources.port.kind === 'default' ? 0 : values.port,
    publicUrl: values.publicUrl?.replace(/\/+$/, '') ?? null,
    publicUrlAliases: addressesOf(values.publicUrlAliases),
    egressAllow: parseNetworks(values.egressAllow),
    keys: keySourceOf(values, folder, database),
    hosting: hostingOf(values, folder),
    webhookSchedule: readSchedule(values.webhookSchedule) ?? defaultSchedule,
    drainTimeoutMs: values.drainTimeout,
    trustedProxies: parseNetworks(values.trustedProxies),
    get metricsToken() {
      return values.metricsToken
    },
    issuers: issuersOf(values),
    plans: plansOf(values),
    embeddings: embeddingsOf(values),
    mail: mailOf(values),
    compatibility: compatibilityOf(values),
    playground: values.playground,
    analysis: {
      processes: values['analysis.processes'],
      deadlineMs: values['analysis.deadline'],
      memoryMb: values['analysis.memoryMb'],
    },
    logger,
    environment: { ...env, ...telemetryVariables(config) },
    version,
    agents: values['mcp.enabled']
      ? {
          host: values['mcp.host'],
          port: values['mcp.port'],
          isRequired: config.sources['mcp.port'].kind !== 'default',
          hosts: values['mcp.allowedHosts'].split(/[\s,]+/).filter(Boolean),
          toolNames: values['mcp.toolNames'],
          secret: values['mcp.internalSecret'],
        }
      : null,
    setupFile: join(folder, 'setup-link'),
    sample: options['sample'] === true,
  })
  const where = database.kind === 'sqlite' ? folder : 'Postgres'
  await io.stdout(roles.has('web') ? welcome(server, where) : otherWelcome(server, roles, where))
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  return { exitCode: (await server.stop()) ? 0 : 70 }
}
