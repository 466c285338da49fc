import alphabetical from '../functions/alphabetical.ts'
import { isObject } from '../../kernel/json.ts'
import { sortItems } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'The tags are in alphabetical order.',
  message: 'OpenAPI object must have alphabetical "tags".',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ field: 'tags', run: alphabetical, options: { keyedBy: 'name' } }],
  fix: sortItems('Sort the tags by name', (tag) => (isObject(tag) ? String(tag.name) : '')),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#tag-object',
  help: {
    why: 'Entries of a long list are easier to find in alphabetical order.',
    bad: `
openapi: 3.1.0
tags: [{ name: pets }, { name: owners }]
`,
    good: `
openapi: 3.1.0
tags: [{ name: owners }, { name: pets }]
`,
    remedy: 'Sort the tags by name.',
  },
})
