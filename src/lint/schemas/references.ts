import { isObject, type Json } from '../../kernel/json.ts'
import type { Violation } from '../rule.ts'
import { eachSchema, lookUp, type SchemaCheck } from './places.ts'

/** A reference within the schema resolves. */
export const checkReferences: SchemaCheck = ({ schema, root }) => {
  const { $ref } = schema
  if (typeof $ref !== 'string' || lookUp(root, $ref) !== undefined) return []
  if (!$ref.startsWith('#'))
    return /^https?:\/\/json-schema\.org\//.test($ref)
      ? []
      : [{ message: `"${$ref}" refers to another document, which hosts do not fetch.`, path: ['$ref'] }]
  return [{ message: `Cannot resolve $ref "${$ref}": the target does not exist.`, path: ['$ref'] }]
}

/** Every definition is what some reference names. For the root of a document. */
export const checkDefinitionsUsed: SchemaCheck = ({ schema, root, path, draft }) => {
  if (path.length > 0) return []
  // A document of definitions alone is there for others.
  const words = Object.keys(schema).filter((key) => !['$defs', 'definitions'].includes(key) && !isFrame(key))
  if (words.length === 0) return []
  const used = new Set<Json | undefined>()
  for (const it of eachSchema(root, draft))
    for (const key of ['$ref', '$dynamicRef'])
      if (typeof it.schema[key] === 'string') used.add(lookUp(root, it.schema[key]))
  return ['$defs', 'definitions'].flatMap((key) =>
    Object.entries(isObject(schema[key]) ? schema[key] : {}).flatMap(([name, it]): Violation[] => {
      const inside = [...eachSchema(it, draft)].some((at) => used.has(at.schema) || isNamed(at.schema))
      return inside ? [] : [{ message: `The definition "${name}" is not used.`, path: [key, name] }]
    }),
  )
}

const isFrame = (key: string): boolean =>
  ['$schema', '$id', 'id', 'title', 'description', '$comment', '$vocabulary'].includes(key)

// What has an address of its own is reached from elsewhere.
const isNamed = (schema: { readonly [key: string]: Json }): boolean =>
  ['$id', '$anchor', '$dynamicAnchor'].some((key) => Object.hasOwn(schema, key))
