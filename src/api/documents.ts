import { Type } from '@sinclair/typebox'
import { endpoint, type Access } from './endpoint.ts'
import { oneOf } from '../kernel/shapes.ts'
import { idParam, publishedParams, publishedPath, versionErrors } from './kit.ts'

const classParams = { ...publishedParams, class_name: idParam }
const apiKey = Type.Optional(Type.String({ description: 'An API key, for links: the same as the header X-API-Key.' }))
const access: Access = {
  anonymous: true,
  reason: 'public versions are for everyone; private ones and drafts only for members',
  credentials: 'optional',
}
const refs = Type.Optional(
  oneOf(
    ['keep', 'bundle', 'inline'],
    'How registered types appear: keep, as references; bundle (default), as schemas of the document; inline, at the places of the references, except types that contain themselves.',
  ),
)
const errors = ['credentials-missing', ...versionErrors, 'analysis-stopped'] as const
const either = ['application/json', 'application/yaml'] as const
const whole = <const P extends string>(id: string, path: P, summary: string) =>
  ({
    id,
    origin: 'spec',
    method: 'GET',
    path,
    summary,
    access,
    response: Type.Unknown(),
    answerHeaders: ['etag', 'x-svc-unresolved', 'deprecation', 'sunset', 'link'],
  }) as const

/** Rendered documents of a version. */
export const documentsApi = {
  openapi: endpoint({
    ...whole('documents.openapi', `/v1/schema/${publishedPath}`, 'The version as one OpenAPI 3.1.0 document'),
    params: Type.Object(publishedParams),
    query: Type.Object({ api_key: apiKey, refs }),
    produces: ['application/json'],
    errors,
  }),
  openapiClass: endpoint({
    ...whole(
      'documents.openapi-class',
      `/v1/schema/${publishedPath}/{class_name}`,
      'A class as an OpenAPI 3.1.0 document',
    ),
    params: Type.Object(classParams),
    query: Type.Object({ api_key: apiKey, refs }),
    produces: either,
    errors: [...errors, 'class-not-found'],
  }),
  jsonSchema: endpoint({
    ...whole(
      'documents.json-schema',
      `/v1/json/${publishedPath}`,
      'All classes of the version as one JSON Schema 2020-12 document',
    ),
    params: Type.Object(publishedParams),
    query: Type.Object({ api_key: apiKey, refs }),
    produces: either,
    errors,
  }),
  jsonSchemaClass: endpoint({
    ...whole(
      'documents.json-schema-class',
      `/v1/json/${publishedPath}/{class_name}`,
      'A class and what it reaches as JSON Schema 2020-12',
    ),
    params: Type.Object(classParams),
    query: Type.Object({ api_key: apiKey, refs }),
    produces: either,
    errors: [...errors, 'class-not-found'],
  }),
  arazzo: endpoint({
    ...whole(
      'documents.arazzo',
      `/v1/arazzo/${publishedPath}`,
      'The workflows of the version as one Arazzo document, 1.0.1 or 1.1.0',
    ),
    params: Type.Object(publishedParams),
    query: Type.Object({ api_key: apiKey, refs }),
    produces: either,
    errors: [...errors, 'no-workflows'],
  }),
  arazzoClass: endpoint({
    ...whole(
      'documents.arazzo-class',
      `/v1/arazzo/${publishedPath}/{class_name}`,
      'The workflows whose steps reach a class',
    ),
    params: Type.Object(classParams),
    query: Type.Object({ api_key: apiKey, refs }),
    produces: either,
    errors: [...errors, 'no-workflows', 'class-not-found'],
  }),
  page: endpoint({
    ...whole('documents.page', `/v1/swagger/${publishedPath}`, 'The interactive documentation page of the version'),
    params: Type.Object(publishedParams),
    query: Type.Object({ api_key: apiKey }),
    produces: ['text/html'],
    errors,
  }),
  part: endpoint({
    id: 'documents.part',
    origin: 'own',
    method: 'GET',
    path: `/v1/swagger/${publishedPath}/{part_name}`,
    summary: 'Get a part of the documentation of a version',
    description:
      'Parts: `index`, then as the index lists them `operation-0`, `schema-0`, and `words-a` for the search; `changes` has the newest change reports. Their shape belongs to the page and may change with it.',
    access,
    params: Type.Object({ ...publishedParams, part_name: Type.String({ minLength: 1, maxLength: 100 }) }),
    query: Type.Object({
      api_key: apiKey,
      of: Type.Optional(
        Type.String({ description: 'Stamp of the index. Clients can cache its parts without expiry.' }),
      ),
    }),
    response: Type.Unknown(),
    answerHeaders: ['etag'],
    errors: [...errors, 'documentation-part-not-found', 'document-invalid'],
  }),
} as const
