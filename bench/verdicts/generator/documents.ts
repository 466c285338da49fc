/** The smallest documents that hold what a case compares. */
import type { Json, JsonObject } from '../case.ts'
import { withDefinitionsAt, type Version } from './schemas.ts'

const fullVersions: Readonly<Record<Version, string>> = { '2.0': '2.0', '3.0': '3.0.3', '3.1': '3.1.1', '3.2': '3.2.0' }

export const definitionsAt = (version: Version): string =>
  version === '2.0' ? '#/definitions/' : '#/components/schemas/'

/** A document with these paths, and whatever else it has. */
export function documentOf(version: Version, paths: JsonObject, rest: JsonObject = {}): JsonObject {
  const first = version === '2.0' ? { swagger: '2.0' } : { openapi: fullVersions[version] }
  return { ...first, info: { title: 'Things', version: '1.0.0' }, paths, ...rest }
}

const named = (version: Version, defs: JsonObject | undefined): JsonObject => {
  if (defs === undefined) return {}
  return version === '2.0' ? { definitions: defs } : { components: { schemas: defs } }
}

const done: JsonObject = { description: 'Done' }

/** A document whose only body is the JSON of one request. */
export function requestDocument(version: Version, path: string, schema: Json, defs?: JsonObject): JsonObject {
  const operation =
    version === '2.0'
      ? {
          consumes: ['application/json'],
          parameters: [{ name: 'body', in: 'body', required: true, schema }],
          responses: { '204': done },
        }
      : {
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { '204': done },
        }
  const made = documentOf(version, { [path]: { post: operation } }, named(version, defs))
  return withDefinitionsAt(made, definitionsAt(version)) as JsonObject
}

/** A document whose only body is the JSON of one response. */
export function responseDocument(version: Version, path: string, schema: Json, defs?: JsonObject): JsonObject {
  const operation =
    version === '2.0'
      ? { produces: ['application/json'], responses: { '200': { description: 'Found', schema } } }
      : { responses: { '200': { description: 'Found', content: { 'application/json': { schema } } } } }
  const made = documentOf(version, { [path]: { get: operation } }, named(version, defs))
  return withDefinitionsAt(made, definitionsAt(version)) as JsonObject
}

export const bodyDocument = (direction: 'request' | 'response') =>
  direction === 'request' ? requestDocument : responseDocument
