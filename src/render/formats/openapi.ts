import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { componentPart, type PartKey, Reach, schemaPart } from '../reach.ts'
import type { RenderFormat } from '../format.ts'
import type { RenderSource } from '../../import/render-source.ts'

// The order in which the specification lists the fields of the root; extensions follow in their own order.
const rootOrder = [
  'openapi',
  'info',
  'jsonSchemaDialect',
  'servers',
  'paths',
  'webhooks',
  'components',
  'security',
  'tags',
  'externalDocs',
]

const ordered = (root: JsonObject): JsonObject => {
  const known = rootOrder
    .filter((key) => root[key] !== undefined)
    .map((key): [string, Json] => [key, root[key] as Json])
  const rest = Object.entries(root).filter(([key]) => !rootOrder.includes(key))
  return Object.fromEntries([...known, ...rest])
}

const completeInfo = (source: RenderSource): JsonObject => {
  const info = isObject(source.openapi.info) ? source.openapi.info : {}
  return {
    ...info,
    title: typeof info.title === 'string' ? info.title : source.title,
    version: typeof info.version === 'string' ? info.version : source.version,
  }
}

// Many readers take a document without "paths" for none at all, though 3.1 allows it; an empty map says the same.
const wholeDocument = ({ openapi, ...source }: RenderSource): JsonObject =>
  ordered({ paths: {}, ...openapi, openapi: '3.1.0', info: completeInfo({ openapi, ...source }) })

const keepComponents = (components: Json | undefined, needed: ReadonlySet<PartKey>): JsonObject => {
  if (!isObject(components)) return {}
  return Object.fromEntries(
    Object.entries(components).flatMap(([kind, group]): [string, Json][] => {
      if (!isObject(group)) return []
      const kept = Object.entries(group).filter(([name]) => needed.has(componentPart(kind, name)))
      return kept.length === 0 ? [] : [[kind, Object.fromEntries(kept)]]
    }),
  )
}

const classDocument = (source: RenderSource, className: string): JsonObject => {
  const { openapi } = source
  const needed = new Reach(openapi).from(new Set<PartKey>([schemaPart(className)]))
  return ordered({
    openapi: '3.1.0',
    info: completeInfo(source),
    ...(openapi.jsonSchemaDialect === undefined ? {} : { jsonSchemaDialect: openapi.jsonSchemaDialect }),
    paths: {},
    components: keepComponents(openapi.components, needed),
  })
}

const openapi: RenderFormat = {
  id: 'openapi',
  summary: 'OpenAPI 3.1.0; for one schema: it and its dependencies',
  whole: wholeDocument,
  ofClass: classDocument,
}

export default openapi
