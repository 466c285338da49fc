import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { methods } from '../../import/operations.ts'
import { componentPart, itemPart, operationPart, type PartKey, Reach, schemaPart } from '../reach.ts'
import type { RenderFormat, RenderSource } from '../source.ts'

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

// The path items of an area that have a kept operation or are themselves kept for their reference.
const keepItems = (
  items: Json | undefined,
  area: string,
  users: ReadonlySet<PartKey>,
  needed: ReadonlySet<PartKey>,
): JsonObject => {
  if (!isObject(items)) return {}
  return Object.fromEntries(
    Object.entries(items).flatMap(([path, item]): [string, Json][] => {
      if (!isObject(item) || !needed.has(itemPart(area, path))) return []
      // Parameters of the path item reach the class for every operation below it.
      const every = users.has(itemPart(area, path))
      const entries = Object.entries(item).filter(
        ([key]) => !(methods as readonly string[]).includes(key) || every || needed.has(operationPart(area, path, key)),
      )
      return [[path, Object.fromEntries(entries)]]
    }),
  )
}

const operationsOf = (items: JsonObject): JsonObject[] =>
  Object.values(items).flatMap((item) =>
    isObject(item) ? methods.flatMap((method) => (isObject(item[method]) ? [item[method]] : [])) : [],
  )

const namesIn = (requirements: Json | undefined): string[] =>
  Array.isArray(requirements)
    ? (requirements as readonly Json[]).flatMap((one) => (isObject(one) ? Object.keys(one) : []))
    : []

const keepComponents = (
  components: Json | undefined,
  needed: ReadonlySet<PartKey>,
  schemes: ReadonlySet<string>,
): JsonObject => {
  if (!isObject(components)) return {}
  return Object.fromEntries(
    Object.entries(components).flatMap(([kind, group]): [string, Json][] => {
      if (!isObject(group)) return []
      const kept = Object.entries(group).filter(
        ([name]) => needed.has(componentPart(kind, name)) || (kind === 'securitySchemes' && schemes.has(name)),
      )
      return kept.length === 0 ? [] : [[kind, Object.fromEntries(kept)]]
    }),
  )
}

const classDocument = (source: RenderSource, className: string): JsonObject => {
  const { openapi } = source
  const reach = new Reach(openapi)
  const target = schemaPart(className)
  const users = reach.to(target)
  const starts = new Set<PartKey>([target])
  for (const area of ['paths', 'webhooks'] as const) {
    const items = isObject(openapi[area]) ? openapi[area] : {}
    for (const [path, item] of Object.entries(items)) {
      if (!isObject(item)) continue
      const every = users.has(itemPart(area, path))
      if (every) starts.add(itemPart(area, path))
      for (const method of methods)
        if (Object.hasOwn(item, method) && (every || users.has(operationPart(area, path, method))))
          starts.add(operationPart(area, path, method))
    }
  }
  const needed = reach.from(starts)
  const paths = keepItems(openapi.paths, 'paths', users, needed)
  const webhooks = keepItems(openapi.webhooks, 'webhooks', users, needed)
  const operations = [...operationsOf(paths), ...operationsOf(webhooks)]
  const shared = operations.some((operation) => operation.security === undefined)
  const schemes = new Set([
    ...operations.flatMap(({ security }) => namesIn(security)),
    ...(shared ? namesIn(openapi.security) : []),
  ])
  const tags = new Set(
    operations.flatMap((operation) => (Array.isArray(operation.tags) ? (operation.tags as readonly Json[]) : [])),
  )
  const keptTags = Array.isArray(openapi.tags)
    ? (openapi.tags as readonly Json[]).filter(
        (tag) => isObject(tag) && typeof tag.name === 'string' && tags.has(tag.name),
      )
    : []
  return ordered({
    openapi: '3.1.0',
    info: completeInfo(source),
    ...(openapi.jsonSchemaDialect === undefined ? {} : { jsonSchemaDialect: openapi.jsonSchemaDialect }),
    ...(openapi.servers === undefined ? {} : { servers: openapi.servers }),
    paths,
    ...(Object.keys(webhooks).length > 0 ? { webhooks } : {}),
    components: keepComponents(openapi.components, needed, schemes),
    ...(shared && openapi.security !== undefined ? { security: openapi.security } : {}),
    ...(keptTags.length > 0 ? { tags: keptTags } : {}),
    ...(openapi.externalDocs === undefined ? {} : { externalDocs: openapi.externalDocs }),
  })
}

const openapi: RenderFormat = {
  id: 'openapi',
  summary: 'OpenAPI 3.1.0; for one schema: it, its dependencies and the operations that use it',
  whole: wholeDocument,
  ofClass: classDocument,
}

export default openapi
