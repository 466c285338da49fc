import { factsOf, surfaceConflicts, type Observed } from '../../../src/mcp-catalogue/facts.ts'
import type { DeclaredServer, Provenance } from '../../../src/mcp-catalogue/types.ts'

/** Compares what is declared of a server with what was observed; `conflicts` counts tools, resources and prompts. */
export function run(input: {
  readonly declared: DeclaredServer | null
  readonly observed: Observed | null
}): Provenance & { readonly conflicts: number } {
  const provenance = factsOf(input.declared, input.observed)
  return { ...provenance, conflicts: surfaceConflicts(provenance) }
}
