/** One contract written in two ways: nothing that a client sends or reads changes. */
import { isObject, type Json, type JsonObject, type MadeCase } from '../case.ts'
import { documentOf } from './documents.ts'
import { samples } from './keyword-atoms.ts'
import { Random } from './random.ts'
import { versions, type Version } from './schemas.ts'

/** A description with named schemas, used in a request, a response and each other. */
function contract(version: Version, random: Random): JsonObject {
  const [a = '', b = '', c = '', d = ''] = random.names(4)
  const colors = random.values(3)
  const at = version === '2.0' ? '#/definitions/' : '#/components/schemas/'
  const schemas: JsonObject = {
    Part: {
      type: 'object',
      required: [b, c],
      properties: {
        [b]: { type: 'string', enum: colors },
        [c]: { type: 'integer', minimum: 1, maximum: random.int(20, 90) },
      },
    },
    Whole: {
      type: 'object',
      required: [a],
      properties: {
        [a]: { type: 'string', maxLength: random.int(5, 20) },
        parts: { type: 'array', items: { $ref: `${at}Part` } },
        [d]: { type: 'boolean' },
      },
    },
  }
  const whole = { $ref: `${at}Whole` }
  const query = (name: string, type: string): JsonObject => ({
    name,
    in: 'query',
    ...(version === '2.0' ? { type } : { schema: { type } }),
  })
  const id: JsonObject = {
    name: 'id',
    in: 'path',
    required: true,
    ...(version === '2.0' ? { type: 'string' } : { schema: { type: 'string' } }),
  }
  const answer = version === '2.0' ? { schema: whole } : { content: { 'application/json': { schema: whole } } }
  const body =
    version === '2.0' ? {} : { requestBody: { required: true, content: { 'application/json': { schema: whole } } } }
  const bodyParameter = version === '2.0' ? [{ name: 'body', in: 'body', required: true, schema: whole }] : []
  const root = `/${random.noun()}`
  const paths: JsonObject = {
    [root]: {
      get: {
        parameters: [query(a, 'integer'), query(b, 'string')],
        responses: { '200': { description: 'Found', ...answer }, '404': { description: 'Missing' } },
      },
      post: {
        ...(bodyParameter.length > 0 ? { parameters: bodyParameter } : {}),
        ...body,
        responses: { '201': { description: 'Made', ...answer } },
      },
    },
    [`${root}/{id}`]: { get: { parameters: [id], responses: { '200': { description: 'Found', ...answer } } } },
  }
  return documentOf(version, paths, version === '2.0' ? { definitions: schemas } : { components: { schemas } })
}

/** Rewrites every object of a document, the inner ones first. */
function rewritten(value: Json, rewrite: (value: JsonObject) => Json): Json {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, rewrite))
  if (!isObject(value)) return value
  return rewrite(Object.fromEntries(Object.entries(value).map(([name, part]) => [name, rewritten(part, rewrite)])))
}

type Rewrite = (document: JsonObject, random: Random, version: Version) => JsonObject

const each =
  (rewrite: (value: JsonObject, random: Random) => Json): Rewrite =>
  (document, random) =>
    rewritten(document, (value) => rewrite(value, random)) as JsonObject

const isSchema = (value: JsonObject): boolean => typeof value['type'] === 'string'

const schemasOf = (document: JsonObject): JsonObject => {
  const components = document['components']
  return (isObject(components) ? components['schemas'] : document['definitions']) as JsonObject
}

const withSchemas = (document: JsonObject, schemas: JsonObject): JsonObject =>
  document['definitions'] === undefined
    ? { ...document, components: { schemas } }
    : { ...document, definitions: schemas }

/** A reference replaced by what it leads to, to any depth: the contract has no cycles. */
const inlined: Rewrite = (document) => {
  const schemas = schemasOf(document)
  const inline = (value: Json): Json =>
    rewritten(value, (part) =>
      typeof part['$ref'] === 'string' ? inline(schemas[part['$ref'].split('/').at(-1) ?? ''] ?? {}) : part,
    )
  const { components: _, definitions: __, ...rest } = document
  return inline(rest) as JsonObject
}

const rewrites: Readonly<
  Record<string, { readonly reason: string; readonly versions: readonly Version[]; readonly rewrite: Rewrite }>
> = {
  'keys-reordered': {
    versions,
    reason: 'The order of the members of an object says nothing (RFC 8259, 4).',
    rewrite: each((value, random) => Object.fromEntries(random.shuffle(Object.entries(value)))),
  },
  'required-reordered': {
    versions,
    reason: 'The lists required and enum are sets (validation 6.5.3 and 6.1.2).',
    rewrite: each((value) =>
      Array.isArray(value['required']) || Array.isArray(value['enum'])
        ? {
            ...value,
            ...(Array.isArray(value['required']) ? { required: [...value['required']].reverse() } : {}),
            ...(Array.isArray(value['enum']) ? { enum: [...value['enum']].reverse() } : {}),
          }
        : value,
    ),
  },
  'parameters-reordered': {
    versions,
    reason: 'Parameters are known by name and place; their order says nothing (Operation Object, parameters).',
    rewrite: each((value) =>
      Array.isArray(value['parameters']) ? { ...value, parameters: [...value['parameters']].reverse() } : value,
    ),
  },
  'component-renamed': {
    versions,
    reason: 'The name of a component is a name within the document (Components Object).',
    rewrite: (document, random) => {
      const name = `Thing${random.int(1, 99)}`
      const moved = Object.fromEntries(
        Object.entries(schemasOf(document)).map(([key, schema]) => [key === 'Part' ? name : key, schema]),
      )
      return rewritten(withSchemas(document, moved), (value) =>
        typeof value['$ref'] === 'string' ? { $ref: value['$ref'].replace(/Part$/, name) } : value,
      ) as JsonObject
    },
  },
  'references-inlined': {
    versions,
    reason: 'A tool replaces a reference with the object that it names (Reference Object).',
    rewrite: inlined,
  },
  'component-unused': {
    versions,
    reason: 'A component that nothing refers to is part of no message (Components Object).',
    rewrite: (document, random) =>
      withSchemas(document, { ...schemasOf(document), Unused: { type: 'string', maxLength: random.int(1, 9) } }),
  },
  documented: {
    versions,
    reason: 'Titles and descriptions restrict no value (Schema Object).',
    rewrite: each((value, random) =>
      isSchema(value) && value['in'] === undefined
        ? { ...value, description: `About ${random.noun()}`, title: 'A part' }
        : value,
    ),
  },
  'examples-added': {
    versions,
    reason: 'Examples restrict no value (Schema Object).',
    rewrite: each((value) =>
      value['type'] === 'object' && value['in'] === undefined ? { ...value, example: { note: 'x' } } : value,
    ),
  },
  'in-yaml': {
    versions,
    reason: 'JSON and YAML are two forms of one document (OpenAPI, Format).',
    rewrite: (document) => document,
  },
  'wrapped-in-all-of': {
    versions,
    reason: 'A schema says the same as an allOf of it alone (core 10.2.1.1, allOf).',
    rewrite: each((value) =>
      value['type'] === 'integer' && value['maximum'] !== undefined ? { allOf: [value] } : value,
    ),
  },
  'part-extracted': {
    versions,
    reason: 'A tool replaces a reference with the object that it names (Reference Object).',
    rewrite: (document) => {
      const schemas = schemasOf(document)
      const part = schemas['Part'] as JsonObject
      const properties = part['properties'] as JsonObject
      const at = document['definitions'] === undefined ? '#/components/schemas/' : '#/definitions/'
      const entries = Object.entries(properties).map(([name], index) => [name, { $ref: `${at}Part${index}` }] as const)
      const made = Object.entries(properties).map(([, schema], index) => [`Part${index}`, schema] as const)
      return withSchemas(document, {
        ...schemas,
        Part: { ...part, properties: Object.fromEntries(entries) },
        ...Object.fromEntries(made),
      })
    },
  },
  'types-as-lists': {
    versions: ['3.1', '3.2'],
    reason: 'One type says the same as a list of that type alone (validation 6.1.1, type).',
    rewrite: each((value) => (isSchema(value) ? { ...value, type: [value['type'] ?? ''] } : value)),
  },
  'limits-of-zero': {
    versions,
    reason: 'These limits are the ones that hold without the keyword (validation 6.3.2, 6.4.2 and 6.5.2).',
    rewrite: each((value) =>
      value['in'] === undefined && value['type'] === 'array' ? { ...value, minItems: 0, uniqueItems: false } : value,
    ),
  },
  'enum-as-choices': {
    versions: ['3.0', '3.1', '3.2'],
    reason: 'A value is one of a list if it is one of a part of it (core 10.2.1.2, anyOf).',
    rewrite: each((value) =>
      Array.isArray(value['enum']) ? { anyOf: value['enum'].map((one) => ({ type: 'string', enum: [one] })) } : value,
    ),
  },
}

const combined = 12

/** The cases of the track: each rewriting by itself, and three together. */
export function silenceCases(seed: string): MadeCase[] {
  const made = (id: string, version: Version, names: readonly string[]): MadeCase => {
    const random = new Random(`${seed}/silence/${id}`)
    const base = contract(version, random)
    const head = names.reduce((document, name) => rewrites[name]?.rewrite(document, random, version) ?? document, base)
    const reasons = [...new Set(names.map((name) => rewrites[name]?.reason ?? ''))]
    return {
      id,
      track: 'silence',
      direction: 'both',
      verdict: 'safe',
      certificate: { reason: reasons.join(' '), samples },
      source: `generator, ${names.join(', ')} in OpenAPI ${version}, ${names.includes('in-yaml') ? 'head in YAML, ' : ''}seed ${seed}`,
      base,
      head,
    }
  }
  const single = Object.entries(rewrites).flatMap(([name, { versions: own }]) =>
    own.map((version) => made(`${version.replace('.', '-')}-${name}`, version, [name])),
  )
  const together = Array.from({ length: combined }, (_, at) => {
    const version = versions[at % versions.length] ?? '3.1'
    const names = new Random(`${seed}/together/${at}`).shuffle(
      Object.keys(rewrites).filter(
        (name) => rewrites[name]?.versions.includes(version) === true && !/inlined|extracted|renamed|unused/.test(name),
      ),
    )
    return made(`together-${at + 1}`, version, [
      ...names.slice(0, 3),
      at % 2 === 0 ? 'component-renamed' : 'references-inlined',
    ])
  })
  return [...single, ...together]
}
