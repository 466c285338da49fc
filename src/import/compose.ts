import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { RenderSource } from './render-source.ts'

/** A document that joined a version beside its own. */
export interface JoinedSource {
  readonly kind: string
  readonly source: RenderSource
}

const withClasses = (openapi: JsonObject, classes: Readonly<Record<string, Json>>): JsonObject => {
  const components = isObject(openapi.components) ? openapi.components : {}
  const schemas = isObject(components.schemas) ? components.schemas : {}
  return { ...openapi, components: { ...components, schemas: { ...schemas, ...classes } } }
}

/**
 * What a version says with the documents that joined it: workflows of an Arazzo document, classes of JSON Schemas. Of classes of one
 * name the version's own counts.
 */
export const composeSource = (base: RenderSource, joined: readonly JoinedSource[]): RenderSource => {
  let { arazzo } = base
  const added: Record<string, Json> = {}
  for (const { kind, source } of joined)
    if (kind === 'arazzo') arazzo = source.arazzo
    else
      for (const [name, schema] of Object.entries(source.classes))
        if (!Object.hasOwn(base.classes, name)) added[name] = schema
  if (Object.keys(added).length === 0) return { ...base, arazzo }
  return { ...base, arazzo, classes: { ...base.classes, ...added }, openapi: withClasses(base.openapi, added) }
}
