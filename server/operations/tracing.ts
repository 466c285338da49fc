import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, SpanContext, SpanKind } from '@opentelemetry/api'
import type { Sampler } from '@opentelemetry/sdk-trace'
import { SvcError } from '../../src/errors.ts'
import type { Tracer } from '../../src/kernel/span.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Takes the spans of this process and sends them. */
export interface Tracing extends Tracer {
  /** Sends what is waiting and stops; gives up after `timeoutMs`. */
  shutdown(timeoutMs: number): Promise<void>
}

/** Whether the standard variables ask for traces at all: an endpoint is named, and nothing switches them off. */
export const wantsTraces = (environment: Environment): boolean =>
  environment.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
  (environment.OTEL_TRACES_EXPORTER ?? 'otlp') === 'otlp' &&
  Boolean(environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT)

/**
 * Starts tracing over OTLP/HTTP where the standard OTEL_* variables ask for it, else gives null: without them not a line of
 * the libraries is loaded. Headers, timeout, compression and certificates are read by the exporter itself.
 * @throws SvcError `usage` for a protocol or a sampler that is not offered
 */
export async function startTracing(environment: Environment, version: string): Promise<Tracing | null> {
  if (!wantsTraces(environment)) return null
  const protocol =
    environment.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? environment.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/json'
  if (!protocol.startsWith('http/'))
    throw new SvcError('usage', {
      reason: `OTEL_EXPORTER_OTLP_PROTOCOL: "${protocol}" is not supported; traces are sent as http/json.`,
    })
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ ...resourceOf(environment), 'service.version': version }),
    sampler: samplerOf(sdk, environment),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: numberOf(environment.OTEL_BSP_SCHEDULE_DELAY, 5000),
        maxQueueSize: numberOf(environment.OTEL_BSP_MAX_QUEUE_SIZE, 2048),
        maxExportBatchSize: numberOf(environment.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, 512),
        exportTimeoutMillis: numberOf(environment.OTEL_BSP_EXPORT_TIMEOUT, 30_000),
      }),
    ],
  })
  const tracer = provider.getTracer('svc', version)
  const around = new AsyncLocalStorage<Span>()
  const kinds: Readonly<Record<'server' | 'internal' | 'client', SpanKind>> = {
    server: api.SpanKind.SERVER,
    internal: api.SpanKind.INTERNAL,
    client: api.SpanKind.CLIENT,
  }
  return {
    here() {
      const context = around.getStore()?.spanContext()
      return context === undefined ? null : traceparentOf(context)
    },
    async span({ name, kind, traceparent, attributes }, work) {
      const parent = around.getStore()?.spanContext() ?? parseTraceparent(traceparent ?? null)
      const context = parent === null ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, parent)
      const span = tracer.startSpan(name, { kind: kinds[kind], ...(attributes && { attributes }) }, context)
      const fail = (message: string) => void span.setStatus({ code: api.SpanStatusCode.ERROR, message })
      try {
        return await around.run(span, () =>
          work({
            traceId: span.spanContext().traceId,
            set: (more) => void span.setAttributes(more),
            rename: (to) => void span.updateName(to),
            fail,
          }),
        )
      } catch (error) {
        // The message may quote what a caller sent; the kind of the error is enough for a trace.
        const name = error instanceof Error ? error.name : 'unknown'
        fail(error instanceof SvcError ? error.code : name)
        throw error
      } finally {
        span.end()
      }
    },
    async shutdown(timeoutMs) {
      await Promise.race([provider.shutdown().catch(() => {}), Bun.sleep(timeoutMs)])
    },
  }
}

const numberOf = (text: string | undefined, otherwise: number): number => {
  const value = Number(text)
  return text !== undefined && Number.isInteger(value) && value > 0 ? value : otherwise
}

/** `OTEL_RESOURCE_ATTRIBUTES` (key=value, percent-encoded, comma-separated); `OTEL_SERVICE_NAME` wins for the name. */
function resourceOf(environment: Environment): Record<string, string> {
  const attributes: Record<string, string> = { 'service.name': 'svc' }
  for (const pair of (environment.OTEL_RESOURCE_ATTRIBUTES ?? '').split(',')) {
    const [name, value] = pair.split('=').map((part) => part.trim())
    if (!name || value === undefined) continue
    try {
      attributes[name] = decodeURIComponent(value)
    } catch {
      attributes[name] = value
    }
  }
  if (environment.OTEL_SERVICE_NAME) attributes['service.name'] = environment.OTEL_SERVICE_NAME
  return attributes
}

function samplerOf(sdk: typeof import('@opentelemetry/sdk-trace'), environment: Environment): Sampler {
  const name = environment.OTEL_TRACES_SAMPLER ?? 'parentbased_always_on'
  const argument = Number(environment.OTEL_TRACES_SAMPLER_ARG ?? 1)
  const roots: Readonly<Record<string, () => Sampler>> = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(argument >= 0 && argument <= 1 ? argument : 1),
  }
  const root = roots[name.replace(/^parentbased_/, '')]?.()
  if (!root) throw new SvcError('usage', { reason: `OTEL_TRACES_SAMPLER: unknown sampler "${name}".` })
  return name.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root
}

/** A place in a trace as a `traceparent` (W3C Trace Context, level 1). */
const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`

/** The caller's place in a trace, from a `traceparent` header (W3C Trace Context, level 1); null when it holds none. */
export function parseTraceparent(header: string | null): SpanContext | null {
  const parts = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/.exec(header ?? '')
  const [, traceId = '', spanId = '', flags = ''] = parts ?? []
  if (!parts || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}
