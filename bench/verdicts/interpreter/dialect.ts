/** The schemas of an API description as schemas of JSON Schema: what OpenAPI 3.0 adds is written in words of draft-04. */
import { isObject, type Json, type JsonObject } from '../case.ts'
import type { Standalone } from '../checker/validators.ts'
import { listOf, objectOf, resolved, type Api } from './model.ts'

export type Sent = 'request' | 'response'

/** Fields whose values are data, not schemas. */
const isData = new Set(['enum', 'const', 'default', 'example', 'examples'])

/** What is written otherwise in a schema of its own: references to named schemas, and the words of OpenAPI 3.0. */
function translated(api: Api, schema: Json, sent: Sent): Json {
  if (Array.isArray(schema)) return schema.map((part) => translated(api, part, sent))
  if (!isObject(schema)) return schema
  const parts = Object.entries(schema).map(([name, part]) => {
    if (name === '$ref' && typeof part === 'string') return [name, part.replace('#/components/schemas/', '#/$defs/')]
    return [name, isData.has(name) && !isObject(part) ? part : translated(api, part, sent)]
  })
  const made = Object.fromEntries(parts) as Record<string, Json>
  if (api.version === '2.0' || api.version === '3.0') translateOld(api, schema, made, sent)
  return made
}

/**
 * A schema of 3.0 or 2.0 in draft-04: `nullable` adds null to a type that is there (3.0.3, Schema Object), and what is
 * read-only is not required in requests, what is write-only not in responses (the same, "Fixed Fields").
 */
function translateOld(api: Api, schema: JsonObject, made: Record<string, Json>, sent: Sent): void {
  if (schema['nullable'] === true && typeof schema['type'] === 'string') made['type'] = [schema['type'], 'null']
  const hidden = sent === 'request' ? 'readOnly' : 'writeOnly'
  const properties = objectOf(schema['properties'])
  const isHidden = (name: Json) => objectOf(resolved(api.document, properties[String(name)]))[hidden] === true
  if (!Array.isArray(schema['required'])) return
  const required = listOf(schema['required']).filter((name) => !isHidden(name))
  // Draft-04 allows no empty list.
  if (required.length > 0) made['required'] = required
  else delete made['required']
}

interface Known {
  readonly definitions: JsonObject
  readonly schemas: Map<Json, Standalone>
}

const known = new WeakMap<Api, Record<Sent, Known>>()

function definitionsOf(api: Api, sent: Sent): JsonObject {
  const { document } = api
  const named = objectOf(document['components'])['schemas']
  return {
    ...(document['definitions'] === undefined ? {} : { definitions: translated(api, document['definitions'], sent) }),
    ...(named === undefined ? {} : { $defs: translated(api, named, sent) }),
  }
}

function knownOf(api: Api): Record<Sent, Known> {
  const made = (sent: Sent): Known => ({ definitions: definitionsOf(api, sent), schemas: new Map() })
  const found = known.get(api) ?? { request: made('request'), response: made('response') }
  known.set(api, found)
  return found
}

/** A schema of a description with everything that it refers to: the same object for the same schema. */
export function standalone(api: Api, schema: Json, sent: Sent): Standalone {
  const { definitions, schemas } = knownOf(api)[sent]
  const isOld = api.version === '2.0' || api.version === '3.0'
  const found = schemas.get(schema) ?? {
    dialect: isOld ? '04' : '2020-12',
    schema: { allOf: [translated(api, schema, sent)], ...definitions },
  }
  schemas.set(schema, found)
  return found
}
