/** Examples of the published description: made from the shapes, with values that a reader recognises. */

type Plain = Record<string, unknown>

/** Values by the name of the property or parameter that holds them. A test holds each against its shape. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  id: ['01980c5e-7a3b-7c21-9d10-4f6a2b8c1e37'],
  tenant_slug: ['acme'],
  project_slug: ['train-travel'],
  version_slug: ['1.4.0'],
  class_name: ['Booking'],
  className: ['Booking'],
  class_names: ['Booking'],
  project_ref: ['train-travel'],
  version_ref: ['1.4.0'],
  consumer_ref: ['mobile-app'],
  consumer: ['mobile-app'],
  consumers: ['mobile-app'],
  consumer_slug: ['mobile-app'],
  handle: ['mobile-app'],
  slug: ['train-travel'],
  name: ['Train Travel'],
  org_name: ['Acme'],
  title: ['Train Travel API'],
  description: ['Bookings and timetables of trains.'],
  label: ['1.4.0'],
  version: ['1.4.0'],
  version_label: ['1.4.0'],
  fromVersionLabel: ['1.3.0'],
  toVersionLabel: ['1.4.0'],
  base: ['1.3.0'],
  head: ['1.4.0'],
  email: ['ada@example.com'],
  display_name: ['Ada Lovelace'],
  password: ['correct horse battery staple'],
  method: ['GET', 'get'],
  path: ['/bookings/{bookingId}', 'openapi.yaml'],
  pointer: ['/paths/~1bookings~1{bookingId}/get'],
  source: ['openapi.yaml'],
  code: ['operation-description', 'project-not-found'],
  rule_id: ['operation-description'],
  ruleId: ['operation-description'],
  message: ['The operation has no description.'],
  operations: ['get-booking'],
  operationId: ['get-booking'],
  operation_id: ['get-booking'],
  fingerprint: ['3f1c9a6e20b7d845'],
  digest: ['sha256:7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730'],
  grade: ['B'],
  score: [87.5],
  points: [2.5],
  limit: [50],
  offset: [0],
  total: [1],
  count: [1],
  url: ['https://api.example.com/openapi.yaml'],
  q: ['train'],
  prefix: ['svk_4Tz1pQ8b'],
  actor: ['01980c5e-7a3b-7c21-9d10-4f6a2b8c1e37'],
  job_id: ['01980c5e-7a3b-7c21-9d10-4f6a2b8c1e37'],
  access_token: ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTk4MGM1ZSJ9.c2lnbmF0dXJl'],
  refresh_token: ['svr_Zk3v8Qm1'],
  user_code: ['BDWP-HQPK'],
  document: ['{"openapi":"3.1.0","info":{"title":"Train Travel API","version":"1.4.0"},"paths":{}}'],
  text: ['openapi: 3.1.0\ninfo:\n  title: Train Travel API\n  version: 1.4.0\npaths: {}\n'],
  inline: ['openapi: 3.1.0\ninfo:\n  title: Train Travel API\n  version: 1.4.0\npaths: {}\n'],
  yaml: ['rules:\n  operation-description: warn\n'],
  reason: ['Agreed with every consumer on 12 January.'],
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T09:30:00.000Z',
  date: '2026-01-15',
  email: 'ada@example.com',
  uri: 'https://api.example.com/openapi.yaml',
  uuid: '01980c5e-7a3b-7c21-9d10-4f6a2b8c1e37',
}

const idLike = /(^|_)(id|ids|by)$|Id$|Ids$|By$/
const dateLike = /(_at|At|since|until)$/

function textFor(name: string, schema: Plain): string {
  const { format, pattern, minLength, maxLength } = schema
  const fits = (text: string): boolean =>
    text.length >= Number(minLength ?? 0) &&
    text.length <= Number(maxLength ?? Number.POSITIVE_INFINITY) &&
    (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text))
  const named = (Object.hasOwn(samples, name) ? samples[name] : undefined) ?? []
  const candidates = [
    ...(typeof format === 'string' && formats[format] !== undefined ? [formats[format]] : named),
    ...(dateLike.test(name) ? [formats['date-time']] : []),
    ...(idLike.test(name) ? [formats['uuid']] : []),
    name.replaceAll(/[_-]+/g, ' ').trim(),
    'example',
    'a'.repeat(Number(minLength ?? 1)),
  ]
  return candidates.find((it): it is string => typeof it === 'string' && fits(it)) ?? 'example'
}

function numberFor(name: string, schema: Plain): number {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number }
  const named = (Object.hasOwn(samples, name) ? samples[name] : undefined)?.find(
    (it): it is number => typeof it === 'number',
  )
  const wanted = typeof schema['default'] === 'number' ? schema['default'] : (named ?? 1)
  return Math.min(Math.max(wanted, minimum ?? wanted), maximum ?? Number.POSITIVE_INFINITY)
}

/** Which of several shapes an example shows: the first that is not just null. */
const branchOf = (branches: readonly Plain[]): Plain =>
  branches.find((it) => it['type'] !== 'null') ?? branches[0] ?? {}

const deepest = 8

/**
 * An example of a shape.
 * @param schema JSON Schema as the description holds it
 * @param name what the value is called where it is
 * @param components the named shapes that `$ref`s lead to
 */
export function exampleOf(
  schema: Plain,
  name: string,
  components: Readonly<Record<string, Plain>>,
  depth = 0,
): unknown {
  const ref = schema['$ref']
  if (typeof ref === 'string') return exampleOf(components[ref.split('/').at(-1) ?? ''] ?? {}, name, components, depth)
  if ('const' in schema) return schema['const']
  const values = schema['examples'] ?? schema['enum']
  if (Array.isArray(values)) return values[0]
  for (const word of ['anyOf', 'oneOf', 'allOf']) {
    const branches = schema[word]
    if (!Array.isArray(branches)) continue
    if (word !== 'allOf') return exampleOf(branchOf(branches as Plain[]), name, components, depth)
    const parts = (branches as Plain[]).map((it) => exampleOf(it, name, components, depth))
    return Object.assign({}, ...parts) as unknown
  }
  if ('then' in schema) return exampleOf(schema['then'] as Plain, name, components, depth)
  const { type } = schema
  switch (Array.isArray(type) ? (type as unknown[])[0] : type) {
    case 'object':
      return objectOf(schema, components, depth)
    case 'array': {
      const items = schema['items'] as Plain | undefined
      if (depth >= deepest && Number(schema['minItems'] ?? 0) === 0) return []
      return items === undefined ? [] : [exampleOf(items, name, components, depth + 1)]
    }
    case 'string':
      return textFor(name, schema)
    case 'integer':
      return Math.round(numberFor(name, schema))
    case 'number':
      return numberFor(name, schema)
    case 'boolean':
      return schema['default'] ?? true
    case 'null':
      return null
    default:
      return 'example'
  }
}

function objectOf(schema: Plain, components: Readonly<Record<string, Plain>>, depth: number): Plain {
  const properties = (schema['properties'] ?? {}) as Record<string, Plain>
  const required = new Set((schema['required'] ?? []) as string[])
  const shown = Object.entries(properties).filter(([name]) => required.has(name) || depth < deepest)
  const example = Object.fromEntries(
    shown.map(([name, property]) => [name, exampleOf(property, name, components, depth + 1)]),
  )
  const values = (schema['patternProperties'] as Record<string, Plain> | undefined)?.['^(.*)$']
  return values === undefined || depth >= deepest
    ? example
    : { ...example, example: exampleOf(values, 'example', components, depth + 1) }
}
