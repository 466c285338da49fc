import { validateStructure } from '../../document/validate/structure.ts'
import { isObject } from '../../kernel/json.ts'
import type { LintFunction } from '../rule.ts'

/**
 * The structure of OpenAPI 3, with unknown properties reported where Spectral reports them: from 3.1 on, once at the
 * object that holds them.
 */
const spectralStructure: LintFunction = (input, _options, { document, documents }) => {
  const atHolder = isObject(input) && /^3\.[12]\./.test(String(input.openapi))
  return validateStructure(document, documents).map(({ code, message, path, document: holder }) =>
    atHolder && code === 'structure-unknown-field'
      ? {
          message: '#{{print("property")}}must not have unevaluated properties.',
          path: path.slice(0, -1),
          document: holder,
        }
      : { message, path, document: holder },
  )
}
export default spectralStructure
