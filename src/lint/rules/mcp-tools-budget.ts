import { mcpAliases } from '../descriptors/aliases.ts'
import { toolsBudget } from '../descriptors/budget.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'The definitions of all tools of a server take at most 8,000 tokens.',
  message: '{{error}}',
  severity: 'info',
  resolved: false,
  formats: ['mcp'],
  aliases: mcpAliases,
  given: ['#Tools'],
  then: [{ run: toolsBudget, options: { max: 8000 } }],
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#listing-tools',
  help: {
    why: 'A host sends all definitions to its model with every request. A token counts as four bytes of JSON.',
    bad: `
tools: [
    &tool { name: find_orders, inputSchema: { type: object }, description: '
      Finds the orders of a customer by their state, by the day on which they were placed, by the day on which they were sent,
      and by the things that were ordered. Returns the newest first. An order that was cancelled is returned where its state is
      asked for. Dates are those of the calendar of the shop. A customer is known by the number that is printed on each invoice,
      or by an address of electronic mail; where both are given they have to belong together. Without a customer the orders of
      all customers are returned, as far as whoever asks may see them, and at most one hundred of them, with the place at which
      the next question goes on.' },
    *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool,
    *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool,
    *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool,
    *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool, *tool,
  ]
`,
    good: `
tools:
  - name: find_orders
    description: Finds the orders of a customer by their state.
    inputSchema: { type: object }
`,
    remedy: 'Shorten descriptions, leave out what a schema says already, combine similar tools, or split the server.',
  },
})
