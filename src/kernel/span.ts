/**
 * Where a trace is continued: what begins a request, a job or an outgoing call says so here, whether or not traces are sent. Without a
 * tracer nothing of it costs more than a call.
 */

type Attributes = Readonly<Record<string, string | number | boolean>>

export interface SpanFacts {
  /** Out of a closed set, as "job import" or "SELECT". */
  readonly name: string
  readonly kind: 'server' | 'internal' | 'client'
  readonly attributes?: Attributes
  /** Where the trace began: a `traceparent` (W3C Trace Context). The span around it goes before that. */
  readonly traceparent?: string | null
  /** Only within another span: what runs outside of any is not worth a trace, as looking for due work. */
  readonly isInner?: boolean
}

/** A span that runs. */
export interface RunningSpan {
  readonly traceId: string
  /** Adds what became known while it ran. */
  set(attributes: Attributes): void
  /** Renames it, as a server span is named after its route. */
  rename(name: string): void
  /** Marks it as failed. */
  fail(message: string): void
}

export interface Tracer {
  /** Runs `work` in a span. What it throws fails the span and passes on. */
  span<T>(facts: SpanFacts, work: (span: RunningSpan) => Promise<T>): Promise<T>
  /** The `traceparent` of the span around the caller; null outside of any. */
  here(): string | null
}

let tracer: Tracer | null = null

/** Sets what takes the spans of this process; null: nothing does. */
export const traceWith = (taking: Tracer | null): void => {
  tracer = taking
}

/** Runs `work` in a span where traces are on, else as it is: its span is null then. */
export const inSpan = async <T>(facts: SpanFacts, work: (span: RunningSpan | null) => Promise<T>): Promise<T> =>
  tracer === null || (facts.isInner === true && tracer.here() === null) ? work(null) : tracer.span(facts, work)

/** The place of the caller in a trace as a `traceparent` (W3C Trace Context), to be continued elsewhere; null where there is none. */
export const traceHere = (): string | null => tracer?.here() ?? null

/** The id of the trace around the caller, for a line of a log; null where there is none. */
export const traceIdHere = (): string | null => traceHere()?.split('-')[1] ?? null
