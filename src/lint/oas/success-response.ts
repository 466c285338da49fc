import { isObject } from '../../kernel/json.ts'
import type { LintFunction } from '../rule.ts'

/** The responses have one that is not an error. Ranges such as 2XX are of OpenAPI 3. */
const successResponse: LintFunction = (input, _options, { formats }) => {
  if (!isObject(input)) return []
  const isSuccess = (status: string) =>
    (Number(status) >= 200 && Number(status) < 400) || (formats.has('oas3') && /^[23]XX$/.test(status))
  if (Object.keys(input).some(isSuccess)) return []
  return [{ message: 'Operation must define at least a single 2xx or 3xx response' }]
}
export default successResponse
