import { sizeOf } from '../../mcp/budget.ts'
import { listTools } from '../../mcp/server.ts'
import { command } from '../../cli/declare.ts'
import { toolNamesOf } from '../../cli/mcp/access.ts'
import { plural } from '../../src/kernel/plural.ts'

export default command({
  summary: 'List the tools for agents and the size of their definitions',
  examples: ['svc mcp tools', 'svc mcp tools --json'],
  arguments: [],
  options: {},
  async run({ env }) {
    const tools = listTools(toolNamesOf(env))
    const tokens = (value: unknown) => Math.ceil(sizeOf(value) / 4)
    const width = Math.max(...tools.map(({ name }) => name.length)) + 2
    const lines = tools.map(
      (tool) => `${tool.name.padEnd(width)}${String(tokens(tool)).padStart(4)} tokens  ${tool.description ?? ''}`,
    )
    return {
      data: tools.map((tool) => ({ ...tool, tokens: tokens(tool) })),
      summary: { tools: tools.length, tokens: tokens(tools) },
      text: `${lines.join('\n')}\n\n${plural(tools.length, 'tool')}, ${plural(tokens(tools), 'token')} together.\n`,
    }
  },
})
