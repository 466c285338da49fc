import { type Note, type Observe, pathOf } from '../http/door.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { RunningSpan } from '../../src/kernel/span.ts'
import type { Tracing } from './tracing.ts'
import { requestTimes } from './request-times.ts'
import { noteRequest } from './watchdog.ts'

/** Requests that are asked all day by machines: they are counted, and logged only at `debug`. */
const quietPaths = new Set(['/healthz', '/readyz', '/metrics'])

/** Notes a request that was answered: one log line and one count, of what the function below says. */
export function noteWith(options: { readonly logger: Logger; readonly metrics: Metrics | null }): Note {
  const { logger, metrics } = options
  return ({ method, path, requestId, route, status, begun, traceId }) => {
    const seconds = (performance.now() - begun) / 1000
    metrics?.requestEnded({ method, route, status, seconds })
    if (route !== null && !quietPaths.has(path)) requestTimes.note(`${method} ${route}`, seconds * 1000, Date.now())
    const loud = status >= 500 ? 'error' : 'info'
    const level = quietPaths.has(path) ? 'debug' : loud
    if (!logger.isEnabled(level)) return
    logger[level]('request', {
      request_id: requestId,
      method,
      route,
      path,
      status,
      duration_ms: Math.round(seconds * 100_000) / 100,
      ...(traceId !== undefined && { trace_id: traceId }),
    })
  }
}

/**
 * Joins log, metrics and traces into what the mount runs around every request. Each request gives one log line with its
 * id, method, route, path (never the query, which may hold a key), status and duration; one count; and, where tracing is
 * on, one server span named by the HTTP semantic conventions.
 */
export function observeWith(options: {
  readonly logger: Logger
  readonly metrics: Metrics | null
  readonly tracing: Tracing | null
}): Observe {
  const { metrics, tracing } = options
  const note = noteWith(options)
  return async ({ request, requestId, route }, run) => {
    const begun = performance.now()
    const path = pathOf(request)
    const release = metrics?.requestStarted()
    const endNote = noteRequest(request.method, route)
    let traceId: string | null = null
    let status = 500
    const answer = async (span: RunningSpan | null): Promise<Response> => {
      traceId = span?.traceId ?? null
      const response = await run()
      status = response.status
      const found = route()
      if (found !== null) span?.rename(`${request.method} ${found}`)
      span?.set({ 'http.response.status_code': status, ...(found !== null && { 'http.route': found }) })
      if (status >= 500) span?.fail(String(status))
      return response
    }
    try {
      if (tracing === null) return await answer(null)
      return await tracing.span(
        {
          name: request.method,
          kind: 'server',
          traceparent: request.headers.get('traceparent'),
          attributes: {
            'http.request.method': request.method,
            'url.path': path,
            'svc.request_id': requestId,
          },
        },
        answer,
      )
    } finally {
      release?.()
      endNote()
      const { method } = request
      note({ method, path, requestId, route: route(), status, begun, ...(traceId !== null && { traceId }) })
    }
  }
}
