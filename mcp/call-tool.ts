import { Value } from '@sinclair/typebox/value'
import { ProtocolError } from '@modelcontextprotocol/server'
import type { Call } from '../src/api/endpoint.ts'
import { SvcError } from '../src/errors.ts'
import { bytesOfTokens, defaultTokens, replyOf, type ToolReply } from './budget.ts'
import { underscored, type Tool } from './tool.ts'

/** JSON-RPC codes of refusals, in the range that JSON-RPC leaves to servers; `data.code` says which refusal it is. */
export const refusalCodes = { credentials: -32001, denied: -32003 } as const

/** Refusals that concern the caller rather than the question: they are protocol errors, which no model can argue with. */
const protocolRefusals: Readonly<Partial<Record<string, number>>> = {
  capability_disabled: refusalCodes.denied,
  'scope-denied': refusalCodes.denied,
  'permission-denied': refusalCodes.denied,
  'membership-suspended': refusalCodes.denied,
  'credentials-invalid': refusalCodes.credentials,
  'credentials-missing': refusalCodes.credentials,
}

export type ToolAnswer = ToolReply | { readonly isError: true; readonly content: ToolReply['content'] }

const failure = (value: object): ToolAnswer => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify(value) }],
})

/** Finds a tool by its name in either spelling. */
export const findTool = (tools: readonly Tool[], name: string): Tool | undefined =>
  tools.find((tool) => tool.name === name || underscored(tool.name) === name)

/**
 * Runs a tool. Wrong arguments and expected failures are answers with `isError`, which the model reads and learns from.
 *
 * @throws ProtocolError for an unknown tool (-32602) and for refused credentials or capabilities (`refusalCodes`)
 */
export async function callTool(options: {
  readonly tools: readonly Tool[]
  readonly name: string
  readonly args: unknown
  readonly call: Call
  readonly onFault: (fault: unknown) => void
}): Promise<ToolAnswer> {
  const tool = findTool(options.tools, options.name)
  if (!tool) throw new ProtocolError(-32602, `There is no tool "${options.name.slice(0, 100)}".`)
  const args = (options.args ?? {}) as { readonly max_tokens?: number }
  if (!Value.Check(tool.input, args)) return failure(invalidArguments(tool, args))
  const budgetBytes = bytesOfTokens(args.max_tokens ?? defaultTokens)
  try {
    return replyOf(await tool.run(args as never, { call: options.call, budgetBytes }))
  } catch (error) {
    if (!(error instanceof SvcError)) {
      options.onFault(error)
      return failure({ code: 'internal', message: 'The tool failed by a fault of the service.' })
    }
    const { code, message, hint } = error
    const refusal = protocolRefusals[code]
    if (refusal !== undefined) throw new ProtocolError(refusal, message, { code, hint })
    return failure({ code, message, hint })
  }
}

/** Names every wrong argument and, so that the next try is right, those that exist. */
function invalidArguments(tool: Tool, args: unknown): object {
  const problems = [...Value.Errors(tool.input, args)].slice(0, 10)
  return {
    code: 'arguments-invalid',
    message: `The arguments do not fit ${tool.name}.`,
    problems: problems.map(({ path, message }) => ({ argument: path.slice(1), message })),
    arguments: Object.keys(tool.input.properties),
  }
}
