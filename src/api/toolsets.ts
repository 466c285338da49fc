/**
 * What an agent key may be given, and the tools that each set contains. Those of `mcpTools` are tools of the MCP server, and read only; the
 * others are operations over REST, which say in their contract (`agentTool`) which tool
 * reaches them.
 */
export const toolsets = {
  'catalog-read': [
    'ping',
    'project.list',
    'spec.list',
    'spec.describe',
    'spec.export',
    'spec.search',
    'type.list',
    'type.describe',
    'mcp_server.describe',
  ],
  lint: [
    'ping',
    'project.list',
    'spec.list',
    'spec.describe',
    'lint.check',
    'explain',
    'lint.catalog',
    'lint.preflight',
  ],
  diff: [
    'ping',
    'project.list',
    'spec.list',
    'spec.describe',
    'diff.compare',
    'schema.contains',
    'explain',
    'diff.classified',
  ],
  design: [
    'ping',
    'project.list',
    'spec.list',
    'spec.describe',
    'spec.export',
    'spec.search',
    'type.list',
    'type.describe',
    'mcp_server.describe',
    'lint.check',
    'diff.compare',
    'schema.contains',
    'explain',
    'lint.catalog',
    'lint.preflight',
    'diff.classified',
    'import.create',
  ],
} as const

export const toolsetNames = ['catalog-read', 'lint', 'diff', 'design'] as const
export type Toolset = (typeof toolsetNames)[number]

/** The tools of agents that are operations over REST. */
export const restTools = ['lint.catalog', 'lint.preflight', 'diff.classified', 'import.create'] as const
export type RestTool = (typeof restTools)[number]
