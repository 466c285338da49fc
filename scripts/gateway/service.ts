/** A service for walks with real gateways: it signs releases and keeps what the agent reports. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { canonicalJson } from '../../src/kernel/canonical.ts'
import type { Bundle } from '../../src/gateway/agent/bundle.ts'
import { filesDigest, recipientOf, sha256Of } from '../../src/gateway/release/digest.ts'
import type { Compiled } from '../../src/gateway/compile/index.ts'
import type { DialectName } from '../../src/gateway/dialects/index.ts'
import type { LogRecord } from '../../src/gateway/log/model.ts'

export interface Status {
  readonly releaseId: string | null
  readonly state: string
  readonly error: string | null
}

const pair = generateKeyPairSync('ed25519')
export const publicKey = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')

/** The key of the gateway of a walk. */
export const gatewayKey = 'svg_walk'
let releases = 0

/** A compiled release as it is sent. */
export function signedRelease(
  releaseId: string,
  engine: DialectName,
  compiled: Pick<Compiled, 'files' | 'routes'>,
): Bundle {
  const files = compiled.files.map(({ path, text }) => ({ path, text, sha256: sha256Of(text) }))
  const bundle: Omit<Bundle, 'signature'> = {
    format: 2,
    organization: { id: 'walk', slug: 'walk' },
    environment: { id: 'walk', slug: 'walk' },
    enforcerId: 'walk',
    recipient: recipientOf(sha256Of(gatewayKey)),
    releaseId,
    number: ++releases,
    policyVersion: 1,
    engine,
    createdAt: new Date().toISOString(),
    digest: filesDigest(files),
    files,
    routes: compiled.routes.map((it) => ({ ...it })),
    evidence: 'shape',
    evidenceKey: Buffer.alloc(32, 1).toString('base64'),
    keyId: 'walk',
  }
  const text = canonicalJson(bundle)
  return { ...bundle, signature: sign(null, Buffer.from(text, 'utf8'), pair.privateKey).toString('base64') }
}

/** Serves one release at a time on loopback until it is stopped. */
export function startService(port = 0) {
  let bundle: Bundle | null = null
  const statuses: Status[] = []
  const records: LogRecord[] = []
  const waiting = new Set<() => void>()
  const answer = (): void => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname.endsWith('/status')) {
        statuses.push((await request.json()) as Status)
        return Response.json({})
      }
      if (pathname.endsWith('/events')) {
        const lines = gunzipSync(await request.arrayBuffer())
          .toString('utf8')
          .trim()
          .split('\n')
        records.push(...lines.map((line) => JSON.parse(line) as LogRecord))
        return Response.json({ accepted: lines.length, duplicates: 0, throttled: 0 })
      }
      const known = request.headers.get('if-none-match')
      const isKnown = (): boolean => bundle === null || known === `"${bundle.releaseId}"`
      if (isKnown()) await new Promise<void>((resolve) => waiting.add(resolve).size > 0 && setTimeout(resolve, 5000))
      if (bundle === null)
        return Response.json({ detail: { code: 'release-not-found', message: 'There is none.' } }, { status: 404 })
      if (isKnown()) return new Response(null, { status: 304 })
      return Response.json(bundle, { headers: { etag: `"${bundle.releaseId}"` } })
    },
  })
  return {
    url: server.url.origin,
    port: server.port ?? 0,
    statuses,
    records,
    offer(next: Bundle): void {
      bundle = next
      answer()
    },
    async stop(): Promise<void> {
      answer()
      await server.stop(true)
    },
  }
}
