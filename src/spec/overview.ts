import { isObject, type Json, type JsonObject, listOf } from '../kernel/json.ts'

/** What a document says about itself as a whole. */
export interface Overview {
  readonly title: string | null
  readonly description: string | null
  readonly servers: readonly string[]
  /** "name: type", with the place of an API key and the flows of OAuth. */
  readonly security: readonly string[]
  readonly tags: readonly { readonly name: string; readonly description: string | null }[]
  readonly schemaNames: readonly string[]
}

const objectAt = (value: Json | undefined, ...keys: readonly string[]): JsonObject => {
  let node: Json | undefined = value
  for (const key of keys) node = isObject(node) ? node[key] : undefined
  return isObject(node) ? node : {}
}
const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)

function securityWay(name: string, scheme: Json): string {
  if (!isObject(scheme)) return name
  const { type } = scheme
  if (type === 'apiKey') return `${name}: apiKey in ${String(scheme.in)} ${String(scheme.name)}`
  if (type === 'http') return `${name}: http ${String(scheme.scheme)}`
  if (type === 'oauth2')
    return `${name}: oauth2 ${Object.keys(objectAt(scheme.flows)).join(', ') || String(scheme.flow)}`
  return `${name}: ${String(type)}`
}

/** Where requests go: OpenAPI 3 names servers, Swagger 2.0 a host, a base path and schemes. */
function serversOf(root: JsonObject): string[] {
  const named = listOf(root.servers).flatMap((server) => textOf(objectAt(server).url) ?? [])
  if (named.length > 0 || typeof root.host !== 'string') return named
  const schemes = listOf(root.schemes).map(String)
  return (schemes.length > 0 ? schemes : ['https']).map(
    (scheme) => `${scheme}://${String(root.host)}${textOf(root.basePath) ?? ''}`,
  )
}

/** Reads the overview of an OpenAPI 3.x, Swagger 2.0, Arazzo or JSON Schema document. What is missing is empty. */
export function overviewOf(document: Json): Overview {
  const root = objectAt(document)
  const info = objectAt(root, 'info')
  const schemes = { ...objectAt(root, 'components', 'securitySchemes'), ...objectAt(root, 'securityDefinitions') }
  const schemas = {
    ...objectAt(root, 'components', 'schemas'),
    ...objectAt(root, 'definitions'),
    ...objectAt(root, '$defs'),
  }
  return {
    title: textOf(info.title) ?? textOf(root.title),
    description: textOf(info.description) ?? textOf(info.summary) ?? textOf(root.description),
    servers: serversOf(root),
    security: Object.entries(schemes).map(([name, scheme]) => securityWay(name, scheme)),
    tags: listOf(root.tags).flatMap((tag) => {
      const name = textOf(objectAt(tag).name)
      return name === null ? [] : [{ name, description: textOf(objectAt(tag).description) }]
    }),
    schemaNames: Object.keys(schemas),
  }
}
