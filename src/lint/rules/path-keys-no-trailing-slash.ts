import pattern from '../functions/pattern.ts'
import { rename } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'No path ends with a slash.',
  message: 'Path must not end with slash.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$.paths'],
  then: [{ field: '@key', run: pattern, options: { notMatch: '.+\\/$' } }],
  fix: rename('Remove the slash at the end', (key) => key.replace(/\/+$/, '')),
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#paths-object',
  help: {
    why: 'With and without the slash are two addresses; many servers answer at one of them alone.',
    bad: `
openapi: 3.1.0
paths: { /pets/: {} }
`,
    good: `
openapi: 3.1.0
paths: { /pets: {} }
`,
    remedy: 'Take the slash off.',
  },
})
