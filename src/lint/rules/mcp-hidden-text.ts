import { rewriteText } from '../fix/fixers.ts'
import { findHiddenText } from '../descriptors/hidden-text.ts'
import { visibleText } from '../descriptors/texts.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Names and texts hold no characters that people do not see and models read.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  given: ['$..*', '$..*~'],
  then: [{ run: visibleText }],
  fix: rewriteText('Remove the hidden characters', (text) => findHiddenText(text)?.clean ?? text),
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations',
  help: {
    why: 'Tag characters, zero-width characters and bidirectional controls carry orders to a model past everybody who reviews the text.',
    bad: `
tools:
  - name: find_orders
    description: "Finds orders.\\u200B\\u200B\\u202E"
`,
    good: `
tools:
  - name: find_orders
    description: Finds orders.
`,
    remedy: 'Take the characters out, and find out who put them in.',
  },
})
