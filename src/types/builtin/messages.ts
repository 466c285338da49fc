import { family, filled, flag, object, reference, text, uri, words, type BuiltinDeclaration } from './declare.ts'

const jsonapi = family('jsonapi', 'json', 'jsonapi')
const jsonrpc = family('jsonrpc', 'rpc', 'jsonrpc')
const mcp = family('mcp', 'agents', 'mcp')

/** Types of standards for events, documents and messages. */
export const messageTypes: readonly BuiltinDeclaration[] = [
  family(
    'cloudevents',
    'event',
    'cncf',
    'event',
  )(
    'CloudEvent',
    'An event in JSON, by CloudEvents 1.0.2.',
    object(
      ['specversion', 'id', 'source', 'type'],
      {
        specversion: { const: '1.0' },
        id: filled,
        source: { ...reference, minLength: 1 },
        type: filled,
        datacontenttype: { $ref: 'svc:rfc6838/MediaType' },
        dataschema: uri,
        subject: filled,
        time: { $ref: 'svc:rfc3339/DateTime' },
        data: true,
        data_base64: { type: 'string', format: 'byte' },
      },
      { not: { required: ['data', 'data_base64'] } },
    ),
  ),
  jsonapi(
    'Resource',
    'A resource object, by JSON:API 1.1.',
    object(['type'], {
      type: filled,
      id: text,
      lid: text,
      attributes: { type: 'object', not: { anyOf: [{ required: ['id'] }, { required: ['type'] }] } },
      relationships: { type: 'object' },
      links: { type: 'object' },
      meta: { type: 'object' },
    }),
  ),
  jsonapi(
    'Error',
    'An error object, by JSON:API 1.1.',
    object(
      [],
      {
        id: text,
        links: { type: 'object' },
        status: { type: 'string', pattern: '^[1-5][0-9]{2}$' },
        code: text,
        title: text,
        detail: text,
        source: object([], { pointer: text, parameter: text, header: text }),
        meta: { type: 'object' },
      },
      { minProperties: 1 },
    ),
  ),
  jsonapi(
    'Document',
    'A top-level document with data, errors or meta, by JSON:API 1.1.',
    object(
      [],
      {
        data: {
          anyOf: [
            { type: 'null' },
            { $ref: 'svc:jsonapi/Resource' },
            { type: 'array', items: { $ref: 'svc:jsonapi/Resource' } },
          ],
        },
        errors: { type: 'array', items: { $ref: 'svc:jsonapi/Error' } },
        included: { type: 'array', items: { $ref: 'svc:jsonapi/Resource' } },
        jsonapi: { type: 'object' },
        links: { type: 'object' },
        meta: { type: 'object' },
      },
      {
        anyOf: [{ required: ['data'] }, { required: ['errors'] }, { required: ['meta'] }],
        not: { required: ['data', 'errors'] },
      },
    ),
  ),
  jsonrpc(
    'Request',
    'A request or a notification, by JSON-RPC 2.0 section 4.',
    object(['jsonrpc', 'method'], {
      jsonrpc: { const: '2.0' },
      method: text,
      params: { type: ['array', 'object'] },
      id: { type: ['string', 'number', 'null'] },
    }),
  ),
  jsonrpc(
    'Response',
    'An answer with a result or an error, by JSON-RPC 2.0 section 5.',
    object(
      ['jsonrpc', 'id'],
      {
        jsonrpc: { const: '2.0' },
        result: true,
        error: object(['code', 'message'], { code: { type: 'integer' }, message: text, data: true }),
        id: { type: ['string', 'number', 'null'] },
      },
      { oneOf: [{ required: ['result'] }, { required: ['error'] }] },
    ),
  ),
  family('hal', 'json', 'hal')(
    'Resource',
    'A resource with links and embedded resources, by the Hypertext Application Language.',
    object(
      [],
      {
        _links: {
          type: 'object',
          additionalProperties: {
            anyOf: [{ $ref: '#/$defs/link' }, { type: 'array', items: { $ref: '#/$defs/link' } }],
          },
        },
        _embedded: {
          type: 'object',
          additionalProperties: { anyOf: [{ $ref: '#' }, { type: 'array', items: { $ref: '#' } }] },
        },
      },
      {
        $defs: {
          link: object(['href'], { href: text, templated: flag, type: text, name: text, title: text, profile: uri }),
        },
      },
    ),
  ),
  family('standardwebhooks', 'event', 'webhook')(
    'Envelope',
    'The body of a webhook, by Standard Webhooks 1.0.',
    object(['type', 'timestamp', 'data'], {
      type: { type: 'string', pattern: '^[A-Za-z0-9_]+(?:\\.[A-Za-z0-9_]+)*$' },
      timestamp: { $ref: 'svc:rfc3339/DateTime' },
      data: { type: 'object' },
    }),
  ),
  mcp(
    'Tool',
    'A tool of a server, by the Model Context Protocol 2025-06-18.',
    object(['name', 'inputSchema'], {
      name: filled,
      title: text,
      description: text,
      inputSchema: object(['type'], { type: { const: 'object' }, properties: { type: 'object' }, required: words }),
      outputSchema: object(['type'], { type: { const: 'object' } }),
      annotations: object([], {
        title: text,
        readOnlyHint: flag,
        destructiveHint: flag,
        idempotentHint: flag,
        openWorldHint: flag,
      }),
    }),
  ),
  mcp(
    'ServerJson',
    'The entry of a server in a registry, by the server.json of the Model Context Protocol registry.',
    object(['name', 'description', 'version'], {
      $schema: uri,
      name: { type: 'string', pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
      description: { type: 'string', minLength: 1, maxLength: 100 },
      version: { type: 'string', maxLength: 255 },
      websiteUrl: uri,
      repository: object(['url', 'source'], { url: uri, source: text }),
      remotes: {
        type: 'array',
        items: object(['type', 'url'], { type: { enum: ['streamable-http', 'sse'] }, url: filled }),
      },
      packages: {
        type: 'array',
        items: object(['registryType', 'identifier'], { registryType: filled, identifier: filled }),
      },
    }),
  ),
]
