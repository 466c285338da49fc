import { rewriteText } from '../fix/fixers.ts'
import { findHiddenText } from '../../kernel/hidden-text.ts'
import { visibleText } from '../descriptors/texts.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Names and descriptions contain no invisible characters.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['mcp'],
  given: ['$..*', '$..*~'],
  then: [{ run: visibleText }],
  fix: rewriteText('Remove the hidden characters', (text) => findHiddenText(text)?.clean ?? text),
  documentationUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations',
  help: {
    why: 'Tag characters, zero-width characters and bidirectional controls can hide instructions to a model from human reviewers.',
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
    remedy: 'Remove the characters, and check where they came from.',
  },
})
