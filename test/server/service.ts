/** A whole service over a fresh database, for tests of what callers see. */
import type { Database } from '../../db/database.ts'
import type { Call } from '../../src/api/endpoint.ts'
import type { PoolOptions } from '../../server/analysis/pool.ts'
import { createService, type Service } from '../../server/app.ts'
import { asLocalOwner } from '../../server/auth/local-owner.ts'
import type { CompatibilitySettings } from '../../server/compatibility/check.ts'
import { parseNetworks } from '../../server/egress/address.ts'
import type { EmbeddingSettings } from '../../server/embeddings/provider.ts'
import { ensureLocalTenant } from '../../server/tenants/local.ts'

export interface TestService {
  readonly service: Service
  readonly call: Call
  readonly tenant: string
  readonly ownerId: string
  readonly faults: unknown[]
  /** Sends a request as an anonymous caller, or with the given headers. */
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** Sends a request as the owner. */
  ask(path: string, init: RequestInit): Promise<Response>
}

/** Wires a service whose worker runs; stop it with `service.stop()`. */
export async function startService(
  db: Database,
  options: {
    readonly egressAllow?: string
    readonly embeddings?: EmbeddingSettings
    readonly compatibility?: CompatibilitySettings
    readonly analysis?: PoolOptions
  } = {},
): Promise<TestService> {
  const local = await ensureLocalTenant(db, Date.now())
  const faults: unknown[] = []
  const service = createService({
    db,
    publicUrl: () => 'http://svc.test',
    egressAllow: parseNetworks(options.egressAllow ?? ''),
    embeddings: options.embeddings ?? null,
    ...(options.compatibility === undefined ? {} : { compatibility: options.compatibility }),
    ...(options.analysis === undefined ? {} : { analysis: options.analysis }),
    onFault: (fault) => faults.push(fault),
  })
  return {
    service,
    call: service.callAs(local.ownerId),
    tenant: local.slug,
    ownerId: local.ownerId,
    faults,
    ask: async (path, init) =>
      service.handle(asLocalOwner(new Request(`http://localhost${path}`, init), local.ownerId)),
    get: async (path, headers = {}) => service.handle(new Request(`http://localhost${path}`, { headers })),
  }
}
