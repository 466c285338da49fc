/** The credentials that an operation requires, from those that were given for its source. */
import { base64Of } from './secrets.ts'
import { isObject, textOf, type Json, type JsonObject } from '../kernel/json.ts'
import { derefObject, type Called } from './openapi.ts'
import { isSameParameter } from './parameters.ts'
import type { GivenParameter } from './request.ts'

/** Values by the source and the name of the security scheme: "shop.apiKey". */
export type Credentials = ReadonlyMap<string, string>

const schemesOf = (root: JsonObject): JsonObject =>
  derefObject(root, derefObject(root, root.components).securitySchemes)

/** The names of the security schemes of a description. */
export const schemeNames = (root: JsonObject): readonly string[] => Object.keys(schemesOf(root))

/** How a credential travels (OpenAPI 3.1, section "Security Scheme Object"); null where it is nothing that a request carries. */
function parameterOf(scheme: JsonObject, value: string): GivenParameter | null {
  const authorization = (text: string): GivenParameter => ({ name: 'Authorization', in: 'header', value: text })
  switch (scheme.type) {
    case 'apiKey':
      return { name: textOf(scheme.name), in: textOf(scheme.in), value }
    case 'http': {
      const kind = textOf(scheme.scheme)
      if (kind.toLowerCase() === 'basic') return authorization(`Basic ${base64Of(value)}`)
      return authorization(`${kind.toLowerCase() === 'bearer' ? 'Bearer' : kind} ${value}`)
    }
    case 'oauth2':
    case 'openIdConnect':
      return authorization(`Bearer ${value}`)
    default:
      return null
  }
}

/** What one alternative of `security` adds; null where a credential of it was not given. */
function suppliedBy(called: Called, alternative: Json, credentials: Credentials): readonly GivenParameter[] | null {
  const schemes = schemesOf(called.root)
  const parameters: GivenParameter[] = []
  for (const name of Object.keys(isObject(alternative) ? alternative : {})) {
    const value = credentials.get(`${called.source}.${name}`)
    const parameter = value === undefined ? null : parameterOf(derefObject(called.root, schemes[name]), value)
    if (parameter === null) return null
    parameters.push(parameter)
  }
  return parameters
}

/**
 * The parameters of a step, with the credentials that its operation requires: those of the first alternative whose credentials were
 * all given. What the step sets itself takes precedence.
 */
export function withCredentials(
  called: Called,
  given: readonly GivenParameter[],
  credentials: Credentials,
): readonly GivenParameter[] {
  const written = called.operation.security ?? called.root.security
  const alternatives = Array.isArray(written) && credentials.size > 0 ? (written as readonly Json[]) : []
  for (const alternative of alternatives) {
    const supplied = suppliedBy(called, alternative, credentials)
    if (supplied !== null && supplied.length > 0)
      return [...given, ...supplied.filter((it) => !given.some((other) => isSameParameter(it, other)))]
  }
  return given
}
