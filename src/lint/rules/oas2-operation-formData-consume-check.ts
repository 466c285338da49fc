import formDataConsumes from '../oas/form-data-consumes.ts'
import { oasAliases } from '../oas/aliases.ts'
import { addItem } from '../../document/node-edits.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'spectral',
  description: 'Operations with form parameters consume a form media type.',
  message:
    'Operations with "in: formData" parameter must include "application/x-www-form-urlencoded" or "multipart/form-data" in their "consumes" property.',
  severity: 'warning',
  formats: ['oas2'],
  aliases: oasAliases,
  given: ['#Operation'],
  then: [{ run: formDataConsumes }],
  fix: ({ document, path }) => {
    const edit = addItem(document, [...path, 'consumes'], 'multipart/form-data')
    return edit === null ? null : { description: 'Consume a form media type', edits: [edit] }
  },
  documentationUrl: 'https://spec.openapis.org/oas/v2.0.html#operation-object',
  help: {
    why: 'Form parameters can be sent in a form body only.',
    bad: `
swagger: "2.0"
paths:
  /pets:
    get:
      consumes: [application/json]
      parameters: [{ name: photo, in: formData, type: file }]
`,
    good: `
swagger: "2.0"
paths:
  /pets:
    get:
      consumes: [multipart/form-data]
      parameters: [{ name: photo, in: formData, type: file }]
`,
    remedy: 'Add multipart/form-data or application/x-www-form-urlencoded to "consumes".',
  },
})
