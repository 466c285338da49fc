import schema from '../functions/schema.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'xml.nodeType is used instead of the deprecated xml.attribute.',
  message: '"xml.attribute" is deprecated in OAS 3.2; use "xml.nodeType: attribute" instead.',
  severity: 'warning',
  formats: ['oas3_2'],
  given: ['$..[?(@ && @.xml)].xml'],
  then: [
    {
      run: schema,
      options: { schema: { not: { properties: { attribute: { const: true } }, required: ['attribute'] } } },
    },
  ],
  documentationUrl: 'https://spec.openapis.org/oas/v3.2.0.html#xml-object',
  help: {
    why: 'A later version of OpenAPI can remove xml.attribute.',
    bad: `
openapi: 3.2.0
components: { schemas: { Id: { type: string, xml: { attribute: true } } } }
`,
    good: `
openapi: 3.2.0
components: { schemas: { Id: { type: string, xml: { nodeType: attribute } } } }
`,
    remedy: 'Replace attribute: true with nodeType: attribute.',
  },
})
