/** Values of parameters and forms as texts (OpenAPI 3.1.1, "Style Values"). */
import { isObject, type Json, type JsonObject, textOf } from '../kernel/json.ts'
import type { DeclaredParameter } from './openapi.ts'

const textOfValue = (value: Json): string => {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const encoded = (value: Json): string => encodeURIComponent(textOfValue(value))

const reserved = /%(?:3A|2F|3F|23|5B|5D|40|21|24|26|27|28|29|2A|2B|2C|3B|3D)/gi

/** A value in a query: characters that have a meaning in addresses stay only where the parameter allows them. */
const encodedAs = (value: Json, { allowReserved }: JsonObject): string =>
  allowReserved === true ? encoded(value).replaceAll(reserved, decodeURIComponent) : encoded(value)

const pairsOf = (value: JsonObject): readonly (readonly [string, Json])[] => Object.entries(value)

const usesContent = ({ value: { content } }: DeclaredParameter): boolean => isObject(content)

/** The entries that a query parameter or a field of a form adds: names and values, encoded. */
export function queryEntries(name: string, value: Json, how: JsonObject): readonly string[] {
  const key = encodeURIComponent(name)
  const style = textOf(how.style) || 'form'
  const explode = typeof how.explode === 'boolean' ? how.explode : style === 'form'
  if (isObject(how.content)) return [`${key}=${encoded(typeof value === 'string' ? value : JSON.stringify(value))}`]
  const one = (it: Json): string => encodedAs(it, how)
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map(one)
    if (explode && style === 'form') return items.map((it) => `${key}=${it}`)
    const separator = { spaceDelimited: '%20', pipeDelimited: '%7C' }[style] ?? ','
    return items.length === 0 ? [] : [`${key}=${items.join(separator)}`]
  }
  if (!isObject(value)) return [`${key}=${one(value)}`]
  if (style === 'deepObject')
    return pairsOf(value).map(([sub, it]) => `${key}%5B${encodeURIComponent(sub)}%5D=${one(it)}`)
  if (explode) return pairsOf(value).map(([sub, it]) => `${encodeURIComponent(sub)}=${one(it)}`)
  return [
    `${key}=${pairsOf(value)
      .flatMap(([sub, it]) => [encodeURIComponent(sub), one(it)])
      .join(',')}`,
  ]
}

const listed = (value: Json, explode: boolean, one: (it: Json) => string): readonly string[] => {
  if (Array.isArray(value)) return (value as readonly Json[]).map(one)
  if (!isObject(value)) return [one(value)]
  return pairsOf(value).flatMap(([key, it]) => (explode ? [`${key}=${one(it)}`] : [key, one(it)]))
}

/** A value in the place of a variable of a path: simple, label or matrix. */
export function pathText(parameter: DeclaredParameter, value: Json): string {
  const { name, value: how } = parameter
  if (usesContent(parameter)) return encoded(JSON.stringify(value))
  const explode = how.explode === true
  const parts = listed(value, explode, encoded)
  switch (how.style) {
    case 'label':
      return `.${parts.join(explode ? '.' : ',')}`
    case 'matrix': {
      if (!explode) return `;${encodeURIComponent(name)}=${parts.join(',')}`
      const key = encodeURIComponent(name)
      return parts.map((it) => (isObject(value) ? `;${it}` : `;${key}=${it}`)).join('')
    }
    default:
      return parts.join(',')
  }
}

/** A value in a header: simple. */
export function headerText(parameter: DeclaredParameter | null, value: Json): string {
  if (parameter !== null && usesContent(parameter)) return typeof value === 'string' ? value : JSON.stringify(value)
  return listed(value, parameter?.value.explode === true, textOfValue).join(',')
}

/** A form as the text of `application/x-www-form-urlencoded`. */
export const formText = (value: JsonObject, encoding: JsonObject): string =>
  Object.entries(value)
    .flatMap(([name, it]) => {
      const how = encoding[name]
      return queryEntries(name, it, isObject(how) ? how : {})
    })
    .join('&')
    .replaceAll('%20', '+')

/** A form as parts, between lines of a boundary. Parts that are objects are JSON. */
export function multipartText(value: JsonObject, boundary: string): string {
  const parts = Object.entries(value).flatMap(([name, given]) =>
    (Array.isArray(given) ? (given as readonly Json[]) : [given]).map((it) => {
      const type = typeof it === 'object' && it !== null ? 'Content-Type: application/json\r\n' : ''
      const quoted = name.replaceAll(/["\r\n]/g, (char) => encodeURIComponent(char))
      return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted}"\r\n${type}\r\n${textOfValue(it)}\r\n`
    }),
  )
  return `${parts.join('')}--${boundary}--\r\n`
}
