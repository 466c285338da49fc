import refSiblings from '../functions/ref-siblings.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Before OpenAPI 3.1 nothing stands beside $ref: readers pass over it.',
  message: '{{error}}',
  severity: 'error',
  given: ["$..[?(@property === '$ref')]"],
  then: [{ run: refSiblings }],
  formats: ['oas2', 'oas3_0'],
  resolved: false,
})
