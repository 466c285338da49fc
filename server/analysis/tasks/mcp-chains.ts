import { chainMatrix, type ChainMatrix } from '../../../src/mcp-catalogue/chain.ts'
import type { Surface } from '../../../src/mcp-catalogue/types.ts'
import type { Desk } from '../desk.ts'

// The pair under way is decided, and all has to be sent, before the deadline ends the task without an answer.
const mostUsed = 0.5

/** Decides which tools of a server take what others answer; pairs for which there is no time are undecided. */
export const run = ({ tools }: Pick<Surface, 'tools'>, desk: Desk): ChainMatrix =>
  chainMatrix(tools, tools, { isOver: () => desk.used() > mostUsed })
