import { chainMatrix, type ChainMatrix } from '../../../src/mcp-catalogue/chain.ts'
import type { Surface } from '../../../src/mcp-catalogue/types.ts'

/** Decides which tools of a server take what others answer. */
export const run = ({ tools }: Pick<Surface, 'tools'>): ChainMatrix => chainMatrix(tools, tools)
