import { isObject } from '../../kernel/json.ts'
import { schemaDraft } from '../../document/format.ts'
import { rule, type LintFunction } from '../rule.ts'
import { checkRequired, requiresOthers } from '../schemas/required.ts'

/** Keys below which there are values, not schemas. */
const values = new Set(['example', 'examples', 'default', 'enum', 'const', 'x-example', 'x-examples'])
const maps = new Set(['properties', 'patternProperties', 'schemas', 'definitions', '$defs'])

const requiredDeclared: LintFunction = (input, _options, context) => {
  // Nearly every schema ends here; the path is made for the others only.
  if (!isObject(input) || !requiresOthers(input)) return []
  const { path, root, budget } = context
  // A property may be called "default"; a map of examples holds nothing else.
  const isValue = path.some((step, index) => values.has(String(step)) && !maps.has(String(path[index - 1])))
  if (isValue) return []
  return checkRequired({ schema: input, path, root, draft: schemaDraft(undefined) }, budget).map((it) => ({
    ...it,
    path: [...path, ...(it.path ?? [])],
  }))
}

export default rule({
  origin: 'svc',
  description: 'The required properties of a schema are declared in properties.',
  message: '{{error}}',
  severity: 'warning',
  resolved: false,
  formats: ['oas2', 'oas3'],
  given: ['$..[?(@ && @.required && @.properties)]'],
  then: [{ run: requiredDeclared }],
  documentationUrl: 'https://json-schema.org/understanding-json-schema/reference/object#required',
  help: {
    why: 'A required property without a declaration is usually misspelled, or was removed from "properties" only.',
    bad: `
openapi: 3.1.0
components:
  schemas:
    Pet: { type: object, properties: { name: { type: string } }, required: [nmae] }
`,
    good: `
openapi: 3.1.0
components:
  schemas:
    Pet: { type: object, properties: { name: { type: string } }, required: [name] }
`,
    remedy: 'Declare the property, or correct its name.',
  },
})
