import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { canonicalize, digestText } from '../document/serialize.ts'
import { schemaMeaning } from './semantic.ts'
import { itemKey, itemText, toolSchema } from './surface.ts'
import { surfaceLists, type Fingerprints, type Surface, type SurfaceList } from './types.ts'
import { compareText } from '../kernel/order.ts'

const sortedTexts = (texts: readonly (readonly [key: string, text: string])[]): string[] =>
  texts
    .toSorted(([a, x], [b, y]) => {
      return compareText(a, b) || compareText(x, y)
    })
    .map(([, text]) => text)

const argumentMeaning = (it: Json): Json =>
  isObject(it) ? { name: it.name ?? null, required: it.required === true, type: it.type ?? null } : it

const argumentsOf = ({ arguments: list }: JsonObject): Json =>
  Array.isArray(list) ? (list as readonly Json[]).map(argumentMeaning) : []

function meaningOf(list: SurfaceList, item: JsonObject): Json {
  if (list === 'tools') {
    const [input, output] = [toolSchema(item, 'input'), toolSchema(item, 'output')]
    return [
      itemKey(list, item),
      input === undefined ? null : schemaMeaning(input),
      output === undefined ? null : schemaMeaning(output),
      argumentsOf(item),
    ]
  }
  if (list === 'prompts') return [itemKey(list, item), argumentsOf(item)]
  return [itemKey(list, item), item.mimeType ?? null]
}

const digestOf = (surface: Surface, textOf: (list: SurfaceList, item: JsonObject) => string): string => {
  const parts = surfaceLists.map((list) => {
    const texts = surface[list].map((item) => [itemKey(list, item), textOf(list, item)] as const)
    return `${JSON.stringify(list)}:[${sortedTexts(texts).join(',')}]`
  })
  return digestText(`{${parts.join(',')}}`)
}

/**
 * The two fingerprints of a surface. `wire` is SHA-256 over the canonical JSON (RFC 8785) of every field that was sent, unknown ones
 * included, items sorted by name, without `_meta`, cursors and times; `semantic` over names and schemas alone, without remarks.
 */
export const fingerprints = (surface: Surface): Fingerprints => ({
  wire: digestOf(surface, itemText),
  semantic: digestOf(surface, (list, item) => canonicalize(meaningOf(list, item))),
})
