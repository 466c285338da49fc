import { Value } from '@sinclair/typebox/value'
import { ProtocolError } from '@modelcontextprotocol/server'
import type { Call } from '../src/api/endpoint.ts'
import { specsApi } from '../src/api/specs.ts'
import { SvcError } from '../src/errors.ts'
import { apiHintOf } from '../src/errors/api-hints.ts'
import { replyOf, type ToolReply } from './budget.ts'
import type { CursorSeal } from './cursor-seal.ts'
import { refusalOf } from './refusals.ts'
import { runTool, type CommonArguments } from './run-tool.ts'
import { underscored, type Tool } from './tool.ts'

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
  readonly seal: CursorSeal
  readonly onFault: (fault: unknown) => void
}): Promise<ToolAnswer> {
  const tool = findTool(options.tools, options.name)
  if (!tool) throw new ProtocolError(-32602, `Unknown tool "${options.name.slice(0, 100)}".`)
  const args = (options.args ?? {}) as CommonArguments
  try {
    // Before the arguments are looked at: a caller without the tool learns nothing from it.
    if (tool.isLocal !== true) await options.call(specsApi.caller, { query: { tool: tool.name } })
    if (!Value.Check(tool.input, args)) return failure(invalidArguments(tool, args))
    return replyOf(await runTool(tool, args, options))
  } catch (error) {
    if (!(error instanceof SvcError)) {
      options.onFault(error)
      return failure({ code: 'internal', message: 'The tool failed because of an internal error.' })
    }
    const refusal = refusalOf(error)
    if (refusal) throw refusal
    const { code, message } = error
    return failure({ code, message, hint: apiHintOf(error) })
  }
}

/** Names every wrong argument and, so that the next try is right, those that exist. */
function invalidArguments(tool: Tool, args: unknown): object {
  const problems = [...Value.Errors(tool.input, args)].slice(0, 10)
  return {
    code: 'arguments-invalid',
    message: `Invalid arguments for ${tool.name}.`,
    problems: problems.map(({ path, message }) => ({ argument: path.slice(1), message })),
    arguments: Object.keys(tool.input.properties),
  }
}
