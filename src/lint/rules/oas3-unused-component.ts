import unusedComponents from '../functions/unused-components.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every component is used.',
  message: 'Potentially unused component has been detected.',
  severity: 'warning',
  given: ['$'],
  then: [{ run: unusedComponents }],
  formats: ['oas3'],
  resolved: false,
})
