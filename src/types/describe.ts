import { isObject, type Json } from '../kernel/json.ts'

/** So deep properties say what a type is about. */
const deepest = 3

function collect(schema: Json | undefined, depth: number, into: string[]): void {
  if (schema === undefined || !isObject(schema) || depth > deepest) return
  for (const text of [schema.title, schema.description]) if (typeof text === 'string') into.push(text)
  const { properties, items } = schema
  if (isObject(properties))
    for (const [name, inner] of Object.entries(properties)) {
      into.push(name)
      collect(inner, depth + 1, into)
    }
  collect(items, depth + 1, into)
  for (const list of [schema.allOf, schema.anyOf, schema.oneOf])
    if (Array.isArray(list)) for (const inner of list as readonly Json[]) collect(inner, depth + 1, into)
}

/** A type in words, for semantic search: its name and description, then what its schema calls its parts. */
export function describeType(
  entry: {
    readonly namespace: string
    readonly name: string
    readonly description: string
    readonly tags: readonly string[]
    readonly schema: Json
  },
  mostCharacters: number,
): string {
  const parts: string[] = []
  collect(entry.schema, 0, parts)
  const head = [`${entry.name} (${entry.namespace})`, entry.description, ...entry.tags]
  return [...new Set([...head, ...parts].map((text) => text.trim()).filter((text) => text !== ''))]
    .join('\n')
    .slice(0, mostCharacters)
}
