import { dirname } from 'node:path'
import { sql } from 'drizzle-orm'
import { SvcError } from '../src/errors.ts'
import { clockOf } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { openDatabase, type DatabaseTarget } from '../db/open.ts'
import { defaultConnections } from '../db/pooler.ts'
import { observeStatements } from '../db/statements.ts'
import { assertStorage } from '../db/objects/probe.ts'
import { tenants } from '../db/tables.gen.ts'
import { type Role, roles as allRoles } from './settings/roles.ts'
import type { ToolNames } from '../mcp/server.ts'
import { createAgents, listenForAgents, type Agents } from './agents.ts'
import { createService, type Service } from './app.ts'
import type { PoolOptions } from './analysis/pool.ts'
import { issueSetupToken, removeSetupFile, setupLink, writeSetupFile } from './sign-in/setup.ts'
import type { CompatibilitySettings } from './compatibility/check.ts'
import type { IssuerSettings } from './sign-in/issuer-settings.ts'
import type { Network } from './egress/address.ts'
import type { EmbeddingSettings } from './embeddings/provider.ts'
import type { HostingSettings } from './hosting/hosting.ts'
import type { MailSettings } from './mail/settings.ts'
import type { Plans } from './license/plans.ts'
import type { Observe } from './http/observe.ts'
import { listen, type Listener } from './http/listen.ts'
import type { Answered } from './http/mount.ts'
import { failingForMs } from './loop/door.ts'
import { releaseNotifier } from './gateway/release-notifier.ts'
import { createDrain, type Drain } from './operations/drain.ts'
import type { Logger } from './operations/log.ts'
import { countServerStates, showServers } from './mcp-servers/metrics.ts'
import { readBacklog, showBacklog } from './operations/backlog.ts'
import { showCaches } from './operations/caches.ts'
import { createMetrics, type Metrics } from './operations/metrics.ts'
import { operationsHandler } from './operations/mount.ts'
import { noteWith, observeWith } from './operations/observe.ts'
import { showStorage } from './operations/storage.ts'
import { traceWith } from '../src/kernel/span.ts'
import { startTracing, type Tracing } from './operations/tracing.ts'
import { watchLoop } from './operations/watchdog.ts'
import { seedSample } from './sample/seed.ts'
import { KeyRing, type KeySource } from './vault/keys.ts'
import { assertKeyForSecrets } from './vault/vault.ts'
import { ensureLocalTenant } from './auth/local-tenant.ts'

/** When large documents begin to be rendered for their first readers. */
const prepareAfterMs = 1000

export interface ServeOptions {
  readonly database: DatabaseTarget
  /** What this process does; everything when omitted. */
  readonly roles?: ReadonlySet<Role>
  readonly host: string
  readonly port: number
  /** Null: the address it listens on. */
  readonly publicUrl: string | null
  /** Former public addresses. */
  readonly publicUrlAliases?: readonly string[]
  readonly egressAllow: readonly Network[]
  /** The keys of stored secrets; none when omitted. */
  readonly keys?: KeySource
  /** Longest wait for requests and jobs under way when it stops; 15 seconds when omitted. */
  readonly drainTimeoutMs?: number
  /** Proxies whose X-Forwarded-For is trusted; none when omitted. */
  readonly trustedProxies?: readonly Network[]
  /** What /metrics requires; null: it answers this machine only. */
  readonly metricsToken?: string | null
  /** The plans with what the operator changed in them. */
  readonly plans?: Plans
  /** The identity provider that people sign in with, and the issuers whose access tokens are accepted. */
  readonly issuers?: IssuerSettings
  /** The provider of semantic search. */
  readonly embeddings?: EmbeddingSettings | null
  /** The mail server. */
  readonly mail?: MailSettings | null
  readonly compatibility?: CompatibilitySettings
  /** The processes that documents are analysed in; this one when omitted. */
  readonly analysis?: PoolOptions
  /** The pause before each attempt of a webhook delivery, in milliseconds. */
  readonly webhookSchedule?: readonly number[]
  /** The hosts of git repositories that the operator mapped to providers. */
  readonly hosting?: HostingSettings
  readonly logger: Logger
  /** For the OTEL_* variables. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** The port for agents in addition to /mcp of the service; omitted: /mcp alone; null: agents are not served. */
  readonly agents?: {
    readonly host: string
    readonly port: number
    /** The port was configured: when it cannot be opened the server does not start. */
    readonly isRequired: boolean
    readonly hosts: readonly string[]
    readonly toolNames: ToolNames
    /** Seals the cursors of agents; the same for all replicas. Null: one of this process alone. */
    readonly secret: string | null
  } | null
  /** Whether /play is served; it is when omitted. */
  readonly playground?: boolean
  /** The file that the set-up link is written to, for those who cannot see the terminal. */
  readonly setupFile: string
  /** Seed an empty workspace with the sample project. */
  readonly sample: boolean
}

/** A running server. */
export interface Server {
  readonly url: string
  /** Where agents connect: their own port where it could be opened, otherwise /mcp of the service. */
  readonly agentsUrl: string | null
  /** The link that makes the first user; null when there is one. */
  readonly setupLink: string | null
  /** Whether the sample project was added at this start. */
  readonly seeded: boolean
  /** Finishes running requests, gives jobs back, closes everything. False when something had to be cut off. */
  stop(): Promise<boolean>
}

/** What the parts of a server share. */
interface Shared {
  readonly options: ServeOptions
  readonly db: Database
  readonly metrics: Metrics
  readonly tracing: Tracing | null
  readonly observe: Observe
  readonly onFault: (fault: unknown, where: string) => void
}

const rolesOf = ({ roles }: Pick<ServeOptions, 'roles'>): ReadonlySet<Role> => roles ?? new Set(allRoles)

const answersOf = (roles: ReadonlySet<Role>): Answered => {
  if (roles.has('web')) return 'all'
  return roles.has('gateway') ? 'gateways' : 'none'
}

function openService({ options, db, metrics, tracing, observe, onFault }: Shared, publicUrl: () => string): Service {
  const { logger } = options
  return createService({
    db,
    publicUrl,
    publicUrlAliases: options.publicUrlAliases ?? [],
    secureCookies: options.publicUrl?.startsWith('https:') ?? false,
    ...(options.publicUrl === null ? {} : { issuer: options.publicUrl }),
    egressAllow: options.egressAllow,
    ...(options.keys === undefined ? {} : { keys: options.keys }),
    trustedProxies: options.trustedProxies ?? [],
    ...(options.webhookSchedule === undefined ? {} : { webhookSchedule: options.webhookSchedule }),
    ...(options.hosting === undefined ? {} : { hosting: options.hosting }),
    ...(options.plans === undefined ? {} : { plans: options.plans }),
    ...(options.issuers === undefined ? {} : { issuers: options.issuers }),
    embeddings: options.embeddings ?? null,
    mail: options.mail ?? null,
    ...(options.compatibility === undefined ? {} : { compatibility: options.compatibility }),
    ...(options.analysis === undefined ? {} : { analysis: options.analysis }),
    ...(options.playground === undefined ? {} : { playground: options.playground }),
    answers: answersOf(rolesOf(options)),
    works: rolesOf(options).has('worker'),
    setupFile: options.setupFile,
    onIssuerFailure: (issuer, reason) => logger.warn('identity provider failed', { issuer, reason }),
    observe,
    note: noteWith({ logger, metrics }),
    isTraced: tracing !== null,
    version: options.version,
    onFault,
    onJobEnded: (ended) => metrics.jobEnded(ended),
  })
}

function openAgents({ options, observe, onFault }: Shared, service: Service): Agents {
  const publicHost = options.publicUrl === null ? null : URL.parse(options.publicUrl)?.hostname
  return createAgents({
    service,
    version: options.version,
    toolNames: options.agents?.toolNames ?? 'dots',
    secret: options.agents?.secret ?? null,
    hosts: [options.host, publicHost ?? '', ...(options.agents?.hosts ?? [])].filter(Boolean),
    observe,
    onFault,
  })
}

/** Longer than a server of Postgres needs to start again. */
const longestFailureMs = 30_000

/** @throws Error where work that waits cannot be taken for too long */
const assertWorks = async (): Promise<void> => {
  const failed = failingForMs()
  if (failed > longestFailureMs) throw new Error(`nothing that waits could be taken for ${Math.round(failed / 1000)} s`)
}

/**
 * Answers the requests of a socket. The order: the operators' addresses, agents, then the service (public documents from
 * memory, the declared operations, the application).
 */
function answerWith(
  { options, db, metrics }: Shared,
  parts: { readonly service: Service; readonly agents: Agents; readonly drain: Drain },
): Parameters<typeof listen>[2] {
  const { service, agents, drain } = parts
  const operations = operationsHandler({
    version: options.version,
    metrics,
    logger: options.logger,
    isDraining: () => drain.isDraining,
    metricsToken: () => options.metricsToken ?? null,
    checks: {
      database: () =>
        db.read
          .select({ one: sql<number>`1` })
          .from(tenants)
          .limit(1),
      // Pages that need no document answer without it, in every replica: a load balancer must not take all of them away.
      ...(db.objects === null ? {} : { storage: () => assertStorage(db.objects) }),
      ...(rolesOf(options).has('worker') ? { jobs: assertWorks } : {}),
    },
    partial: new Set(['storage']),
  })
  const asAgent = options.agents === null || !rolesOf(options).has('web') ? () => null : agents.handle
  return (request, peerOf) => operations(request, peerOf) ?? asAgent(request) ?? service.handle(request, peerOf)
}

/**
 * Opens the port for agents. One that was not configured may be taken by another process: a second server on the machine is
 * no mistake.
 */
function listenToAgents(agents: Agents, options: ServeOptions): Listener | null {
  const { agents: wanted, version, logger } = options
  if (!wanted || !rolesOf(options).has('web')) return null
  try {
    return listenForAgents(agents, version, wanted.host, wanted.port)
  } catch (error) {
    if (wanted.isRequired || !(error instanceof SvcError)) throw error
    logger.warn('agents are served at /mcp only', { reason: error.message })
    return null
  }
}

/** Creates the link for the first user, and writes it to the file; null when there is a user. */
async function publishSetupLink(service: Service, url: string, { setupFile, logger }: ServeOptions) {
  let token: string | null
  try {
    token = await issueSetupToken(service.identity)
  } catch (error) {
    // A full disk stops no reader.
    if (!(error instanceof SvcError)) throw error
    if (service.deps.db.readOnly === null) logger.warn('the set-up link could not be made', { reason: error.message })
    return null
  }
  if (token === null) {
    removeSetupFile(setupFile)
    return null
  }
  const link = setupLink(url, token)
  try {
    writeSetupFile(setupFile, link)
  } catch (error) {
    // The link is printed as well: a folder that cannot be written to must not stop a service on Postgres.
    logger.warn('the set-up link could not be written', { path: setupFile, error })
  }
  return link
}

/** A running server that answers no person. */
const otherServer = (url: string, drain: Drain): Server => ({
  url,
  agentsUrl: null,
  setupLink: null,
  seeded: false,
  stop: () => drain.stop(),
})

/** What the metrics say of where the data is. */
const storageOf = (target: DatabaseTarget) =>
  target.kind === 'sqlite'
    ? { poolSize: null, folder: dirname(target.path) }
    : { poolSize: (target.connections ?? defaultConnections).poolSize, folder: null }

/**
 * Opens the database, listens, and starts working at jobs.
 * @throws SvcError `workspace-unusable`, `database-unavailable`, `database-newer`, `port-unavailable`
 */
export async function serve(options: ServeOptions): Promise<Server> {
  const { logger, version, environment } = options
  const db = await openDatabase(options.database)
  if (db.readOnly !== null) logger.warn('the database cannot be written: only reading works', { reason: db.readOnly })
  if (db.dialect === 'postgres') await assertKeyForSecrets(db, new KeyRing(options.keys ?? { kind: 'none' }))
  const local = await ensureLocalTenant(db, clockOf().now())
  const [metrics, tracing] = await Promise.all([createMetrics(version), startTracing(environment, version)])
  traceWith(tracing)
  const onFault = (fault: unknown, where: string) => logger.error('fault', { request_id: where, error: fault })
  const shared: Shared = { options, db, metrics, tracing, observe: observeWith({ logger, metrics, tracing }), onFault }
  let listener: Listener | null = null
  let agentsListener: Listener | null = null
  const fallbackUrl = `http://${options.host}:${options.port}`
  const publicUrl = () => options.publicUrl ?? listener?.url ?? fallbackUrl
  const service = openService(shared, publicUrl)
  const watch = watchLoop(({ ms, cpuMs, operations }) => {
    metrics.stalled({ operation: operations[0] ?? 'none', seconds: ms / 1000 })
    logger.warn('the event loop was blocked', { stall_ms: ms, cpu_ms: cpuMs, operations: operations.join(', ') })
  }, metrics.loopLooked)
  showCaches(metrics, service.analysisLoad)
  showServers(metrics, () => countServerStates(service.deps.db.read))
  showBacklog(metrics, () => readBacklog(db, clockOf().now()))
  showStorage(metrics, storageOf(options.database))
  observeStatements(metrics.statementEnded)
  const agents = openAgents(shared, service)
  const graceMs = options.drainTimeoutMs ?? 15_000
  const drain = createDrain({
    logger,
    announceMs: 0,
    graceMs,
    steps: [
      { name: 'analyses', run: async () => void setTimeout(() => service.hurry(), graceMs / 3).unref() },
      { name: 'gateways', run: async () => releaseNotifier(db).close() },
      { name: 'http', run: () => Promise.all([listener?.stop(), agentsListener?.stop()]) },
      { name: 'agents', run: () => agents.close() },
      { name: 'jobs', run: () => service.stop() },
      { name: 'watch', run: async () => watch.stop() },
      {
        name: 'traces',
        run: async () => {
          traceWith(null)
          observeStatements(null)
          await tracing?.shutdown(2000)
        },
      },
      { name: 'database', run: () => db.close() },
    ],
  })
  try {
    listener = listen(options.host, options.port, answerWith(shared, { service, agents, drain }))
    agentsListener = listenToAgents(agents, options)
  } catch (error) {
    await listener?.stop()
    await db.close()
    throw error
  }
  service.deps.wake()
  if (!rolesOf(options).has('web')) return otherServer(listener?.url ?? fallbackUrl, drain)
  // Later than the first requests.
  const preparation = setTimeout(
    () => void service.prepare().catch((fault: unknown) => onFault(fault, 'documents')),
    prepareAfterMs,
  )
  preparation.unref()
  const seeded =
    options.sample && db.readOnly === null && (await seedSample(service.callAs(local.ownerId), local.slug)) !== null
  const link = await publishSetupLink(service, publicUrl(), options)
  const agentsUrl = options.agents === null ? null : `${agentsListener?.url ?? publicUrl()}/mcp`
  return {
    url: publicUrl(),
    agentsUrl,
    setupLink: link,
    seeded,
    stop: () => {
      // A service that stops at once has no database any more when it would prepare.
      clearTimeout(preparation)
      return drain.stop()
    },
  }
}
