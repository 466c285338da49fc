import type { Path } from '../document/json.ts'

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

/** What a schema fact is about. */
export const subjectOf = (path: Path): string => {
  const name = describeSchemaPath(path)
  return name === '' ? 'the schema' : `\`${name}\``
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
