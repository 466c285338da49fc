import uniqueEnum from '../oas/unique-enum.ts'
import { dropRepeated } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'An enum lists every value once.',
  message: '{{error}}',
  severity: 'warning',
  formats: ['oas2', 'oas3'],
  given: ["$..[?(@property !== 'properties' && @ != null && @.enum && @.enum.constructor.name === 'Array')]"],
  then: [{ field: 'enum', run: uniqueEnum }],
  fix: dropRepeated('Remove what is listed twice'),
})
