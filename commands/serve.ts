import { join } from 'node:path'
import { telemetryVariables } from '../server/config.ts'
import { issuersOf } from '../server/sign-in/issuer-settings.ts'
import { parseNetworks } from '../server/egress/address.ts'
import { trustedAuthorities } from '../server/egress/authorities.ts'
import { compatibilityOf } from '../server/compatibility/settings.ts'
import { embeddingsOf } from '../server/embeddings/settings.ts'
import { mailOf } from '../server/mail/settings.ts'
import { hostingOf } from '../server/hosting/settings.ts'
import { addressesOf } from '../server/primitives/aliases.ts'
import { plansOf } from '../server/license/plans.ts'
import { createLogger } from '../server/operations/log.ts'
import { sampleSlug } from '../server/sample/seed.ts'
import { readSchedule } from '../server/webhooks/settings.ts'
import { defaultSchedule } from '../server/webhooks/state.ts'
import { serve, type Server } from '../server/serve.ts'
import { keySourceOf } from '../server/vault/settings.ts'
import { settings, type SettingKey } from '../server/settings/settings.ts'
import { command } from '../cli/declare.ts'
import { loadConfig } from '../cli/configuration.ts'
import { version } from '../cli/version.gen.ts'
import { storedTarget, workspaceFolder } from '../cli/connection/workspace.ts'

/** How this program is called: run from its sources there is no `svc` on the path. */
const programName = (): string => (import.meta.dir.startsWith('/$bunfs') ? 'svc' : 'npm run -s svc --')

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
} as const satisfies Readonly<Record<string, SettingKey>>

const flagsOf = (options: Readonly<Record<string, unknown>>): Partial<Record<SettingKey, string>> =>
  Object.fromEntries(
    Object.entries(optionKeys).flatMap(([name, key]) => {
      const value = options[name]
      return value === undefined ? [] : [[key, String(value)]]
    }),
  )

export default command({
  summary: 'Start the service: REST API, web application and MCP endpoint',
  description:
    'Uses the same workspace as the other commands: what they import is served. With a database URL it uses Postgres, which several servers can share.',
  examples: ['svc serve', 'svc serve --port 0', 'SVC_DATABASE_URL=postgres://… svc serve --host 0.0.0.0'],
  arguments: [],
  // No defaults here: what is absent comes from the variables, the configuration file, the defaults of the settings.
  options: {
    host: { type: 'string', placeholder: 'HOST', summary: 'address to listen on (127.0.0.1; $SVC_HOST)' },
    port: { type: 'integer', min: 0, max: 65_535, summary: 'port; 0 chooses a free one (8080; $SVC_PORT)' },
    'public-url': {
      type: 'string',
      placeholder: 'URL',
      summary: 'public URL of the service ($SVC_PUBLIC_URL)',
    },
    'database-url': {
      type: 'string',
      placeholder: 'URL',
      summary: 'postgres:// URL (safer in $SVC_DATABASE_URL: other users can see command lines)',
    },
    'log-level': {
      type: 'string',
      placeholder: 'LEVEL',
      choices: settings.logLevel.choices,
      summary: 'minimum log level of the JSON log on standard error (info; warn on a terminal; $SVC_LOG_LEVEL)',
    },
    sample: { type: 'boolean', summary: 'add a sample project to an empty workspace' },
  },
  graceful: true,
  async run(invocation) {
    const { options, env, cwd, io, signal } = invocation
    const config = loadConfig(invocation, flagsOf(options), (reason) =>
      logger.warn('a secret could not be read again', { reason }),
    )
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
    const server = await serve({
      database,
      host: values.host,
      port: values.port,
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
      sample: options.sample,
    })
    await io.stdout(welcome(server, database.kind === 'sqlite' ? folder : 'Postgres'))
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    return { exitCode: (await server.stop()) ? 0 : 70 }
  },
})
