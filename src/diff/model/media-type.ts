import type { PlacedValue, Side } from '../side.ts'
import { objectAt } from '../side.ts'
import type { MediaType } from './api.ts'

const parameterPattern = /;\s*([^\s;=]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g

/** A media type as it is compared: case, quotes, spaces and the order of parameters mean nothing (RFC 9110, section 8.3.1). */
export interface MediaName {
  /** Type and subtype in lower case. */
  readonly essence: string
  /** The parameters in order, without the character set. */
  readonly parameters: readonly string[]
}

/** Reads a media type; the charset says how a text is written as bytes, not what it holds, so that it is left out. */
export const readMediaType = (name: string): MediaName => {
  const essence = name.split(';')[0]!.trim().toLowerCase()
  const parameters = [...name.matchAll(parameterPattern)].map(([, key = '', value = '']) => {
    const text = value.trim()
    const plain = text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text
    return `${key.toLowerCase()}=${plain}`
  })
  return { essence, parameters: parameters.filter((it) => !it.startsWith('charset=')).sort() }
}

/** The key of a media type: "application/json" for `application/JSON; charset=utf-8`. */
export const mediaTypeName = (name: string): string => {
  const { essence, parameters } = readMediaType(name)
  return [essence, ...parameters].join(';')
}

/** The media types of a Content map (`content`), by their keys. */
export const contentOf = (side: Side, place: PlacedValue | null): ReadonlyMap<string, MediaType> => {
  const content = new Map<string, MediaType>()
  for (const [name, it] of side.members(place)) {
    // With and without a charset they are one type; where both are listed each stays what it is.
    const key = content.has(mediaTypeName(name)) ? name.toLowerCase().replaceAll(/\s+/g, '') : mediaTypeName(name)
    const at = (word: string): PlacedValue | null => {
      const value = objectAt(it)[word]
      return value === undefined ? null : { value, path: [...it.path, word] }
    }
    content.set(key, {
      place: it,
      name,
      schema: at('schema'),
      itemSchema: at('itemSchema'),
      encoding: at('encoding'),
      prefixEncoding: at('prefixEncoding'),
      itemEncoding: at('itemEncoding'),
    })
  }
  return content
}

/** A media type that has nothing but a schema. */
export const plainMediaType = (name: string, place: PlacedValue, schema: PlacedValue | null): MediaType => ({
  place,
  name,
  schema,
  itemSchema: null,
  encoding: null,
  prefixEncoding: null,
  itemEncoding: null,
})
