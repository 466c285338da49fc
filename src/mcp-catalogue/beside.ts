import type { SurfaceComparison } from './types.ts'

/** What rules for MCP servers look at beside the document: what was approved, and what other servers offer. */
export interface Beside {
  /** How the document differs from what was approved; null where nothing was. */
  readonly drift: SurfaceComparison | null
  /** The tools of other servers: the names of the servers by the name of the tool. */
  readonly others: Readonly<Record<string, readonly string[]>>
}
