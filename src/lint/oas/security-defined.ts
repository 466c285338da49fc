import { isObject, type Json } from '../../kernel/json.ts'
import { getPath } from '../../kernel/pointer.ts'
import type { Violation, LintFunction } from '../rule.ts'

const hasScope = (scheme: Json | undefined, scope: string, version: Json | undefined): boolean => {
  if (!isObject(scheme)) return false
  const holders = version === 2 ? [scheme] : isObject(scheme.flows) ? Object.values(scheme.flows) : []
  return holders.some((it) => isObject(it) && isObject(it.scopes) && Object.hasOwn(it.scopes, scope))
}

/** A security requirement names schemes that are defined, and scopes that they list. `oasVersion` is 2 or 3. */
const securityDefined: LintFunction = (input, { oasVersion }, { entry, root, path, deref }) => {
  if (!isObject(input)) return []
  const lists = Object.values(input)
  if (!lists.every((it) => Array.isArray(it) && it.every((scope) => typeof scope === 'string'))) return []
  const location = oasVersion === 2 ? ['securityDefinitions'] : ['components', 'securitySchemes']
  const schemes = getPath(entry, location)
  const violations: Violation[] = []
  for (const [name, scopes] of Object.entries(input) as [string, readonly string[]][]) {
    if (!isObject(schemes) || !Object.hasOwn(schemes, name)) {
      const who = root === entry && path.length === 2 ? 'API' : 'Operation'
      const message = `${who} "security" values must match a scheme defined in the "${location.join('.')}" object.`
      violations.push({ message, path: [...path, name] })
      continue
    }
    const scheme = deref(schemes[name] as Json)
    for (const [index, scope] of scopes.entries())
      if (!hasScope(scheme, scope, oasVersion))
        violations.push({ message: `"${scope}" must be listed among scopes.`, path: [...path, name, index] })
  }
  return violations
}
export default securityDefined
