import tagsDefined from '../functions/tags-defined.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every tag of an operation is described at the root.',
  message: 'Operation tags must be defined in global tags.',
  severity: 'warning',
  given: ['$'],
  then: [{ run: tagsDefined }],
  formats: ['oas2', 'oas3'],
})
