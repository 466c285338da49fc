import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { formatFragment, getPath, parseFragment } from '../../kernel/pointer.ts'

const firstText = (...lists: readonly (Json | undefined)[]): string | null => {
  for (const list of lists) if (Array.isArray(list)) return typeof list[0] === 'string' ? list[0] : null
  return null
}

/**
 * Where the schema of a response or body parameter of Swagger 2.0 is after the conversion to OpenAPI 3: references that lead
 * into it ("#/paths/~1pets/get/responses/200/schema/properties/id") become such to the first media type. Null for other places.
 */
export const moveSchemaPlace = (content: JsonObject, ref: string): string | null => {
  const path = ref.startsWith('#/') ? parseFragment(ref) : null
  const at = path?.indexOf('schema') ?? -1
  if (path === null || at < 2) return null
  const holder = path.slice(0, at)
  const rest = path.slice(at)
  const operation = holder[0] === 'paths' ? getPath(content, holder.slice(0, 3)) : undefined
  const local = isObject(operation) ? operation : {}
  const area = holder.at(-2)
  if (area === 'responses') {
    const type = firstText(local.produces, content.produces) ?? '*/*'
    const owner = holder[0] === 'paths' ? holder : ['components', ...holder]
    return formatFragment([...owner, 'content', type, ...rest])
  }
  if (area === 'parameters' && holder.length === 5) {
    const type = firstText(local.consumes, content.consumes) ?? 'application/json'
    return formatFragment([...holder.slice(0, 3), 'requestBody', 'content', type, ...rest])
  }
  return null
}
