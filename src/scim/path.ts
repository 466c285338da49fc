/** Names of attributes in filters and paths: with a part, with the name of a schema before them, in any case. */
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { type Attribute, type Schema, spelling } from './resource.ts'

/** An attribute that a filter or a path names. */
export interface Named {
  /** The name of the extension that has it; null: the schema itself. */
  readonly extension: string | null
  readonly name: string
  readonly attribute: Attribute
  readonly part: string | null
}

/** The attribute of a text such as `name.familyName` or `urn:…:User:userName`; null where the schema has none. */
export function findAttribute(schema: Schema, text: string): Named | null {
  const lower = text.toLowerCase()
  const urn = [schema.urn, ...Object.keys(schema.extensions)].find((it) => lower.startsWith(`${it.toLowerCase()}:`))
  const [head = '', ...rest] = (urn === undefined ? text : text.slice(urn.length + 1)).split('.')
  if (rest.length > 1) return null
  const extension = urn === undefined || urn === schema.urn ? null : urn
  const attributes = extension === null ? schema.attributes : (schema.extensions[extension] ?? {})
  const name = spelling(attributes, head)
  const attribute = name === null ? undefined : attributes[name]
  if (name === null || attribute === undefined) return null
  const [given] = rest
  if (given === undefined) return { extension, name, attribute, part: null }
  const part = spelling(attribute.parts ?? {}, given)
  return part === null ? null : { extension, name, attribute, part }
}

/** One or several values as a list; none where there is nothing. */
export function itemsOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** The values that a resource has for an attribute: several of a list, none where it is absent. */
export function valuesOf(resource: JsonObject, { extension, name, part }: Named): readonly Json[] {
  const owner = extension === null ? resource : resource[extension]
  const value = isObject(owner) ? owner[name] : undefined
  const items = itemsOf(value)
  if (part === null) return items
  return items.flatMap((item) => (isObject(item) && item[part] !== undefined ? [item[part] ?? null] : []))
}
