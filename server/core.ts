import type { Call } from '../src/api/endpoint.ts'
import { clockOf, type Clock } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { AnalysisPool, type PoolLoad, type PoolOptions } from './analysis/pool.ts'
import { AnalysisService } from './analysis/service.ts'
import { createIdentity, type Identity } from './sign-in/identity.ts'
import type { IssuerSettings } from './sign-in/issuer-settings.ts'
import { asLocalOwner } from './auth/local-owner.ts'
import type { CompatibilitySettings } from './compatibility/check.ts'
import type { Deps } from './kit/deps.ts'
import { RecentDocuments } from './documents/recent.ts'
import { DocumentService } from './documents/service.ts'
import type { Network } from './egress/address.ts'
import { importFetch } from './egress/fetch.ts'
import { createEmbedder, type EmbeddingSettings } from './embeddings/provider.ts'
import { featuresOver } from './features.ts'
import { Operations } from './http/operations.ts'
import { createHosting, type HostingSettings } from './hosting/hosting.ts'
import { repositoryOpener } from './sources/git/repository.ts'
import type { Reach } from './sources/reach.ts'
import type { EndedJob } from './jobs/worker.ts'
import { Workers } from './jobs/workers.ts'
import { type Plans, plansWith } from './license/plans.ts'
import { createMailer } from './mail/mailer.ts'
import { beyondLimits } from '../db/limits.ts'
import type { MailSettings } from './mail/settings.ts'
import { createLocalCall, withCredentials } from './local-call.ts'
import { KeyRing, type KeySource } from './vault/keys.ts'
import { Vault } from './vault/vault.ts'
import { seedSample } from './sample/seed.ts'

/** What the features of a service run on. */
export interface CoreOptions {
  readonly db: Database
  /** Public address without a slash at the end, asked when it is needed; "" makes links relative. */
  readonly publicUrl: () => string
  /** Former public addresses, without slashes at the end: references to types below them are found as well. */
  readonly publicUrlAliases?: readonly string[]
  /** The version of the program. */
  readonly version?: string
  readonly secureCookies?: boolean
  /** The `iss` of access tokens; the same for all replicas. */
  readonly issuer?: string
  /** The file that holds the set-up link until the link was used. */
  readonly setupFile?: string
  /** The keys of stored secrets; none when omitted. */
  readonly keys?: KeySource
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
  /** The mail server; null or omitted: the service sends no e-mail. */
  readonly mail?: MailSettings | null
  /**
   * Whether this process does what follows from publications (embeddings, what readers of events write, deliveries), or
   * leaves that to a server on the database. True when omitted.
   */
  readonly follows?: boolean
  /** Whether this process works at what waits, or leaves all of it to others on the database. True when omitted. */
  readonly works?: boolean
  /** The pause before each attempt of a webhook delivery, in milliseconds; the usual one when omitted. */
  readonly webhookSchedule?: readonly number[]
  /** The hosts of git repositories that the operator mapped to providers; none when omitted. */
  readonly hosting?: HostingSettings
  /** How long running jobs may continue when it stops, before they are given back. */
  readonly jobDrainMs?: number
  /** The tool that compares versions beside svc's own engine, and the page of the known breaking changes. */
  readonly compatibility?: CompatibilitySettings
  /** The processes that documents are analysed in; this one when omitted. */
  readonly analysis?: PoolOptions
  readonly onFault: (fault: unknown, where: string) => void
  /** Called with every job that ended in this process. */
  readonly onJobEnded?: (ended: EndedJob) => void
  /** Called with the reason when an issuer could not be asked or a sign-in with it failed. */
  readonly onIssuerFailure?: (issuer: string, reason: string) => void
  readonly clock?: Clock
}

/** A service without routes over HTTP: what a command works with. */
export interface Core {
  readonly operations: Operations
  /** Calls operations as a user, in this process. */
  callAs(userId: string, signal?: AbortSignal): Call
  /** Calls operations with a key or token, as over a socket; null means a caller without credentials. */
  callWith(credentials: string | null): Call
  readonly deps: Deps
  readonly identity: Identity
  readonly recent: RecentDocuments
  /** How much the analysis processes have to do; null where documents are read in this one. */
  analysisLoad(): Promise<PoolLoad | null>
  /** Loads the code of all features, then renders the newest large documents before the first request for them. */
  prepare(): Promise<void>
  /** Ends the analyses under way, for requests that would keep it from stopping. */
  hurry(): void
  /** Ends the workers: running jobs finish, or are given back at once with `force`. Does not close the database. */
  stop(force?: boolean): Promise<void>
}

/** Longest wait for the sample project while a tenant is made. */
const sampleWaitMs = 15_000

/** Wires every feature over a database. Their code is loaded by their first call. */
export function createCore(options: CoreOptions): Core {
  const { db, egressAllow } = options
  const clock = options.clock ?? clockOf()
  const recent = new RecentDocuments()
  const pool = options.analysis && options.analysis.processes > 0 ? new AnalysisPool(options.analysis) : null
  const openRepository = repositoryOpener({ allow: egressAllow, identity: options.gitIdentity ?? 'none' })
  const reach: Reach = { fetch: importFetch(egressAllow), openRepository }
  const workers = new Workers(async (signal) =>
    (await import('./queues.ts')).startQueues({ ...options, deps, reach }, signal),
  )
  const deps: Deps = {
    db,
    clock,
    publicUrl: options.publicUrl,
    publicUrls: () =>
      [...new Set([options.publicUrl(), ...(options.publicUrlAliases ?? [])])].filter((url) => url !== ''),
    plans: options.plans ?? plansWith({}),
    analysis: new AnalysisService(clock, db, pool),
    embedder: options.embeddings ? createEmbedder(options.embeddings, egressAllow) : null,
    mail: options.mail ? createMailer(options.mail) : null,
    vault: new Vault(new KeyRing(options.keys ?? { kind: 'none' }), clock),
    egressAllow,
    hosting: createHosting(egressAllow, options.hosting ?? { hosts: [] }),
    // Where nothing can be written no worker starts.
    wake: () =>
      db.readOnly !== null || options.works === false
        ? undefined
        : void beyondLimits(() => workers.wake()).catch((fault: unknown) => options.onFault(fault, 'worker')),
    wakeReaders: () => (options.follows === false ? undefined : deps.wake()),
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
  const features = featuresOver({
    deps,
    identity,
    documents,
    recent,
    reach,
    compatibility: options.compatibility ?? { diffTool: null, issueUrl: null },
    version: options.version ?? '0.0.0',
  })
  const operations = new Operations(features, { gatekeeper: identity.gatekeeper, onFault: options.onFault })
  const callAs = (userId: string, signal?: AbortSignal): Call =>
    createLocalCall(operations, (request) => asLocalOwner(request, userId), signal)
  return {
    operations,
    callAs,
    callWith: (credentials) => createLocalCall(operations, (request) => withCredentials(request, credentials)),
    deps,
    identity,
    recent,
    prepare: async () => {
      pool?.warm()
      await operations.load()
      await documents.prepare(workers.ending)
    },
    analysisLoad: async () => (await pool?.load()) ?? null,
    hurry: () => pool?.stop(),
    async stop(force = false) {
      await workers.stop(force)
      await documents.settle()
      pool?.stop()
    },
  }
}
