import absent from '../functions/undefined.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'No webhook defines callbacks.',
  message: 'Callbacks should not be defined in a webhook.',
  severity: 'warning',
  formats: ['oas3_1', 'oas3_2'],
  given: ['$.webhooks[*][*].callbacks'],
  then: [{ run: absent }],
})
