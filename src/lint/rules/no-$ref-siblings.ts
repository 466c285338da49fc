import refSiblings from '../oas/ref-siblings.ts'
import { remove } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Nothing stands beside $ref, where it would be ignored.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['oas2', 'oas3_0'],
  given: ["$..[?(@property === '$ref')]"],
  then: [{ run: refSiblings }],
  fix: remove('Remove what is ignored beside $ref'),
})
