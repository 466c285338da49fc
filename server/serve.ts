import { sql } from 'drizzle-orm'
import { SvcError } from '../src/errors.ts'
import { openDatabase, type DatabaseTarget } from '../db/open.ts'
import { tenants } from '../db/tables.gen.ts'
import type { ToolNames } from '../mcp/server.ts'
import { createAgents, listenForAgents, type Agents } from './agents.ts'
import { createService } from './app.ts'
import type { PoolOptions } from './analysis/pool.ts'
import { callerAddress, noteAddress } from './auth/address.ts'
import { issueSetupToken, removeSetupFile, setupLink, writeSetupFile } from './auth/setup.ts'
import type { CompatibilitySettings } from './compatibility/check.ts'
import type { IssuerSettings } from './auth/issuer-settings.ts'
import type { Network } from './egress/address.ts'
import type { EmbeddingSettings } from './embeddings/provider.ts'
import type { Plans } from './license/plans.ts'
import { listen, type Listener } from './listen.ts'
import { createDrain } from './operations/drain.ts'
import type { Logger } from './operations/log.ts'
import { createMetrics } from './operations/metrics.ts'
import { operationsHandler } from './operations/mount.ts'
import { noteWith, observeWith } from './operations/observe.ts'
import { startTracing } from './operations/tracing.ts'
import { seedSample } from './sample/seed.ts'
import { ensureLocalTenant } from './tenants/local.ts'

/** When large documents begin to be rendered for their first readers. */
const prepareAfterMs = 1000

export interface ServeOptions {
  readonly database: DatabaseTarget
  readonly host: string
  readonly port: number
  /** Null: the address it listens on. */
  readonly publicUrl: string | null
  readonly egressAllow: readonly Network[]
  /** Longest wait for requests and jobs under way when it stops; 15 seconds when omitted. */
  readonly drainTimeoutMs?: number
  /** Proxies whose X-Forwarded-For is believed; none when omitted. */
  readonly trustedProxies?: readonly Network[]
  /** The plans with what the operator changed in them. */
  readonly plans?: Plans
  /** Where people sign in beside here, and whose access tokens are good here. */
  readonly issuers?: IssuerSettings
  /** The provider of search by meaning. */
  readonly embeddings?: EmbeddingSettings | null
  readonly compatibility?: CompatibilitySettings
  /** The processes that documents are analysed in; left out: this one. */
  readonly analysis?: PoolOptions
  readonly logger: Logger
  /** For the OTEL_* variables. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** The port of agents, beside /mcp of the service; left out: /mcp alone; null: agents are not served. */
  readonly agents?: {
    readonly host: string
    readonly port: number
    /** Somebody asked for that port: without it the server does not start. */
    readonly isRequired: boolean
    readonly hosts: readonly string[]
    readonly toolNames: ToolNames
    /** Seals the cursors of agents; the same for all replicas. Null: each its own. */
    readonly secret: string | null
  } | null
  /** Where the set-up link is written for those who cannot see the terminal. */
  readonly setupFile: string
  /** Seed an empty workspace with the sample project. */
  readonly sample: boolean
}

/** A running server. */
export interface Server {
  readonly url: string
  /** Where agents connect: the endpoint of its own where it could be had, else the one beside the service. */
  readonly agentsUrl: string | null
  /** The link that makes the first user; null when there is one. */
  readonly setupLink: string | null
  /** Whether the sample project was put in at this start. */
  readonly seeded: boolean
  /** Answers what is running, gives jobs back, closes everything. False when something had to be cut. */
  stop(): Promise<boolean>
}

/**
 * Opens the database, listens, and starts working at jobs.
 * @throws SvcError `workspace-unusable`, `database-unavailable`, `database-newer`, `port-unavailable`
 */
export async function serve(options: ServeOptions): Promise<Server> {
  const { logger, version, environment } = options
  const db = await openDatabase(options.database)
  const local = await ensureLocalTenant(db, Date.now())
  const [metrics, tracing] = await Promise.all([createMetrics(version), startTracing(environment, version)])
  const observe = observeWith({ logger, metrics, tracing })
  const onFault = (fault: unknown, where: string) => logger.error('fault', { request_id: where, error: fault })
  const fallbackUrl = `http://${options.host}:${options.port}`
  let listener: Listener | null = null
  let agentsListener: Listener | null = null
  const service = createService({
    db,
    publicUrl: () => options.publicUrl ?? listener?.url ?? fallbackUrl,
    secureCookies: options.publicUrl?.startsWith('https:') ?? false,
    ...(options.publicUrl === null ? {} : { issuer: options.publicUrl }),
    egressAllow: options.egressAllow,
    ...(options.plans === undefined ? {} : { plans: options.plans }),
    ...(options.issuers === undefined ? {} : { issuers: options.issuers }),
    embeddings: options.embeddings ?? null,
    ...(options.compatibility === undefined ? {} : { compatibility: options.compatibility }),
    ...(options.analysis === undefined ? {} : { analysis: options.analysis }),
    setupFile: options.setupFile,
    onIssuerFailure: (issuer, reason) => logger.warn('issuer', { issuer, reason }),
    observe,
    note: noteWith({ logger, metrics }),
    isTraced: tracing !== null,
    version,
    onFault,
  })
  const publicHost = options.publicUrl === null ? null : URL.parse(options.publicUrl)?.hostname
  const agents = createAgents({
    service,
    version,
    toolNames: options.agents?.toolNames ?? 'dots',
    secret: options.agents?.secret ?? null,
    hosts: [options.host, publicHost ?? '', ...(options.agents?.hosts ?? [])].filter(Boolean),
    observe,
    onFault,
  })
  const drain = createDrain({
    logger,
    announceMs: 0,
    graceMs: options.drainTimeoutMs ?? 15_000,
    steps: [
      { name: 'http', run: () => Promise.all([listener?.stop(), agentsListener?.stop()]) },
      { name: 'agents', run: () => agents.close() },
      { name: 'jobs', run: () => service.stop() },
      { name: 'traces', run: async () => tracing?.shutdown(2000) },
      { name: 'database', run: () => db.close() },
    ],
  })
  const operations = operationsHandler({
    version,
    metrics,
    logger,
    isDraining: () => drain.isDraining,
    checks: {
      database: () =>
        db.read
          .select({ one: sql<number>`1` })
          .from(tenants)
          .limit(1),
    },
  })
  try {
    listener = listen(options.host, options.port, (request, addressOf) => {
      // Most requests of a busy service: nothing else needs to be asked before.
      const known = service.recall(request)
      if (known !== null) return known
      const address = addressOf()
      if (address !== null)
        noteAddress(
          request,
          callerAddress(address, request.headers.get('x-forwarded-for'), options.trustedProxies ?? []),
        )
      const agent = options.agents === null ? null : agents.handle(request)
      return operations(request) ?? agent ?? service.handle(request)
    })
    agentsListener = openAgents(agents, options)
  } catch (error) {
    await listener?.stop()
    await db.close()
    throw error
  }
  service.deps.wake()
  // Not before the first requests had their turn.
  setTimeout(
    () => void service.prepare().catch((fault: unknown) => onFault(fault, 'documents')),
    prepareAfterMs,
  ).unref()
  const seeded = options.sample && (await seedSample(service.callAs(local.ownerId), local.slug)) !== null
  const token = await issueSetupToken(service.identity)
  const link = token === null ? null : setupLink(options.publicUrl ?? listener.url, token)
  if (link === null) removeSetupFile(options.setupFile)
  else {
    try {
      writeSetupFile(options.setupFile, link)
    } catch (error) {
      // The link was printed as well: a folder that cannot be written to must not keep a service on Postgres down.
      logger.warn('the set-up link could not be written', { path: options.setupFile, error })
    }
  }
  const agentsBase = agentsListener?.url ?? options.publicUrl ?? listener.url
  const agentsUrl = options.agents === null ? null : `${agentsBase}/mcp`
  return { url: options.publicUrl ?? listener.url, agentsUrl, setupLink: link, seeded, stop: () => drain.stop() }
}

/** Opens the port of agents. One that nobody asked for may be taken: a second server on the machine is no mistake. */
function openAgents(agents: Agents, { agents: wanted, version, logger }: ServeOptions): Listener | null {
  if (!wanted) return null
  try {
    return listenForAgents(agents, version, wanted.host, wanted.port)
  } catch (error) {
    if (wanted.isRequired || !(error instanceof SvcError)) throw error
    logger.warn('agents are served at /mcp alone', { reason: error.message })
    return null
  }
}
