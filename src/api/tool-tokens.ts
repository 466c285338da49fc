import { Type } from '@sinclair/typebox'
import { titled } from '../kernel/shapes.ts'

/** What the tools of an MCP server cost. */
export const ToolTokens = titled(
  'McpToolTokens',
  Type.Object(
    {
      count: Type.Integer({ description: 'The tools of the server.' }),
      tokens: Type.Integer({ description: 'What their definitions take; a token counts as four bytes of JSON.' }),
      saved_by_defs: Type.Integer({
        description:
          'How many of these tokens would be saved if parts of schemas that repeat were written once, below $defs.',
      }),
    },
    { description: 'A host sends the definitions of all tools to its model with every request.' },
  ),
)
