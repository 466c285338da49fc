import type { Call } from '../src/api/endpoint.ts'
import { bytesOfTokens, defaultTokens } from './budget.ts'
import { type CursorSeal, scopeOf, sealBytes } from './cursor-seal.ts'
import type { Tool } from './tool.ts'

/** Arguments that concern every tool. */
export interface CommonArguments {
  readonly cursor?: string
  readonly max_tokens?: number
}

/** The way to the service for one caller, and the seal of the cursors it is given. */
export interface Way {
  readonly call: Call
  readonly seal: CursorSeal
}

/**
 * Runs a tool with arguments that fit it. The cursor that came is opened and the one that goes is sealed, so that each
 * continues only with its own question.
 * @throws SvcError `cursor-invalid` and what the tool raises
 */
export async function runTool(tool: Tool, args: CommonArguments, { call, seal }: Way): Promise<object> {
  // Made where there is a cursor: the question may hold documents.
  let made: string | null = null
  const scope = (): string => (made ??= scopeOf(tool.name, { ...args }))
  const opened = args.cursor === undefined ? args : { ...args, cursor: seal.open(scope(), args.cursor) }
  // The answer is in the reply twice, and so is what the seal adds to its cursor.
  const budgetBytes = bytesOfTokens(args.max_tokens ?? defaultTokens) - 2 * sealBytes
  const answer: { readonly next_cursor?: unknown } = await tool.run(opened as never, { call, budgetBytes })
  const next = answer.next_cursor
  return typeof next === 'string' ? { ...answer, next_cursor: seal.wrap(scope(), next) } : answer
}
