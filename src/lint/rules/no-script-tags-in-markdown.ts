import pattern from '../functions/pattern.ts'
import { removeScripts } from '../fix/scripts.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Descriptions and titles contain no <script> tags.',
  message: 'Markdown descriptions must not have "<script>" tags.',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ['$..[description,title]'],
  then: [{ run: pattern, options: { notMatch: '<script' } }],
  fix: removeScripts,
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#rich-text-formatting',
  help: {
    why: 'Documentation generated from the description would run the script.',
    bad: `
openapi: 3.1.0
info: { description: 'Pets <script>alert(1)</script>' }
`,
    good: `
openapi: 3.1.0
info: { description: Pets }
`,
    remedy: 'Remove the script.',
  },
})
