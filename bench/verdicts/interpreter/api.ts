/** One view of Swagger 2.0 and OpenAPI 3: the operations, with what they take and answer. References into the document are followed. */
import type { Json, JsonObject } from '../case.ts'
import {
  listOf,
  objectOf,
  parametersOf,
  resolved,
  securityOf,
  textOf,
  type Api,
  type Content,
  type Operation,
  type Parameter,
  type ParameterPlace,
  type Version,
} from './model.ts'
import { swaggerOperation } from './swagger.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** @throws Error where the document is no API description that this interpreter reads. */
export function readApi(document: JsonObject): Api {
  const version = textOf(document['swagger'] ?? document['openapi']).slice(0, 3)
  if (!['2.0', '3.0', '3.1', '3.2'].includes(version)) throw new Error(`Version "${version}" is not read`)
  const operations = operationsOf(document, version, document['paths'])
  const webhooks = operationsOf(document, version, document['webhooks'])
  const callbacks = Object.values(objectOf(document['paths'])).flatMap((item) =>
    Object.values(objectOf(item)).flatMap((operation) =>
      Object.values(objectOf(objectOf(operation)['callbacks'])).flatMap((callback) =>
        operationsOf(document, version, resolved(document, callback)),
      ),
    ),
  )
  return { version: version as Version, document, operations, outgoing: [...webhooks, ...callbacks] }
}

function operationsOf(document: JsonObject, version: string, paths: Json | undefined): Operation[] {
  return Object.entries(objectOf(paths)).flatMap(([path, found]) => {
    const item = objectOf(resolved(document, found))
    const named = methods
      .filter((method) => item[method] !== undefined)
      .map((method) => [method, item[method]] as const)
    const further = Object.entries(objectOf(item['additionalOperations']))
    const read = version === '2.0' ? swaggerOperation : openApiOperation
    return [...named, ...further].map(([method, operation]) =>
      read(document, path, method.toUpperCase(), objectOf(operation), item),
    )
  })
}

function openApiOperation(
  document: JsonObject,
  path: string,
  method: string,
  operation: JsonObject,
  item: JsonObject,
): Operation {
  const body = objectOf(resolved(document, operation['requestBody']))
  const components = objectOf(document['components'])
  const answers = Object.entries(objectOf(operation['responses'])).map(([status, found]) => {
    const answer = objectOf(resolved(document, found))
    const headers = Object.entries(objectOf(answer['headers'])).map(([name, header]) =>
      openApiParameter(document, { ...objectOf(resolved(document, header)), name, in: 'header' }),
    )
    return [status, { headers, content: contentOf(document, answer['content']) }] as const
  })
  return {
    method,
    path,
    servers: listOf(operation['servers'] ?? item['servers'] ?? document['servers'] ?? [{ url: '/' }]).flatMap(
      (server) => serverUrls(objectOf(server)),
    ),
    parameters: parametersOf(document, item, operation).map((found) => openApiParameter(document, found)),
    body:
      operation['requestBody'] === undefined
        ? null
        : { required: body['required'] === true, content: contentOf(document, body['content']) },
    answers: new Map(answers),
    security: securityOf(document, operation, objectOf(components['securitySchemes'])),
  }
}

function contentOf(document: JsonObject, content: Json | undefined): ReadonlyMap<string, Content> {
  const entries = Object.entries(objectOf(content)).map(([type, found]) => {
    const media = objectOf(resolved(document, found))
    const itemSchema = media['itemSchema']
    const read = { schema: media['schema'] ?? {}, encoding: objectOf(media['encoding']) }
    return [type.toLowerCase(), { ...read, ...(itemSchema === undefined ? {} : { itemSchema }) }] as const
  })
  return new Map(entries)
}

const defaultStyles: Readonly<Record<ParameterPlace, string>> = {
  path: 'simple',
  header: 'simple',
  query: 'form',
  cookie: 'form',
  querystring: 'form',
}

function openApiParameter(document: JsonObject, parameter: JsonObject): Parameter {
  const place = textOf(parameter['in']) as ParameterPlace
  const style = textOf(parameter['style'], defaultStyles[place])
  const content = [...contentOf(document, parameter['content'])][0]
  return {
    name: textOf(parameter['name']),
    in: place,
    required: parameter['required'] === true,
    style,
    explode: typeof parameter['explode'] === 'boolean' ? parameter['explode'] : style === 'form' || style === 'cookie',
    schema: content?.[1].schema ?? parameter['schema'] ?? {},
    ...(content === undefined ? {} : { mediaType: content[0] }),
    allowEmptyValue: parameter['allowEmptyValue'] === true,
  }
}

/** Each URL that the values of a server's variables make. */
function serverUrls(server: JsonObject): string[] {
  let urls = [textOf(server['url'], '/')]
  for (const [name, found] of Object.entries(objectOf(server['variables']))) {
    const variable = objectOf(found)
    const values = variable['enum'] === undefined ? [variable['default'] ?? ''] : listOf(variable['enum'])
    urls = urls.flatMap((url) => values.map((value) => url.replaceAll(`{${name}}`, String(value))))
  }
  return urls
}
