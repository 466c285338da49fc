import schema from '../functions/schema.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'OpenAPI 3.2 writes xml.nodeType where older versions wrote xml.attribute.',
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
    why: 'A later version takes it away.',
    bad: `
openapi: 3.2.0
components: { schemas: { Id: { type: string, xml: { attribute: true } } } }
`,
    good: `
openapi: 3.2.0
components: { schemas: { Id: { type: string, xml: { nodeType: attribute } } } }
`,
    remedy: 'Write nodeType: attribute.',
  },
})
