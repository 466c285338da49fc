import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { manifestLimits, type Reading } from '../reading.ts'
import { itemKey, keyOfList, toolSchema } from '../surface.ts'
import { surfaceLists, type Surface, type SurfaceList } from '../types.ts'

const words: Readonly<Record<SurfaceList, string>> = {
  tools: 'a tool',
  resources: 'a resource',
  resourceTemplates: 'a resource template',
  prompts: 'a prompt',
}

/** A function of an API of models around a tool: `{type: "function", function: {…}}`. */
const unwrapped = (value: Json): Json =>
  isObject(value) && isObject(value.function) && value.name === undefined ? value.function : value

function readList(reading: Reading, list: SurfaceList, value: Json | undefined, path: Path): JsonObject[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return reading.fail(path, `"${list}" must be an array`)
  if (value.length > manifestLimits.items)
    return reading.fail(path, `"${list}" has ${value.length} items; ${manifestLimits.items} are allowed`)
  const seen = new Set<string>()
  return (value as readonly Json[]).map((entry, at) => {
    const own = [...path, at]
    const item = reading.object(unwrapped(entry), own, words[list])
    const key = reading.required(item, [keyOfList[list]], own, words[list])
    if (seen.has(key)) {
      const what = words[list].replace(/^an? /, '')
      reading.note('duplicate-name', own, `There is another ${what} "${key.slice(0, 80)}".`)
    }
    seen.add(key)
    return item
  })
}

/**
 * The surface in the lists of an object.
 * @throws SvcError `manifest-invalid` for lists of another type, for items without a name and for too many
 */
export const readSurface = (reading: Reading, holder: JsonObject, path: Path): Surface => {
  const [tools = [], resources = [], resourceTemplates = [], prompts = []] = surfaceLists.map((list) =>
    readList(reading, list, holder[list], [...path, list]),
  )
  return { tools, resources, resourceTemplates, prompts }
}

/** The surface of a list of tools. */
export const readTools = (reading: Reading, value: Json, path: Path): Surface => ({
  tools: readList(reading, 'tools', value, path),
  resources: [],
  resourceTemplates: [],
  prompts: [],
})

/** Whether each tool has a schema: names alone, or arguments in another form, are less than a server would send. */
export const isCompleteSurface = (surface: Surface): boolean =>
  surface.tools.every((it) => isObject(toolSchema(it, 'input')) && itemKey('tools', it) !== '')
