import { isObject } from '../document/json.ts'
import type { Json, Path } from '../document/json.ts'

const containers = new Set(['properties', 'patternProperties'])

/**
 * Names a place of a schema for a person: `User.address.street`, `items[]`; empty for a schema that stands directly in an
 * operation.
 */
export const describeSchemaPath = (path: Path): string => {
  const begin = path.findIndex((step, i) => step === 'schemas' && path[i - 1] === 'components')
  const definitions = path[0] === 'definitions' || path[0] === '$defs' ? 1 : -1
  const inline = path.lastIndexOf('schema')
  const from = begin >= 0 ? begin + 1 : definitions >= 0 ? definitions : inline >= 0 ? inline + 1 : 0
  let text = ''
  for (let i = from; i < path.length; i++) {
    const step = String(path[i])
    if (i === from && from !== inline + 1 && from > 0) text = step
    else if (containers.has(step) && i + 1 < path.length) text += `.${String(path[++i])}`
    else if (step === 'items' || step === 'prefixItems') text += '[]'
    else if (step === 'additionalProperties') text += '.*'
    else if (step === 'allOf') i++
    else if (step === 'oneOf' || step === 'anyOf') i++
    else break
  }
  return text.startsWith('.') ? text.slice(1) : text
}

/** Where a schema of an operation stands, in a few words; null for named schemas. `nameAt`: the `name` of the object at a path. */
const placeOf = (path: Path, nameAt: (path: Path) => string | null): string | null => {
  const answer = path.lastIndexOf('responses')
  const status = answer >= 0 ? `the ${String(path[answer + 1])} response` : null
  const header = path.lastIndexOf('headers')
  if (header >= 0) return `the header \`${String(path[header + 1])}\`${status ? ` of ${status}` : ''}`
  if (status) return status
  if (path.includes('requestBody') || path.includes('requestBodies')) return 'the request body'
  const parameter = path.lastIndexOf('parameters')
  if (parameter < 0) return null
  const name = nameAt(path.slice(0, parameter + 2))
  return name === null ? 'the parameter' : name === 'body' ? 'the request body' : `the parameter \`${name}\``
}

/** What a schema fact is about: a property by its name, an inline schema by the place of the operation where it stands. */
export const subjectOf = (path: Path, nameAt: (path: Path) => string | null): string => {
  const name = describeSchemaPath(path)
  const named = path.some((step, i) => step === 'schemas' && path[i - 1] === 'components') || path[0] === 'definitions'
  const place = named ? null : placeOf(path, nameAt)
  if (name === '') return place ?? 'the schema'
  return place === null ? `\`${name}\`` : `\`${name}\` of ${place}`
}

/** A value, short enough for one line. */
export const shorten = (value: unknown, limit = 80): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`
}

/** A list of values as people write it. */
export const list = (value: unknown): string =>
  Array.isArray(value)
    ? (value as readonly unknown[])
        .map((it) => (typeof it === 'string' ? it : JSON.stringify(it)))
        .join(', ')
        .slice(0, 160) || 'nothing'
    : shorten(value)

/** A branch of a choice, as a person would call it: the schema it names, its title, its type. */
export const branchName = (branch: Json): string => {
  if (!isObject(branch)) return 'anything'
  if (typeof branch.$ref === 'string') return `\`${branch.$ref.slice(branch.$ref.lastIndexOf('/') + 1)}\``
  if (typeof branch.title === 'string') return `"${branch.title}"`
  if (Array.isArray(branch.enum)) return `one of ${list(branch.enum)}`
  const type = typeof branch.type === 'string' ? branch.type : null
  return type === null ? 'what another schema allows' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}
