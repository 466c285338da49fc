import type { JsonObject } from '../../kernel/json.ts'
import { family, type BuiltinDeclaration } from './declare.ts'

const geo = family('rfc7946', 'geography', 'ietf', 'geojson')

const position = { type: 'array', minItems: 2, items: { type: 'number' } }
const listOf = (items: JsonObject, minItems = 0): JsonObject => ({
  type: 'array',
  ...(minItems === 0 ? {} : { minItems }),
  items,
})
const bbox = { type: 'array', minItems: 4, items: { type: 'number' } }

const geometry = (name: string, coordinates: JsonObject): JsonObject => ({
  type: 'object',
  required: ['type', 'coordinates'],
  properties: { type: { const: name }, coordinates, bbox },
})

const geometries = [
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
]
// A ring is closed: its first and last positions are the same, so it has four at least.
const ring = listOf(position, 4)

/** GeoJSON, by RFC 7946. */
export const geojsonTypes: readonly BuiltinDeclaration[] = [
  geo(
    'Point',
    'A point of GeoJSON: longitude, latitude and perhaps altitude, by RFC 7946 section 3.1.2.',
    geometry('Point', position),
  ),
  geo('MultiPoint', 'Points of GeoJSON, by RFC 7946 section 3.1.3.', geometry('MultiPoint', listOf(position))),
  geo('LineString', 'A line of GeoJSON, by RFC 7946 section 3.1.4.', geometry('LineString', listOf(position, 2))),
  geo(
    'MultiLineString',
    'Lines of GeoJSON, by RFC 7946 section 3.1.5.',
    geometry('MultiLineString', listOf(listOf(position, 2))),
  ),
  geo(
    'Polygon',
    'A polygon of GeoJSON: closed rings, the outer one first, by RFC 7946 section 3.1.6.',
    geometry('Polygon', listOf(ring)),
  ),
  geo(
    'MultiPolygon',
    'Polygons of GeoJSON, by RFC 7946 section 3.1.7.',
    geometry('MultiPolygon', listOf(listOf(ring))),
  ),
  geo('GeometryCollection', 'Geometries of GeoJSON, by RFC 7946 section 3.1.8.', {
    type: 'object',
    required: ['type', 'geometries'],
    properties: { type: { const: 'GeometryCollection' }, geometries: listOf({ $ref: 'svc:rfc7946/Geometry' }), bbox },
  }),
  geo('Geometry', 'Any geometry of GeoJSON, by RFC 7946 section 3.1.', {
    type: 'object',
    required: ['type'],
    oneOf: geometries.map((name) => ({ $ref: `svc:rfc7946/${name}` })),
  }),
  geo('Feature', 'A feature of GeoJSON: a geometry with properties, by RFC 7946 section 3.2.', {
    type: 'object',
    required: ['type', 'geometry', 'properties'],
    properties: {
      type: { const: 'Feature' },
      id: { type: ['string', 'number'] },
      geometry: { anyOf: [{ $ref: 'svc:rfc7946/Geometry' }, { type: 'null' }] },
      properties: { type: ['object', 'null'] },
      bbox,
    },
  }),
  geo('FeatureCollection', 'Features of GeoJSON, by RFC 7946 section 3.3.', {
    type: 'object',
    required: ['type', 'features'],
    properties: { type: { const: 'FeatureCollection' }, features: listOf({ $ref: 'svc:rfc7946/Feature' }), bbox },
  }),
]
