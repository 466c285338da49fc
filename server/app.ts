import type { Call } from '../src/api/endpoint.ts'
import { clockOf, type Clock } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { AnalysisPool, type PoolOptions } from './analysis/pool.ts'
import { AnalysisService } from './analysis/service.ts'
import { noteCaller } from './auth/address.ts'
import { identityRoutes } from './auth/all-routes.ts'
import { createIdentity, type Identity } from './auth/identity.ts'
import type { IssuerSettings } from './auth/issuer-settings.ts'
import { asLocalOwner } from './auth/local-owner.ts'
import { sweepIdentity } from './auth/sweep.ts'
import { changeReportRoutes } from './change-reports/routes.ts'
import type { CompatibilitySettings } from './compatibility/check.ts'
import { compatibilityRoutes } from './compatibility/routes.ts'
import { consumerRoutes } from './consumers/routes.ts'
import type { Deps } from './deps.ts'
import { diffRoutes } from './diff/routes.ts'
import { RecentDocuments } from './documents/recent.ts'
import { documentRoutes } from './documents/routes.ts'
import { DocumentService } from './documents/service.ts'
import type { Network } from './egress/address.ts'
import { importFetch } from './egress/fetch.ts'
import { embedHandler, queueBacklog } from './embeddings/index-versions.ts'
import { createEmbedder, type EmbeddingSettings } from './embeddings/provider.ts'
import type { Route } from './http/handler.ts'
import { mount } from './http/mount.ts'
import type { Note, Observe } from './http/observe.ts'
import { mountSite } from './http/site.ts'
import { importRoutes } from './imports/routes.ts'
import { importHandler } from './imports/run.ts'
import { repositories, type Repositories } from './imports/sources/git/repository.ts'
import type { Reach } from './imports/sources/open.ts'
import { startWorker, type Worker } from './jobs/worker.ts'
import { Workers } from './jobs/workers.ts'
import { type Plans, plansWith } from './license/plans.ts'
import { lintRoutes } from './lint/routes.ts'
import { createLocalCall, withCredentials } from './local-call.ts'
import { migrationPlanRoutes } from './migration-plans/routes.ts'
import { projectRoutes } from './projects/routes.ts'
import { seedSample } from './sample/seed.ts'
import { specRoutes } from './specs/routes.ts'
import { relintHandler } from './style-guides/relint.ts'
import { styleGuideRoutes } from './style-guides/routes.ts'
import { versionRoutes } from './versions/routes.ts'
import { openWeb } from './web/serve.ts'

/** What a service runs on. */
export interface ServiceOptions {
  readonly db: Database
  /** Public address without a slash at the end, asked when it is needed; "" makes links relative. */
  readonly publicUrl: () => string
  /** The version of the program. */
  readonly version?: string
  readonly secureCookies?: boolean
  /** The `iss` of access tokens; the same for all replicas. */
  readonly issuer?: string
  /** The file that holds the set-up link until the link was used. */
  readonly setupFile?: string
  /** Networks beside the public internet that may be fetched from. */
  readonly egressAllow: readonly Network[]
  /** Whose ssh keys open repositories: none when omitted, or those of the person whose machine this is. */
  readonly gitIdentity?: 'person' | 'none'
  /** The identity provider that people sign in with, and the issuers whose access tokens are accepted. */
  readonly issuers?: IssuerSettings
  /** The plans with what the operator changed in them. */
  readonly plans?: Plans
  /** The provider of semantic search; null or omitted: there is none. */
  readonly embeddings?: EmbeddingSettings | null
  /** Whether this process embeds what is published, or leaves that to another one on the database. True when omitted. */
  readonly embeds?: boolean
  /** How long running jobs may go on when it stops, before they are given back. */
  readonly jobDrainMs?: number
  /** The tool that compares versions beside svc's own engine, and the page of the known breaking changes. */
  readonly compatibility?: CompatibilitySettings
  /** The processes that documents are analysed in; this one when omitted. */
  readonly analysis?: PoolOptions
  readonly observe?: Observe
  /** Called with what is answered from memory, outside of `observe`. */
  readonly note?: Note
  /** Every request has a span: none is answered from memory. */
  readonly isTraced?: boolean
  /** Proxies whose X-Forwarded-For is trusted; none when omitted. */
  readonly trustedProxies?: readonly Network[]
  readonly onFault: (fault: unknown, where: string) => void
  /** Called with the reason when an issuer could not be asked or a sign-in with it failed. */
  readonly onIssuerFailure?: (issuer: string, reason: string) => void
  readonly clock?: Clock
}

/** A running service without a socket. */
export interface Service {
  /**
   * Answers a request: a public document that was sent a moment ago from memory, everything else by the routes.
   * @param peerOf gives the address of the peer, which only some requests need; omitted for a call in this process
   */
  readonly handle: (request: Request, peerOf?: () => string | null) => Promise<Response> | Response
  /** Calls operations as a user, in this process. */
  callAs(userId: string, signal?: AbortSignal): Call
  /** Calls operations with a key or token, as over a socket; null stands for a caller without credentials. */
  callWith(credentials: string | null): Call
  readonly deps: Deps
  readonly identity: Identity
  /** Renders the newest large documents before the first request for them. */
  prepare(): Promise<void>
  /** Ends the workers: running jobs finish, or are given back at once with `force`. Does not close the database. */
  stop(force?: boolean): Promise<void>
}

/** Longest wait for the sample project while a tenant is made. */
const sampleWaitMs = 15_000

/** Starts the queues of a process: one for imports and relints, one for embeddings where there is a provider. */
function startQueues(options: ServiceOptions, deps: Deps, reach: Reach, signal: AbortSignal): readonly Worker[] {
  const { db, clock, embedder } = deps
  const shared = {
    db,
    signal,
    clock,
    ...(options.jobDrainMs === undefined ? {} : { drainMs: options.jobDrainMs }),
    onFault: (fault: unknown, job: { readonly id: string } | undefined) => options.onFault(fault, job?.id ?? 'worker'),
  }
  const handlers = [importHandler(deps, reach), relintHandler(deps)]
  const started = [startWorker({ ...shared, handlers, sweep: sweepIdentity })]
  if (embedder && options.embeds !== false) {
    // A queue of its own: a backlog of embeddings must not keep imports waiting.
    started.push(startWorker({ ...shared, handlers: [embedHandler(db, embedder, clock)], concurrency: 1 }))
    queueBacklog(db, embedder.model, clock.now())
      .then((queued) => queued > 0 && deps.wake())
      .catch((fault: unknown) => options.onFault(fault, 'worker'))
  }
  return started
}

/** What the routes of all features work with. */
interface Parts {
  readonly options: ServiceOptions
  readonly deps: Deps
  readonly identity: Identity
  readonly documents: DocumentService
  readonly recent: RecentDocuments
  readonly git: Repositories
  readonly reach: Reach
}

/** Every route of the service. */
function routesOfFeatures({ options, deps, identity, documents, recent, git, reach }: Parts): Route[] {
  const version = options.version ?? '0.0.0'
  const settings = options.compatibility ?? { diffTool: null, issueUrl: null }
  return [
    ...identityRoutes(identity),
    ...projectRoutes(deps),
    ...versionRoutes(deps),
    ...importRoutes(deps, identity.gatekeeper, git.check),
    ...documentRoutes(documents, recent, openWeb),
    ...lintRoutes({ ...deps, reach }),
    ...styleGuideRoutes(deps),
    ...specRoutes(deps, documents, version),
    ...diffRoutes(deps),
    ...consumerRoutes(deps),
    ...changeReportRoutes(deps),
    ...migrationPlanRoutes(deps),
    ...compatibilityRoutes({ ...deps, settings, version }),
  ]
}

/** Wires every feature over a database. */
export function createService(options: ServiceOptions): Service {
  const { db, egressAllow, observe } = options
  const clock = options.clock ?? clockOf()
  const recent = new RecentDocuments()
  const pool = options.analysis && options.analysis.processes > 0 ? new AnalysisPool(options.analysis) : null
  const git = repositories({ allow: egressAllow, identity: options.gitIdentity ?? 'none' })
  const reach: Reach = { fetch: importFetch(egressAllow), openRepository: git.open }
  const workers = new Workers((signal) => startQueues(options, deps, reach, signal))
  const deps: Deps = {
    db,
    clock,
    publicUrl: options.publicUrl,
    plans: options.plans ?? plansWith({}),
    analysis: new AnalysisService(clock, pool),
    embedder: options.embeddings ? createEmbedder(options.embeddings, egressAllow) : null,
    wake: () => workers.wake(),
    changed: () => recent.clear(),
  }
  const identity = createIdentity(deps, {
    issuer: options.issuer ?? 'svc',
    secureCookies: options.secureCookies ?? false,
    ...options.issuers,
    egressAllow,
    onIssuerFailure: options.onIssuerFailure,
    provisionSample: (tenantSlug, userId) => seedSample(callAs(userId, AbortSignal.timeout(sampleWaitMs)), tenantSlug),
    setupFile: options.setupFile,
  })
  const documents = new DocumentService(deps, (fault) => options.onFault(fault, 'documents'))
  // Calls within this process are parts of something that is observed as a whole: a request of an agent, a command.
  const inner = new WeakSet<Request>()
  const app = mount(routesOfFeatures({ options, deps, identity, documents, recent, git, reach }), {
    gatekeeper: identity.gatekeeper,
    onFault: options.onFault,
    ...(observe ? { observe: (facts, run) => (inner.has(facts.request) ? run() : observe(facts, run)) } : {}),
  })
  mountSite(app)
  const handle: Service['handle'] = (request, peerOf) => {
    const known = options.isTraced === true ? null : recent.recall(request, options.note ?? null)
    if (known !== null) return known
    const peer = peerOf?.() ?? null
    if (peer !== null) noteCaller(request, peer, options.trustedProxies ?? [])
    return app.handle(request)
  }
  const within = (request: Request): Request => {
    inner.add(request)
    return request
  }
  const callAs = (userId: string, signal?: AbortSignal): Call =>
    createLocalCall(handle, (request) => within(asLocalOwner(request, userId)), signal)
  return {
    handle,
    callAs,
    callWith: (credentials) => createLocalCall(handle, (request) => within(withCredentials(request, credentials))),
    deps,
    identity,
    prepare: () => {
      pool?.warm()
      return documents.prepare(workers.ending)
    },
    async stop(force = false) {
      await workers.stop(force)
      await documents.settle()
      pool?.stop()
    },
  }
}
