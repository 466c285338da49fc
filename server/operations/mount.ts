import { createHash, timingSafeEqual } from 'node:crypto'
import { SvcError } from '../../src/errors.ts'
import { answerError, pathOf, requestIdOf } from '../http/door.ts'
import { livenessAnswer, readiness, readinessAnswer, type Check } from './health.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'

/** What the operators' addresses need to know. */
export interface OperationsOptions {
  readonly version: string
  readonly checks: Readonly<Record<string, Check>>
  /** The checks without which a part of the service still answers. */
  readonly partial?: ReadonlySet<string>
  readonly isDraining: () => boolean
  /** What /metrics requires now; null: it answers this machine only. */
  readonly metricsToken: () => string | null
  readonly metrics: Metrics
  readonly logger: Logger
}

const readinessTimeoutMs = 2000

const loopback = /^(?:127\.|::1$|::ffff:127\.)/

/** Whether a request comes from this machine, and not through a proxy on it. */
const isLocal = (request: Request, peer: string | null): boolean =>
  peer !== null && loopback.test(peer) && !forwarded.some((name) => request.headers.has(name))
const forwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Why a caller cannot read the metrics; null where it may. */
function metricsRefusal(token: string | null, request: Request, peer: string | null): SvcError | null {
  if (token === null) return isLocal(request, peer) ? null : new SvcError('metrics-local-only')
  const given = /^bearer +(\S+)$/i.exec(request.headers.get('authorization')?.trim() ?? '')?.[1]
  if (given === undefined) return new SvcError('metrics-token-missing')
  return timingSafeEqual(digest(given), digest(token))
    ? null
    : new SvcError('credentials-invalid', { reason: 'it is not the token of SVC_METRICS_TOKEN' })
}

/**
 * Answers `/healthz`, `/readyz` and `/metrics`; null for every other path. The first two need no credentials and name no
 * data; the metrics are for this machine, or for anyone who has their token.
 */
export function operationsHandler(
  options: OperationsOptions,
): (request: Request, peerOf: () => string | null) => Promise<Response> | null {
  const { version, checks, isDraining, metrics, logger, metricsToken } = options
  const answers: Readonly<Record<string, (request: Request, peerOf: () => string | null) => Promise<Response>>> = {
    '/healthz': () => Promise.resolve(livenessAnswer(version)),
    '/readyz': async () =>
      readinessAnswer(
        await readiness({
          checks,
          partial: options.partial ?? new Set(),
          isDraining: isDraining(),
          timeoutMs: readinessTimeoutMs,
          onFailure: (name, reason) => logger.warn('readiness check failed', { check: name, reason: String(reason) }),
        }),
      ),
    '/metrics': async (request, peerOf) => {
      const refusal = metricsRefusal(metricsToken(), request, peerOf())
      if (refusal !== null) return answerError(refusal, requestIdOf(request), 'detail')
      return new Response(await metrics.text(), { headers: { 'content-type': metrics.contentType } })
    },
  }
  return (request, peerOf) => {
    const path = pathOf(request)
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined
    if (!answer) return null
    if (request.method === 'GET' || request.method === 'HEAD') return answer(request, peerOf)
    return Promise.resolve(new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } }))
  }
}
