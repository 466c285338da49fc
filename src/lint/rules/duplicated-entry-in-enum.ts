import distinct from '../functions/distinct.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'No value stands twice in an enum.',
  message: 'A duplicated entry in the enum was found. Error: {{error}}',
  severity: 'warning',
  given: ['$..[?(@property === "enum" && @.length)]'],
  then: [{ run: distinct }],
  formats: ['oas2', 'oas3'],
})
