import unusedComponents from '../oas/unused-components.ts'
import { remove } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every component is used.',
  message: 'Potentially unused component has been detected.',
  severity: 'warning',
  resolved: false,
  formats: ['oas3'],
  given: ['$'],
  then: [{ run: unusedComponents }],
  fix: remove('Remove the component', 2),
})
