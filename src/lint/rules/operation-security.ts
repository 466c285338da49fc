import { isObject } from '../../kernel/json.ts'
import { methodsOf } from '../../kernel/methods.ts'
import { eachOperation } from '../oas/operations.ts'
import { rule, type LintFunction } from '../rule.ts'

/** Each operation says how it is secured, itself or by the document; one finding for the document where none does. */
const secured: LintFunction = (input, _options, { deref }) => {
  if (!isObject(input) || Object.hasOwn(input, 'security')) return []
  const all = [...eachOperation(input.paths, methodsOf(input), deref)]
  const open = all.filter(({ operation }) => !Object.hasOwn(operation, 'security'))
  if (open.length === 0) return []
  if (open.length === all.length)
    return [
      { message: 'Neither the document nor any operation has "security"; write "security: []" if none is needed.' },
    ]
  return open.map(({ path, steps }) => ({
    message: 'Operation has no "security", and the document has none; write "security: []" if none is needed.',
    path: ['paths', path, ...steps],
  }))
}

export default rule({
  origin: 'svc',
  description: 'Every operation declares its security, itself or for the whole document.',
  message: '{{error}}',
  severity: 'warning',
  recommended: false,
  formats: ['oas2', 'oas3'],
  given: ['$'],
  then: [{ run: secured }],
  documentationUrl: 'https://spec.openapis.org/oas/v3.1.1.html#security-requirement-object',
  help: {
    why: 'Without a declaration, a public operation looks like one whose protection was forgotten.',
    bad: `
openapi: 3.1.0
paths:
  /pets:
    get: { responses: { '200': { description: Pets } } }
`,
    good: `
openapi: 3.1.0
security: [{ key: [] }]
paths:
  /pets:
    get: { responses: { '200': { description: Pets } } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`,
    remedy: 'Declare the security schemes that a request needs, or "security: []" if it needs none.',
  },
})
