import { isObject, type Json, type Path } from '../../document/json.ts'
import type { Complaint, LintFunction } from '../rule.ts'
import { eachOperation } from './each-operation.ts'

function check(list: Json | undefined, at: Path, declared: ReadonlySet<string>): Complaint[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((requirement: Json, index: number) =>
    (isObject(requirement) ? Object.keys(requirement) : []).flatMap((name) =>
      declared.has(name)
        ? []
        : [{ message: `The security scheme "${name}" is not declared.`, path: [...at, index, name] }],
    ),
  )
}

/** Security requirements name schemes that are declared. */
const securityDefined: LintFunction = (_, __, { root }) => {
  if (!isObject(root)) return []
  const { components, securityDefinitions } = root
  const schemes = isObject(components) ? components.securitySchemes : securityDefinitions
  const declared = new Set(isObject(schemes) ? Object.keys(schemes) : [])
  return [
    ...check(root.security, ['security'], declared),
    ...eachOperation(root).flatMap(({ operation, path }) => check(operation.security, [...path, 'security'], declared)),
  ]
}

export default securityDefined
