import type { Json } from '../../../../src/kernel/json.ts'
import type { Instances } from './texts.ts'

const point: Json = { type: 'Point', coordinates: [12.5, 41.9] }
const ring: Json = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
]
const feature: Json = { type: 'Feature', geometry: point, properties: null }
const issuer = 'https://id.example.com'
const provider = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
}
const event = { specversion: '1.0', id: '1', source: '/shop', type: 'com.example.sold' }
const tool = { name: 'ping', inputSchema: { type: 'object' } }
const server = { name: 'io.github.acme/weather', description: 'Weather', version: '1.0.0' }

/** Instances of the standard types that are objects or arrays. */
export const objects: readonly Instances[] = [
  [
    'rfc7946/Point',
    [point, { type: 'Point', coordinates: [0, 0, 100] }, { ...(point as object), bbox: [0, 0, 1, 1] }],
    [{ type: 'Point' }, { type: 'Point', coordinates: [1] }, { type: 'point', coordinates: [1, 2] }],
  ],
  [
    'rfc7946/MultiPoint',
    [
      { type: 'MultiPoint', coordinates: [] },
      { type: 'MultiPoint', coordinates: [[1, 2]] },
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    [point, { type: 'MultiPoint', coordinates: [1, 2] }, { type: 'MultiPoint', coordinates: [['1', '2']] }],
  ],
  [
    'rfc7946/LineString',
    [
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      },
      {
        type: 'LineString',
        coordinates: [
          [0, 0, 1],
          [1, 1, 2],
        ],
      },
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 1],
          [2, 2],
        ],
      },
    ],
    [{ type: 'LineString', coordinates: [[0, 0]] }, { type: 'LineString', coordinates: [] }, { type: 'LineString' }],
  ],
  [
    'rfc7946/MultiLineString',
    [
      { type: 'MultiLineString', coordinates: [] },
      {
        type: 'MultiLineString',
        coordinates: [
          [
            [0, 0],
            [1, 1],
          ],
        ],
      },
      {
        type: 'MultiLineString',
        coordinates: [
          [
            [0, 0],
            [1, 1],
          ],
          [
            [2, 2],
            [3, 3],
          ],
        ],
      },
    ],
    [{ type: 'MultiLineString', coordinates: [[0, 0]] }, { type: 'MultiLineString', coordinates: [[[0, 0]]] }, point],
  ],
  [
    'rfc7946/Polygon',
    [
      { type: 'Polygon', coordinates: [ring] },
      { type: 'Polygon', coordinates: [] },
      { type: 'Polygon', coordinates: [ring, ring] },
    ],
    [
      { type: 'Polygon', coordinates: ring },
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
      { type: 'Polygon' },
    ],
  ],
  [
    'rfc7946/MultiPolygon',
    [
      { type: 'MultiPolygon', coordinates: [[ring]] },
      { type: 'MultiPolygon', coordinates: [] },
      { type: 'MultiPolygon', coordinates: [[ring], [ring]] },
    ],
    [{ type: 'MultiPolygon', coordinates: [ring] }, { type: 'Polygon', coordinates: [ring] }, { type: 'MultiPolygon' }],
  ],
  [
    'rfc7946/GeometryCollection',
    [
      { type: 'GeometryCollection', geometries: [] },
      { type: 'GeometryCollection', geometries: [point] },
      { type: 'GeometryCollection', geometries: [{ type: 'GeometryCollection', geometries: [point] }] },
    ],
    [{ type: 'GeometryCollection' }, { type: 'GeometryCollection', geometries: [feature] }, point],
  ],
  [
    'rfc7946/Geometry',
    [point, { type: 'Polygon', coordinates: [ring] }, { type: 'GeometryCollection', geometries: [point] }],
    [feature, { type: 'Circle', coordinates: [0, 0] }, { coordinates: [0, 0] }],
  ],
  [
    'rfc7946/Feature',
    [feature, { ...(feature as object), id: 7 }, { type: 'Feature', geometry: null, properties: { a: 1 } }],
    [point, { type: 'Feature', geometry: point }, { type: 'Feature', geometry: feature, properties: null }],
  ],
  [
    'rfc7946/FeatureCollection',
    [
      { type: 'FeatureCollection', features: [] },
      { type: 'FeatureCollection', features: [feature] },
      { type: 'FeatureCollection', features: [feature, feature] },
    ],
    [feature, { type: 'FeatureCollection' }, { type: 'FeatureCollection', features: [point] }],
  ],
  [
    'rfc9457/Problem',
    [{}, { type: 'https://example.com/out-of-credit', title: 'No credit', status: 403 }, { detail: 'x', balance: 30 }],
    [[], { status: 42 }, { title: 1 }, { type: 'a b' }],
  ],
  [
    'rfc6902/JsonPatch',
    [
      [],
      [{ op: 'add', path: '/a', value: null }],
      [
        { op: 'move', from: '/a', path: '/b' },
        { op: 'remove', path: '/c' },
      ],
    ],
    [
      {},
      [{ op: 'add', path: '/a' }],
      [{ op: 'merge', path: '/a', value: 1 }],
      [{ op: 'copy', path: '/a' }],
      [{ op: 'remove', path: 'a' }],
    ],
  ],
  [
    'rfc8288/Link',
    [
      { href: '/next', rel: 'next' },
      { href: 'https://example.com', rel: 'self', type: 'text/html' },
      { href: '', rel: 'a', hreflang: 'de-CH' },
    ],
    [{ href: '/next' }, { rel: 'next' }, { href: 'a b', rel: 'x' }],
  ],
  [
    'rfc7517/Jwk',
    [
      { kty: 'EC', crv: 'P-256', x: 'a', y: 'b' },
      { kty: 'oct', k: 'abc' },
      { kty: 'OKP', use: 'sig' },
    ],
    [{}, { kty: 'ec' }, { kty: 'RSA', key_ops: 'sign' }],
  ],
  [
    'rfc7517/JwkSet',
    [{ keys: [] }, { keys: [{ kty: 'RSA' }] }, { keys: [{ kty: 'RSA' }, { kty: 'EC' }], more: 1 }],
    [{}, { keys: {} }, { keys: [{}] }],
  ],
  [
    'rfc7519/Claims',
    [{}, { iss: 'a', exp: 1.5, aud: ['x'] }, { sub: 'b', own: true, aud: 'x' }],
    [{ exp: '1' }, { aud: 1 }, []],
  ],
  [
    'oauth/TokenResponse',
    [
      { access_token: 'a', token_type: 'Bearer' },
      { access_token: 'a', token_type: 'Bearer', expires_in: 3600 },
      { access_token: 'a', token_type: 'DPoP', scope: 'x y' },
    ],
    [{ access_token: 'a' }, { token_type: 'Bearer' }, { access_token: 'a', token_type: 'Bearer', expires_in: -1 }],
  ],
  [
    'oauth/TokenError',
    [
      { error: 'invalid_grant' },
      { error: 'invalid_client', error_description: 'x' },
      { error: 'x', error_uri: 'https://example.com' },
    ],
    [{}, { error: 1 }, { error: 'a"b' }],
  ],
  [
    'oauth/Introspection',
    [{ active: false }, { active: true, scope: 'a', exp: 5 }, { active: true, aud: ['x'] }],
    [{}, { active: 'true' }, { active: true, exp: 1.5 }],
  ],
  [
    'oauth/ServerMetadata',
    [
      { issuer, response_types_supported: ['code'] },
      { issuer, response_types_supported: [], token_endpoint: `${issuer}/token` },
      { issuer: `${issuer}/a`, response_types_supported: ['code'], own: 1 },
    ],
    [
      { issuer },
      { issuer: 'http://id.example.com', response_types_supported: [] },
      { issuer: `${issuer}?a`, response_types_supported: [] },
    ],
  ],
  [
    'oauth/ResourceMetadata',
    [
      { resource: issuer },
      { resource: issuer, authorization_servers: [issuer] },
      { resource: issuer, bearer_methods_supported: ['header'] },
    ],
    [{}, { resource: 'a' }, { resource: issuer, bearer_methods_supported: ['cookie'] }],
  ],
  [
    'openid/ProviderMetadata',
    [
      provider,
      { ...provider, userinfo_endpoint: `${issuer}/me` },
      { ...provider, subject_types_supported: ['pairwise', 'public'] },
    ],
    [{ issuer }, { ...provider, subject_types_supported: ['private'] }, { ...provider, issuer: 'id' }],
  ],
  [
    'openid/UserInfo',
    [
      { sub: '1' },
      { sub: '1', email: 'a@example.com', email_verified: true },
      { sub: '1', birthdate: '1990-01-01', zoneinfo: 'Europe/Rome' },
    ],
    [{}, { sub: '' }, { sub: '1', email: 'a' }, { sub: '1', birthdate: '1.1.1990' }],
  ],
  [
    'cloudevents/CloudEvent',
    [
      event,
      { ...event, data: { a: 1 }, datacontenttype: 'application/json' },
      { ...event, time: '2026-05-05T12:00:00Z', own: 'x' },
    ],
    [{ ...event, specversion: '0.3' }, { ...event, id: '' }, { ...event, data: 1, data_base64: 'YQ==' }, { id: '1' }],
  ],
  [
    'jsonapi/Resource',
    [{ type: 'a' }, { type: 'a', id: '1', attributes: { b: 1 } }, { type: 'a', lid: 'x', relationships: {} }],
    [{}, { type: 'a', id: 1 }, { type: 'a', attributes: { type: 'b' } }],
  ],
  [
    'jsonapi/Error',
    [{ title: 'x' }, { status: '404', source: { pointer: '/data' } }, { code: '1', detail: 'y' }],
    [{}, { status: 404 }, { status: '42' }],
  ],
  [
    'jsonapi/Document',
    [{ data: null }, { data: [{ type: 'a', id: '1' }] }, { errors: [{ title: 'x' }] }, { meta: {} }],
    [{}, { data: { id: '1' } }, { data: null, errors: [] }],
  ],
  [
    'jsonrpc/Request',
    [
      { jsonrpc: '2.0', method: 'a' },
      { jsonrpc: '2.0', method: 'a', params: [1], id: 1 },
      { jsonrpc: '2.0', method: 'a', params: {}, id: 'x' },
    ],
    [{ method: 'a' }, { jsonrpc: '1.0', method: 'a' }, { jsonrpc: '2.0', method: 'a', params: 1 }],
  ],
  [
    'jsonrpc/Response',
    [
      { jsonrpc: '2.0', result: null, id: 1 },
      { jsonrpc: '2.0', error: { code: -32600, message: 'x' }, id: null },
      { jsonrpc: '2.0', result: {}, id: 'a' },
    ],
    [
      { jsonrpc: '2.0', id: 1 },
      { jsonrpc: '2.0', result: 1, error: { code: 1, message: 'x' }, id: 1 },
      { jsonrpc: '2.0', error: { code: 'x', message: 'x' }, id: 1 },
    ],
  ],
  [
    'hal/Resource',
    [
      {},
      { _links: { self: { href: '/a' } }, name: 'x' },
      { _links: { items: [{ href: '/a' }] }, _embedded: { items: [{ _links: {} }] } },
    ],
    [[], { _links: { self: '/a' } }, { _embedded: { items: 1 } }],
  ],
  [
    'standardwebhooks/Envelope',
    [
      { type: 'user.created', timestamp: '2026-05-05T12:00:00Z', data: {} },
      { type: 'a', timestamp: '2026-05-05T12:00:00.5Z', data: { id: 1 } },
      { type: 'a.b_c.d', timestamp: '2026-05-05T12:00:00+02:00', data: {} },
    ],
    [
      { type: 'a', data: {} },
      { type: 'a..b', timestamp: '2026-05-05T12:00:00Z', data: {} },
      { type: 'a', timestamp: 'now', data: {} },
    ],
  ],
  [
    'mcp/Tool',
    [
      tool,
      { ...tool, description: 'x', annotations: { readOnlyHint: true } },
      { ...tool, outputSchema: { type: 'object' } },
    ],
    [{ name: 'a' }, { ...tool, inputSchema: { type: 'string' } }, { ...tool, annotations: { readOnlyHint: 'yes' } }],
  ],
  [
    'mcp/ServerJson',
    [
      server,
      { ...server, remotes: [{ type: 'sse', url: 'https://example.com' }] },
      { ...server, packages: [{ registryType: 'npm', identifier: 'x' }] },
    ],
    [
      { ...server, name: 'weather' },
      { ...server, description: '' },
      { ...server, remotes: [{ type: 'stdio', url: 'x' }] },
    ],
  ],
]
