import { compareSurfaces } from '../../../src/mcp-catalogue/compare.ts'
import type { Surface, SurfaceComparison } from '../../../src/mcp-catalogue/types.ts'

/** Compares two surfaces of a server. */
export const run = (input: { readonly before: Surface; readonly after: Surface }): SurfaceComparison =>
  compareSurfaces(input.before, input.after)
