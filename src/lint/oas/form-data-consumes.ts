import { isObject, type Json } from '../../kernel/json.ts'
import type { LintFunction } from '../rule.ts'

const forms = /application\/x-www-form-urlencoded|multipart\/form-data/

/** An operation of Swagger 2.0 with form parameters consumes forms. */
const formDataConsumes: LintFunction = (input, _options, { deref }) => {
  if (!isObject(input) || !Array.isArray(input.consumes) || !Array.isArray(input.parameters)) return []
  const hasForm = (input.parameters as readonly Json[]).some((it) => {
    const parameter = deref(it)
    return isObject(parameter) && parameter.in === 'formData'
  })
  if (!hasForm || forms.test(input.consumes.join(','))) return []
  return [{ message: 'Parameters in formData need "consumes" to name a form media type' }]
}
export default formDataConsumes
