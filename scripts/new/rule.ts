import { assertKebab, camel, type Plan } from './plan.ts'

const ruleText = (id: string): string => `import { rule } from '../rule.ts'
import type { LintFunction } from '../rule.ts'

/** Finds an info without the extension. */
const ${camel(id)}: LintFunction = (input) => (input === undefined ? [{ message: 'Info must have "x-${id}".' }] : [])

export default rule({
  origin: 'svc',
  description: 'Info has the extension "x-${id}".',
  message: '{{error}}',
  severity: 'warning',
  formats: ['oas3'],
  given: ['$.info'],
  then: [{ field: 'x-${id}', run: ${camel(id)} }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#info-object',
  help: {
    why: 'Say what goes wrong for clients or readers without it.',
    bad: \`
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths: {}
\`,
    good: \`
openapi: 3.1.0
info: { title: Pets, version: 1.0.0, x-${id}: yes }
paths: {}
\`,
    remedy: 'Say what to add, change or remove.',
  },
})
`

const testText = (id: string): string => `import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import rule from '../../../src/lint/rules/${id}.ts'

const found = (text: string): string[] =>
  lint(parseDocument(text, { source: 'api.yaml' }), { '${id}': rule }).findings.map(
    ({ pointer, message }) => \`\${pointer}: \${message}\`,
  )

test('${id} reports what is wrong, where it is, and nothing else', () => {
  // Replace both documents by the smallest ones that show the rule.
  expect(found('{ openapi: 3.1.0, info: { title: Pets, version: 1.0.0 }, paths: {} }')).toEqual([])
})
`

/** A lint rule and its test; the examples of its help are run by test/src/lint/help.test.ts. */
export const newRule = (_root: string, id: string): Plan => {
  assertKebab(id)
  return {
    created: { [`src/lint/rules/${id}.ts`]: ruleText(id), [`test/src/lint/${id}.test.ts`]: testText(id) },
    changed: {},
    next: ['npm run gen', `npm test -- test/src/lint/${id}.test.ts test/src/lint/help.test.ts`],
  }
}
