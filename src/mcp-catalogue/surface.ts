import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { canonicalize, serializeJson } from '../document/serialize.ts'
import { surfaceLists, type Surface, type SurfaceCounts, type SurfaceList } from './types.ts'

/** The member by which the protocol tells the items of a list apart. */
export const keyOfList: Readonly<Record<SurfaceList, string>> = {
  tools: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
  prompts: 'name',
}

/** What an item of a list is called; "" for one without a name. */
export const itemKey = (list: SurfaceList, item: JsonObject): string => {
  const value = item[keyOfList[list]]
  return typeof value === 'string' ? value : ''
}

/** A surface without anything. */
export const emptySurface: Surface = { tools: [], resources: [], resourceTemplates: [], prompts: [] }

/** How many items a surface has. */
export const countsOf = (surface: Surface): SurfaceCounts => ({
  tools: surface.tools.length,
  resources: surface.resources.length,
  templates: surface.resourceTemplates.length,
  prompts: surface.prompts.length,
})

/** Whether a surface has no item at all. */
export const isEmptySurface = (surface: Surface): boolean => surfaceLists.every((list) => surface[list].length === 0)

/**
 * What an item says for good: without `_meta`, and of a resource without its size and the time of its last change, which are of its
 * content and change without a change of the server.
 */
export function lasting(list: SurfaceList, item: JsonObject): JsonObject {
  const { _meta, ...rest } = item
  if (list !== 'resources') return rest
  const { size: _size, annotations, ...resource } = rest
  if (!isObject(annotations)) return annotations === undefined ? resource : { ...resource, annotations }
  const { lastModified: _lastModified, ...kept } = annotations
  return Object.keys(kept).length === 0 ? resource : { ...resource, annotations: kept }
}

/** The schema of a tool, however its list spells the key. */
export const toolSchema = (tool: JsonObject, which: 'input' | 'output'): Json | undefined =>
  tool[`${which}Schema`] ?? tool[`${which}_schema`] ?? (which === 'input' ? tool.parameters : undefined)

/** The canonical JSON of an item: equal where everything that lasts was sent alike. */
export const itemText = (list: SurfaceList, item: JsonObject): string => canonicalize(lasting(list, item))

/** A surface as it is stored and shown: JSON that `svc lint` and `svc diff` read. */
export const surfaceText = (surface: Surface): string => serializeJson({ ...surface })
