import { livenessAnswer, readiness, readinessAnswer, type Check } from './health.ts'
import { pathOf } from '../http/request-path.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'

/** What the operators' addresses need to know. */
export interface OperationsOptions {
  readonly version: string
  readonly checks: Readonly<Record<string, Check>>
  readonly isDraining: () => boolean
  readonly metrics: Metrics
  readonly logger: Logger
}

const readinessTimeoutMs = 2000

/** Answers `/healthz`, `/readyz` and `/metrics`; null for every other path. They need no credentials and name no data. */
export function operationsHandler(options: OperationsOptions): (request: Request) => Promise<Response> | null {
  const { version, checks, isDraining, metrics, logger } = options
  const answers: Readonly<Record<string, () => Promise<Response>>> = {
    '/healthz': () => Promise.resolve(livenessAnswer(version)),
    '/readyz': async () =>
      readinessAnswer(
        await readiness({
          checks,
          isDraining: isDraining(),
          timeoutMs: readinessTimeoutMs,
          onFailure: (name, reason) => logger.warn('readiness check failed', { check: name, reason: String(reason) }),
        }),
      ),
    '/metrics': async () => new Response(await metrics.text(), { headers: { 'content-type': metrics.contentType } }),
  }
  return (request) => {
    const path = pathOf(request)
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined
    if (!answer) return null
    if (request.method === 'GET' || request.method === 'HEAD') return answer()
    return Promise.resolve(new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } }))
  }
}
