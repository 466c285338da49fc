/** What one observation may cost. */
export interface ObservationLimits {
  /** For everything together. */
  readonly timeoutMs: number
  /** Of all answers together, decompressed. */
  readonly maxBytes: number
  /** Pages of all lists together. */
  readonly maxPages: number
  /** Tools, resources, templates and prompts together. */
  readonly maxItems: number
}

export const observationLimits: ObservationLimits = {
  timeoutMs: 15_000,
  maxBytes: 8 * 1024 * 1024,
  maxPages: 64,
  maxItems: 2000,
}

/** How deep what a server sends may nest, and of how many values it may consist. */
export const shapeLimits = { maxDepth: 200, maxValues: 500_000 } as const

/** Requests of one observation, so that a server cannot keep it busy with redirects or its own messages. */
export const maxRequests = 200
