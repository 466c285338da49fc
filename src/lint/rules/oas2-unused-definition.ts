import unreferencedReusableObject from '../functions/unreferencedReusableObject.ts'
import { remove } from '../fix/fixers.ts'
import { rule } from '../rule.ts'

export default rule({
  description: 'Every definition is used.',
  message: 'Potentially unused definition has been detected.',
  severity: 'warning',
  resolved: false,
  formats: ['oas2'],
  given: ['$.definitions'],
  then: [{ run: unreferencedReusableObject, options: { reusableObjectsLocation: '#/definitions' } }],
  fix: remove('Remove the definition', 1),
})
