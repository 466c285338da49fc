import unusedComponents from '../oas/unused-components.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every component is used.',
  message: 'Potentially unused component has been detected.',
  severity: 'warning',
  resolved: false,
  formats: ['oas3'],
  given: ['$'],
  then: [{ run: unusedComponents }],
})
