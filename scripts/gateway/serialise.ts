/** Values of parameters as clients write them (OpenAPI 3.1, 4.8.12.2). */
import type { Serialisation } from '../../src/diff/model/api.ts'
import { isObject, type Json } from '../../src/kernel/json.ts'

const separators: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|', tabDelimited: '\t' }

export const textOf = (value: Json): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String(value)

/** A value as names and texts of a query, a form or cookies; not yet percent-encoded. */
export function pairsOf(name: string, value: Json, { style, explode }: Serialisation): [string, string][] {
  const separator = separators[style] ?? ','
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map(textOf)
    return explode && style === 'form'
      ? items.map((it) => [name, it])
      : items.length === 0
        ? []
        : [[name, items.join(separator)]]
  }
  if (!isObject(value)) return [[name, textOf(value)]]
  const entries = Object.entries(value).map(([key, it]): [string, string] => [key, textOf(it)])
  if (style === 'deepObject') return entries.map(([key, it]) => [`${name}[${key}]`, it])
  if (explode && style === 'form') return entries
  return entries.length === 0 ? [] : [[name, entries.flat().join(separator)]]
}

/** A value as one text of a path or a header, percent-encoded where `encode` does so. */
export function textIn(
  name: string,
  value: Json,
  { style, explode }: Serialisation,
  encode: (text: string) => string,
): string {
  const items = Array.isArray(value)
    ? (value as readonly Json[]).map((it) => encode(textOf(it)))
    : isObject(value)
      ? Object.entries(value).flatMap(([key, it]) =>
          explode ? [`${encode(key)}=${encode(textOf(it))}`] : [encode(key), encode(textOf(it))],
        )
      : [encode(textOf(value))]
  if (style === 'label') return `.${items.join(explode ? '.' : ',')}`
  if (style === 'matrix') return `;${name}=${items.join(',')}`
  return items.join(',')
}
