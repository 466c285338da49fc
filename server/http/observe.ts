/** Runs around every request: logs, metrics and traces. `route` gives the path template once it is
 * known, and null where nothing matched. */
export type Observe = (
  facts: { readonly request: Request; readonly requestId: string; readonly route: () => string | null },
  run: () => Promise<Response>,
) => Promise<Response>

/** Called with a request that was answered from memory, in place of `Observe`: the same log line, the same count. */
export type Note = (facts: {
  readonly method: string
  readonly path: string
  readonly requestId: string
  readonly route: string | null
  readonly status: number
  /** `performance.now()` when it came. */
  readonly begun: number
  readonly traceId?: string
}) => void
