/** Operations of Swagger 2.0, as those of OpenAPI 3 are seen. */
import type { Json, JsonObject } from '../case.ts'
import {
  listOf,
  objectOf,
  parametersOf,
  resolved,
  securityOf,
  textOf,
  type Answer,
  type Body,
  type Content,
  type Operation,
  type Parameter,
  type ParameterPlace,
} from './model.ts'

const styles: Readonly<Record<string, readonly [style: string, explode: boolean]>> = {
  csv: ['form', false],
  ssv: ['spaceDelimited', false],
  tsv: ['tabDelimited', false],
  pipes: ['pipeDelimited', false],
  multi: ['form', true],
}

const isOfParameter = new Set(['name', 'in', 'required', 'description', 'collectionFormat', 'allowEmptyValue'])

const schemaOf = (parameter: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(parameter).filter(([name]) => !isOfParameter.has(name)))

function parameterOf(parameter: JsonObject, place: ParameterPlace): Parameter {
  const [style = 'form', explode = false] = styles[textOf(parameter['collectionFormat'], 'csv')] ?? []
  const isSimple = (place === 'path' || place === 'header') && style === 'form'
  return {
    name: textOf(parameter['name']),
    in: place,
    required: parameter['required'] === true,
    style: isSimple ? 'simple' : style,
    explode: isSimple ? false : explode,
    schema: schemaOf(parameter),
    allowEmptyValue: parameter['allowEmptyValue'] === true,
  }
}

function formOf(fields: readonly JsonObject[]): Content {
  const named = fields.map((field) => [textOf(field['name']), schemaOf(field)] as const)
  const required = fields.filter((field) => field['required'] === true).map((field) => textOf(field['name']))
  const lists = fields.filter((field) => field['type'] === 'array')
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(named),
      ...(required.length > 0 ? { required } : {}),
    },
    encoding: Object.fromEntries(
      lists.map((field) => {
        const [style = 'form', explode = false] = styles[textOf(field['collectionFormat'], 'csv')] ?? []
        return [textOf(field['name']), { style, explode }]
      }),
    ),
  }
}

function bodyOf(parameters: readonly JsonObject[], consumes: readonly string[]): Body | null {
  const body = parameters.find((parameter) => parameter['in'] === 'body')
  const fields = parameters.filter((parameter) => parameter['in'] === 'formData')
  if (body === undefined && fields.length === 0) return null
  const content = body === undefined ? formOf(fields) : { schema: body['schema'] ?? {}, encoding: {} }
  const forms = consumes.filter((type) => type.includes('form'))
  const types = body === undefined && forms.length === 0 ? ['application/x-www-form-urlencoded'] : consumes
  return {
    required: body === undefined ? fields.some((field) => field['required'] === true) : body['required'] === true,
    content: new Map(types.map((type) => [type.toLowerCase(), content])),
  }
}

const typesOf = (list: Json | undefined): readonly string[] => listOf(list).map((type) => textOf(type))

export function swaggerOperation(
  document: JsonObject,
  path: string,
  method: string,
  operation: JsonObject,
  item: JsonObject,
): Operation {
  const parameters = parametersOf(document, item, operation)
  const consumes = typesOf(operation['consumes'] ?? document['consumes'] ?? ['application/json'])
  const produces = typesOf(operation['produces'] ?? document['produces'] ?? ['application/json'])
  const answers = Object.entries(objectOf(operation['responses'])).map(([status, found]): readonly [string, Answer] => {
    const answer = objectOf(resolved(document, found))
    const schema = answer['schema']
    const headers = Object.entries(objectOf(answer['headers'])).map(([name, header]) =>
      parameterOf({ ...objectOf(header), name }, 'header'),
    )
    const content =
      schema === undefined ? [] : produces.map((type) => [type.toLowerCase(), { schema, encoding: {} }] as const)
    return [status, { headers, content: new Map(content) }]
  })
  const host = textOf(document['host'])
  const basePath = textOf(document['basePath'], '/')
  const schemes = typesOf(operation['schemes'] ?? document['schemes'] ?? ['https'])
  return {
    method,
    path,
    servers: host === '' ? [basePath] : schemes.map((scheme) => `${scheme}://${host}${basePath}`),
    parameters: parameters
      .filter((parameter) => parameter['in'] !== 'body' && parameter['in'] !== 'formData')
      .map((parameter) => parameterOf(parameter, textOf(parameter['in']) as ParameterPlace)),
    body: bodyOf(parameters, consumes),
    answers: new Map(answers),
    security: securityOf(document, operation, objectOf(document['securityDefinitions'])),
  }
}
