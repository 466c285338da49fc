/** Parts of documents that atoms of messages share. */
import type { Json, JsonObject } from '../case.ts'
import { documentOf } from './documents.ts'
import type { Version } from './schemas.ts'

export const done: JsonObject = { '204': { description: 'Done' } }

/** A document with one GET of `/things` that takes these parameters. */
export const taking = (version: Version, parameters: readonly JsonObject[], path = '/things'): JsonObject =>
  documentOf(version, { [path]: { get: { ...(parameters.length > 0 ? { parameters } : {}), responses: done } } })

export const jsonBody = (schema: Json, required = true): JsonObject => ({
  required,
  content: { 'application/json': { schema } },
})

export const form = (schema: Json, encoding?: Json): JsonObject => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema, ...(encoding === undefined ? {} : { encoding }) } },
})

export const list: JsonObject = { type: 'array', items: { type: 'integer' } }

export const filter: JsonObject = { type: 'object', required: ['level'], properties: { level: { type: 'integer' } } }

/** A document with one POST of `/things` that takes this body. */
export const withBody = (version: Version, requestBody: JsonObject | null): JsonObject =>
  documentOf(version, { '/things': { post: { ...(requestBody === null ? {} : { requestBody }), responses: done } } })

export const post = { method: 'POST', url: '/things' }

export const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }

export const get = { method: 'GET', url: '/things' }

export const found = { ...get, status: 200 }

export const answering = (version: Version, responses: JsonObject): JsonObject =>
  documentOf(version, { '/things': { get: { responses } } })

export const jsonContent = (schema: Json): JsonObject => ({ 'application/json': { schema } })

export const withHeaders = (version: Version, headers: JsonObject | null): JsonObject =>
  answering(version, { '200': { description: 'Found', ...(headers === null ? {} : { headers }) } })

export const plain = (version: Version, rest: JsonObject): JsonObject =>
  documentOf(version, { '/things': { get: { responses: done } } }, rest)

export const apiKey: JsonObject = { type: 'apiKey', name: 'x-key', in: 'header' }

export const basic: JsonObject = { type: 'http', scheme: 'basic' }

export const bearer: JsonObject = { type: 'http', scheme: 'bearer' }

export const operation = (version: Version, more: JsonObject): JsonObject =>
  documentOf(version, { '/things': { get: { responses: done, ...more } } })

export const oauth = (tokenUrl = 'https://login.example.com/token'): JsonObject => ({
  type: 'oauth2',
  flows: { clientCredentials: { tokenUrl, scopes: { read: 'Read', write: 'Write' } } },
})

export const secured = (version: Version, security: Json, securitySchemes: JsonObject): JsonObject =>
  plain(version, { security, components: { securitySchemes } })
