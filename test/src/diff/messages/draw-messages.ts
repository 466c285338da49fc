/** Draws descriptions of one operation, edits them, and writes them as a document of some version. */
import { isObject } from '../../../../src/kernel/json.ts'
import type { Json } from '../../../../src/kernel/json.ts'
import { editSchemas } from './draw-schemas.ts'
import type { Draw, Mutable, Vocabulary } from './draw-schemas.ts'

export const versions = ['2.0', '3.0.3', '3.1.1', '3.2.0'] as const
export type Version = (typeof versions)[number]

interface Field {
  name: string
  in: 'query' | 'path' | 'header' | 'cookie'
  required: boolean
  schema: Json
  style: string
  explode: boolean
  media: string | null
}

interface Media {
  schema: Json
  encoding: { [property: string]: Json }
}

interface Answer {
  headers: { [name: string]: { required: boolean; schema: Json; explode: boolean } }
  content: { [media: string]: Media }
}

/** An operation with its schemas, before it is a document. Edits change it in place. */
export interface Described {
  fields: Field[]
  body: { required: boolean; content: { [media: string]: Media } } | null
  answers: { [status: string]: Answer }
  schemas: Mutable
}

const styles = {
  query: { array: ['form', 'spaceDelimited', 'pipeDelimited'], object: ['form', 'deepObject'], single: ['form'] },
  path: {
    array: ['simple', 'label', 'matrix'],
    object: ['simple', 'label', 'matrix'],
    single: ['simple', 'label', 'matrix'],
  },
  header: { array: ['simple'], object: ['simple'], single: ['simple'] },
  cookie: { array: ['form'], object: ['form'], single: ['form'] },
} as const

/** What a version can say about schemas. */
export const vocabularyOf = (version: Version): Vocabulary =>
  version === '2.0' ? 'plain' : version === '3.0.3' ? 'choices' : 'all'

const spell = (draw: Draw, field: Field, isOld: boolean): void => {
  const { schema } = field
  const type = isObject(schema) ? schema.type : undefined
  const kind = type === 'array' || type === 'object' ? type : 'single'
  field.style = isOld ? (field.in === 'query' ? 'form' : 'simple') : draw.pick(styles[field.in][kind])
  // Other combinations are not defined.
  field.explode = field.style === 'deepObject' || (!field.style.endsWith('Delimited') && draw.chance(0.5))
  if (isOld && field.in !== 'query') field.explode = false
  field.media = !isOld && draw.chance(0.08) ? draw.pick(['application/json', 'text/plain']) : null
  if (field.media === 'text/plain') field.schema = draw.scalar()
}

const drawField = (draw: Draw, name: string, isOld: boolean): Field => {
  const where = draw.pick(
    isOld ? (['query', 'path', 'header'] as const) : (['query', 'path', 'header', 'cookie'] as const),
  )
  const schema = draw.textual(!isOld)
  const field: Field = {
    name,
    in: where,
    required: where === 'path' || draw.chance(0.5),
    schema,
    style: '',
    explode: false,
    media: null,
  }
  spell(draw, field, isOld)
  return field
}

const drawMedia = (draw: Draw, media: string): Media => {
  if (media === 'text/plain') return { schema: draw.scalar(), encoding: {} }
  if (media === 'application/json') return { schema: draw.schema(2), encoding: {} }
  const names = draw.some(['a', 'b', 'c'], 0.7)
  const properties = Object.fromEntries(
    names.map((name) => [
      name,
      media.startsWith('multipart') && draw.chance(0.3) ? draw.object(0, false) : draw.textual(false),
    ]),
  )
  const encoding: Mutable = {}
  for (const name of names)
    if (draw.chance(0.3))
      encoding[name] = media.startsWith('multipart')
        ? { contentType: draw.pick(['application/json', 'text/plain']) }
        : { style: 'form', explode: draw.chance(0.5) }
  return { schema: { type: 'object', properties, required: draw.some(names, 0.4) }, encoding }
}

const requestMedia = [
  'application/json',
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
]

const drawAnswer = (draw: Draw, isOld: boolean): Answer => ({
  headers: draw.chance(0.3)
    ? { 'X-H': { required: draw.chance(0.5), schema: draw.textual(!isOld), explode: !isOld && draw.chance(0.5) } }
    : {},
  content: draw.chance(0.85)
    ? { [draw.chance(0.9) || isOld ? 'application/json' : 'text/plain']: { schema: draw.schema(2), encoding: {} } }
    : {},
})

/** Draws an operation that a version can describe. */
export const drawOperation = (draw: Draw, version: Version): Described => {
  draw.vocabulary = vocabularyOf(version)
  const isOld = version === '2.0'
  const focus = draw.pick(['fields', 'body', 'answers', 'all'])
  const has = (part: string): boolean => focus === part || focus === 'all'
  const names = has('fields') ? draw.some(['p', 'q'], 0.6) : []
  const media = draw.pick(requestMedia)
  const content = { [media]: drawMedia(draw, media) }
  if (has('body') && !isOld && draw.chance(0.2)) content['text/plain'] = drawMedia(draw, 'text/plain')
  return {
    fields: names.map((name) => drawField(draw, name, isOld)),
    body: has('body') && !(isOld && media === 'text/plain') ? { required: draw.chance(0.6), content } : null,
    answers: {
      '200': has('answers') ? drawAnswer(draw, isOld) : { headers: {}, content: {} },
      ...(has('answers') && draw.chance(0.3)
        ? { [draw.pick(['404', '4XX', 'default'])]: drawAnswer(draw, isOld) }
        : {}),
    },
    schemas: draw.components(),
  }
}

/** Edits an operation in place: a schema mostly, else how something is sent. */
export const editOperation = (draw: Draw, described: Described, isOld: boolean): void => {
  const turn = draw.random()
  const field = described.fields.length > 0 ? draw.pick(described.fields) : null
  if (turn < 0.5 || (field === null && turn < 0.75)) editOneSchema(draw, described, isOld)
  else if (field && turn < 0.6) field.schema = draw.textual(!isOld)
  else if (field && turn < 0.7) spell(draw, field, isOld)
  else if (field && turn < 0.75 && field.in !== 'path') field.required = !field.required
  else if (turn < 0.8 && described.body) described.body.required = !described.body.required
  else if (turn < 0.9) {
    const [name, media] = draw.pick(Object.entries(described.body?.content ?? { none: { schema: true, encoding: {} } }))
    if (!isObject(media.schema) || name === 'application/json') return
    const fresh = drawMedia(draw, name)
    if (draw.chance(0.5)) media.encoding = fresh.encoding
    else media.schema = fresh.schema
  } else editAnswer(draw, described, isOld)
}

const editOneSchema = (draw: Draw, described: Described, isOld: boolean): void => {
  const textual = draw.chance(0.3) && described.fields.length > 0
  if (textual && !isOld) {
    // Only what has a text: bounds, lists of values, types.
    const field = draw.pick(described.fields)
    if (isObject(field.schema))
      field.schema = {
        ...field.schema,
        ...(draw.chance(0.5) ? { maxItems: 2 } : {}),
        ...(field.schema.type === 'array' ? { items: draw.scalar() } : {}),
      }
    return
  }
  const bodies = [described.body?.content ?? {}, ...Object.values(described.answers).map((it) => it.content)].flatMap(
    (content) => content['application/json'] ?? [],
  )
  const body = draw.chance(0.6) && bodies.length > 0 ? draw.pick(bodies) : null
  const root: Mutable = { schemas: body ? { body: body.schema } : described.schemas }
  editSchemas(draw, root)
  if (body) body.schema = (root.schemas as Mutable).body!
}

const editAnswer = (draw: Draw, { answers }: Described, isOld: boolean): void => {
  const status = draw.pick(['200', '404', '4XX', 'default'])
  if (answers[status] === undefined) answers[status] = drawAnswer(draw, isOld)
  else if (status === '200') answers[status].headers = drawAnswer(draw, isOld).headers
  else delete answers[status]
}

/** A document that describes the operation. */
export const writeDocument = (described: Described, version: Version): Json => {
  const document = version === '2.0' ? writeSwagger(described) : writeOpenApi(described, version)
  if (version === '2.0' || version === '3.0.3') return older(document, version === '2.0')
  return document
}

const pathOf = ({ fields }: Described): string =>
  `/a${fields
    .filter((it) => it.in === 'path')
    .map((it) => `/{${it.name}}`)
    .join('')}`

const writeOpenApi = (described: Described, version: Version): Json => {
  const { fields, body, answers, schemas } = described
  const written = (content: { [media: string]: Media }): Json =>
    Object.fromEntries(
      Object.entries(content).map(([media, { schema, encoding }]) => [
        media,
        { schema, ...(Object.keys(encoding).length > 0 ? { encoding } : {}) },
      ]),
    )
  return {
    openapi: version,
    info: { title: 'A', version: '1' },
    paths: {
      [pathOf(described)]: {
        post: {
          parameters: fields.map(({ name, in: where, required, schema, style, explode, media }): Json => ({
            name,
            in: where,
            required,
            ...(media === null ? { schema, style, explode } : { content: { [media]: { schema } } }),
          })),
          ...(body ? { requestBody: { required: body.required, content: written(body.content) } } : {}),
          responses: Object.fromEntries(
            Object.entries(answers).map(([status, { headers, content }]): [string, Json] => [
              status,
              {
                description: status,
                ...(Object.keys(headers).length > 0 ? { headers } : {}),
                ...(Object.keys(content).length > 0 ? { content: written(content) } : {}),
              },
            ]),
          ),
        },
      },
    },
    components: { schemas },
  }
}

const formats = ['csv', 'ssv', 'pipes'] as const

/** The name of a separator in Swagger 2.0, by the style. */
const collectionFormatOf = (style: string, explode: boolean): Json =>
  explode ? 'multi' : style === 'spaceDelimited' ? formats[1] : style === 'pipeDelimited' ? formats[2] : formats[0]

const writeSwagger = (described: Described): Json => {
  const { fields, body, answers, schemas } = described
  const parameters = fields.map(({ name, in: where, required, schema, style, explode }): Json => ({
    name,
    in: where,
    required,
    ...(schema as Mutable),
    ...(isObject(schema) && schema.type === 'array' ? { collectionFormat: collectionFormatOf(style, explode) } : {}),
  }))
  const [media, content] = Object.entries(body?.content ?? {})[0] ?? [null, null]
  if (media === 'application/json' && content !== null)
    parameters.push({ name: 'body', in: 'body', required: body!.required, schema: content.schema })
  else if (media !== null && content !== null) parameters.push(...formOf(content))
  return {
    swagger: '2.0',
    info: { title: 'A', version: '1' },
    paths: {
      [pathOf(described)]: {
        post: {
          ...(media === null ? {} : { consumes: [media] }),
          produces: ['application/json'],
          parameters,
          responses: Object.fromEntries(
            Object.entries(answers).map(([status, { headers, content: of }]): [string, Json] => [
              status.replace('4XX', '404'),
              {
                description: status,
                ...(of['application/json'] ? { schema: of['application/json'].schema } : {}),
                ...(Object.keys(headers).length > 0
                  ? { headers: Object.fromEntries(Object.entries(headers).map(([name, it]) => [name, it.schema])) }
                  : {}),
              },
            ]),
          ),
        },
      },
    },
    definitions: schemas,
  }
}

const formOf = ({ schema, encoding }: Media): readonly Json[] => {
  const { properties, required } = schema as Mutable
  return Object.entries(properties as Mutable).flatMap(([name, it]): Json[] => {
    if (!isObject(it) || it.type === 'object') return []
    const explode = isObject(encoding[name]) && encoding[name].explode === true
    const isList = it.type === 'array'
    return [
      {
        name,
        in: 'formData',
        required: (required as readonly string[]).includes(name),
        ...it,
        ...(isList ? { collectionFormat: explode ? 'multi' : 'csv' } : {}),
      },
    ]
  })
}

/** The same document with the schemas of older versions: `nullable`, bounds that are exclusive by a boolean. */
const older = (value: Json, isSwagger: boolean): Json => {
  if (Array.isArray(value)) return (value as readonly Json[]).map((it) => older(it, isSwagger))
  if (!isObject(value)) return value
  const made: Mutable = Object.fromEntries(Object.entries(value).map(([key, it]) => [key, older(it, isSwagger)]))
  if (typeof made.$ref === 'string' && isSwagger)
    made.$ref = made.$ref.replace('#/components/schemas/', '#/definitions/')
  if (Array.isArray(made.type)) {
    const [type] = made.type as readonly string[]
    made.type = type!
    made.nullable = true
  }
  for (const [bound, exclusive, isTighter] of [
    ['minimum', 'exclusiveMinimum', (a: number, b: number) => a > b],
    ['maximum', 'exclusiveMaximum', (a: number, b: number) => a < b],
  ] as const) {
    const [plain, open] = [made[bound], made[exclusive]]
    if (typeof open !== 'number') continue
    delete made[exclusive]
    if (typeof plain === 'number' && isTighter(plain, open)) continue
    made[bound] = open
    made[exclusive] = true
  }
  return made
}
