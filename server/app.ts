import { Elysia } from 'elysia'
import { endpoints } from '../src/api/contracts.gen.ts'
import type { Call } from '../src/api/endpoint.ts'
import type { Database, Transaction } from '../db/database.ts'
import { Analyst } from './analysis/analyst.ts'
import { AnalysisPool, type PoolOptions } from './analysis/pool.ts'
import { changeReportRoutes } from './change-reports/routes.ts'
import type { CompatibilitySettings } from './compatibility/check.ts'
import { compatibilityRoutes } from './compatibility/routes.ts'
import { consumerRoutes } from './consumers/routes.ts'
import { asLocalOwner } from './auth/local-owner.ts'
import { createIdentity, type Identity } from './auth/identity.ts'
import type { Deps } from './deps.ts'
import { diffRoutes } from './diff/routes.ts'
import { embedHandler, embedKind, queueBacklog } from './embeddings/index-versions.ts'
import { createEmbedder, type EmbeddingSettings } from './embeddings/provider.ts'
import { documentRoutes } from './documents/routes.ts'
import { RecentDocuments } from './documents/recent.ts'
import { DocumentService } from './documents/service.ts'
import type { IssuerSettings } from './auth/issuer-settings.ts'
import { sweepIdentity } from './auth/sweep.ts'
import type { Network } from './egress/address.ts'
import { importFetch } from './egress/fetch.ts'
import { type Plans, plansWith } from './license/plans.ts'
import { importRoutes } from './imports/routes.ts'
import { importHandler } from './imports/run.ts'
import { repositories } from './imports/sources/git/repository.ts'
import { startWorker, type Worker } from './jobs/worker.ts'
import { lintRoutes } from './lint/routes.ts'
import { createLocalCall, withCredentials } from './local-call.ts'
import { apiVersion, mount, type Note, type Observe, type Route } from './mount.ts'
import { describeService } from './openapi.ts'
import { migrationPlanRoutes } from './migration-plans/routes.ts'
import { projectRoutes } from './projects/routes.ts'
import { identityRoutes } from './auth/all-routes.ts'
import { seedSample } from './sample/seed.ts'
import { versionRoutes } from './versions/routes.ts'
import { specRoutes } from './specs/routes.ts'
import { relintHandler, relintKind } from './style-guides/relint.ts'
import { styleGuideRoutes } from './style-guides/routes.ts'
import { openWeb } from './web/serve.ts'

/** What a service runs on. */
export interface ServiceOptions {
  readonly db: Database
  /** Public address without a slash at the end, asked when it is needed; "" makes links relative. */
  readonly publicUrl: () => string
  /** The version of the program, as agents are told. */
  readonly version?: string
  readonly secureCookies?: boolean
  /** The `iss` of access tokens; the same for all replicas. */
  readonly issuer?: string
  /** Where the set-up link lies until it was used. */
  readonly setupFile?: string
  /** Networks beside the public internet that imports may fetch from. */
  readonly egressAllow: readonly Network[]
  /** Whose ssh keys open repositories: nobody's where it is left out, or those of the person whose machine this is. */
  readonly gitIdentity?: 'person' | 'none'
  /** Where people sign in beside here, and whose access tokens are good here. */
  readonly issuers?: IssuerSettings
  /** The plans with what the operator changed in them. */
  readonly plans?: Plans
  /** The provider of search by meaning; null or left out: there is none. */
  readonly embeddings?: EmbeddingSettings | null
  /** This process embeds what is published; else it leaves that to another one on the database. True when omitted. */
  readonly embeds?: boolean
  /** How long running jobs may go on when it stops, before they are given back. */
  readonly jobDrainMs?: number
  /** What runs beside our engine where revisions are compared, and where breaks are written up. */
  readonly compatibility?: CompatibilitySettings
  /** The processes that documents are analysed in; left out: this one. */
  readonly analysis?: PoolOptions
  readonly observe?: Observe
  /** Told of what `recall` answers. */
  readonly note?: Note
  /** Every request has a span: none is answered beside it. */
  readonly isTraced?: boolean
  readonly onFault: (fault: unknown, where: string) => void
  /** Told why an issuer could not be asked or a sign-in at it failed. */
  readonly onIssuerFailure?: (issuer: string, reason: string) => void
  readonly now?: () => Date
}

/** A running service without a socket. */
export interface Service {
  /** Answers a request as the server would. */
  readonly handle: (request: Request) => Promise<Response>
  /** Answers a request for a public document that was sent a moment ago; null for everything else. */
  readonly recall: (request: Request) => Response | null
  /** Calls operations as a user, in this process. */
  callAs(userId: string, signal?: AbortSignal): Call
  /** Calls operations with a key or token, as over a socket; null stands for a caller without credentials. */
  callWith(credentials: string | null): Call
  readonly deps: Deps
  readonly identity: Identity
  /** Renders the newest large documents before somebody waits for one. */
  prepare(): Promise<void>
  /** Ends the worker: running jobs finish, or are given back, at once where it is in a hurry. Does not close the database. */
  stop(inHurry?: boolean): Promise<void>
}

/** Routes beside the contract: the contract itself, the root, and the application's files. */
function mountRest(app: Elysia): void {
  let contract: string | undefined
  app.get('/v1/openapi.json', () => {
    contract ??= JSON.stringify(describeService(endpoints))
    return new Response(contract, {
      headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*', 'x-api-version': apiVersion },
    })
  })
  app.get('/', ({ request }) => {
    if (request.headers.get('accept')?.includes('text/html') === true)
      return new Response(null, { status: 302, headers: { location: '/app/' } })
    return Response.json({
      service: 'svc',
      api_version: apiVersion,
      contract: '/v1/openapi.json',
      application: '/app/',
      documentation: '/docs',
    })
  })
  const web = async ({ request }: { request: Request }) =>
    (await openWeb()).serve(request) ?? new Response('There is no such file.', { status: 404 })
  app.get('/app', web).get('/app/*', web).get('/docs', web).get('/docs/*', web)
}

/** Longest wait for the sample project while a tenant is made. */
const sampleWaitMs = 15_000

/** Wires every feature over a database. */
export function createService(options: ServiceOptions): Service {
  const now = options.now ?? (() => new Date())
  const ending = new AbortController()
  // Started at the first need: most commands never import.
  let workers: readonly Worker[] | undefined
  const embedder = options.embeddings ? createEmbedder(options.embeddings, options.egressAllow) : null
  const recent = new RecentDocuments()
  const deps: Deps = {
    db: options.db,
    now,
    get publicUrl() {
      return options.publicUrl()
    },
    plans: options.plans ?? plansWith({}),
    embedder,
    wake: () => startWork().forEach((worker) => worker.wake()),
    changed: () => recent.clear(),
  }
  const pool = options.analysis && options.analysis.processes > 0 ? new AnalysisPool(options.analysis) : null
  const analyst = new Analyst(now, pool)
  const git = repositories({ allow: options.egressAllow, identity: options.gitIdentity ?? 'none' })
  const reach = { fetch: importFetch(options.egressAllow), openRepository: git.open }
  const startWork = (): readonly Worker[] => (workers ??= work())
  const work = (): Worker[] => {
    const shared = {
      db: options.db,
      signal: ending.signal,
      now,
      ...(options.jobDrainMs === undefined ? {} : { drainMs: options.jobDrainMs }),
      onFault: (fault: unknown, job: { readonly id: string } | undefined) =>
        options.onFault(fault, job?.id ?? 'worker'),
    }
    const imports = importHandler(deps, analyst, reach)
    const sweep = (tx: Transaction, at: Date) => sweepIdentity(tx, at.getTime())
    const started = [
      startWorker({ ...shared, handlers: { import: imports, [relintKind]: relintHandler(deps, analyst) }, sweep }),
    ]
    if (embedder && options.embeds !== false) {
      // A queue of its own: a backlog of embeddings must not keep imports waiting.
      const handlers = { [embedKind]: embedHandler(options.db, embedder, now) }
      started.push(startWorker({ ...shared, handlers, concurrency: 1 }))
      queueBacklog(options.db, embedder.model, now())
        .then((queued) => queued > 0 && deps.wake())
        .catch((fault: unknown) => options.onFault(fault, 'worker'))
    }
    return started
  }
  const identity = createIdentity({
    db: options.db,
    now: () => now().getTime(),
    issuer: options.issuer ?? 'svc',
    secureCookies: options.secureCookies ?? false,
    publicUrl: options.publicUrl,
    plans: deps.plans,
    changed: deps.changed,
    ...options.issuers,
    egressAllow: options.egressAllow,
    ...(options.onIssuerFailure === undefined ? {} : { onIssuerFailure: options.onIssuerFailure }),
    provisionSample: (tenantSlug, userId) => seedSample(callAs(userId, AbortSignal.timeout(sampleWaitMs)), tenantSlug),
    ...(options.setupFile === undefined ? {} : { setupFile: options.setupFile }),
  })
  // Calls within this process are parts of something that is observed as a whole: a request of an agent, a command.
  const inner = new WeakSet<Request>()
  const within = (request: Request): Request => {
    inner.add(request)
    return request
  }
  const callAs = (userId: string, signal?: AbortSignal): Call =>
    createLocalCall(handle, (request) => within(asLocalOwner(request, userId)), signal)
  const documents = new DocumentService(deps, analyst, (fault) => options.onFault(fault, 'documents'))
  const routes: Route[] = [
    ...identityRoutes(identity),
    ...projectRoutes(deps),
    ...versionRoutes(deps, analyst),
    ...importRoutes(deps, identity.gatekeeper, git.check),
    ...documentRoutes(documents, recent, openWeb),
    ...lintRoutes(deps, analyst, reach),
    ...styleGuideRoutes(deps, analyst),
    ...specRoutes(deps, documents, options.version ?? '0.0.0'),
    ...diffRoutes(deps, analyst),
    ...consumerRoutes(deps, analyst),
    ...changeReportRoutes(deps, analyst),
    ...migrationPlanRoutes(deps, analyst),
    ...compatibilityRoutes({
      deps,
      analyst,
      settings: options.compatibility ?? { diffTool: null, issueUrl: null },
      version: options.version ?? '0.0.0',
    }),
  ]
  const { observe } = options
  const app = mount(routes, {
    gatekeeper: identity.gatekeeper,
    onFault: options.onFault,
    ...(observe ? { observe: (facts, run) => (inner.has(facts.request) ? run() : observe(facts, run)) } : {}),
  })
  mountRest(app)
  const recall = (request: Request): Response | null =>
    options.isTraced === true ? null : recent.recall(request, options.note ?? null)
  const handle = (request: Request): Promise<Response> => {
    const known = recall(request)
    return known === null ? Promise.resolve(app.handle(request)) : Promise.resolve(known)
  }
  return {
    handle,
    recall,
    callAs,
    callWith: (credentials) => createLocalCall(handle, (request) => within(withCredentials(request, credentials))),
    deps,
    identity,
    prepare: () => documents.prepare(ending.signal),
    async stop(inHurry = false) {
      ending.abort()
      if (inHurry) workers?.forEach((worker) => worker.giveBack())
      await Promise.all((workers ?? []).map((worker) => worker.done))
      await documents.settle()
      pool?.stop()
    },
  }
}
