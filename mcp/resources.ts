import {
  ResourceNotFoundError,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
} from '@modelcontextprotocol/server'
import { specsApi } from '../src/api/specs.ts'
import { bytesOfTokens, defaultTokens } from './budget.ts'
import { boundedPage, given } from './page.ts'
import { runTool, type Way } from './run-tool.ts'
import describe from './tools/spec/describe.ts'
import { plural } from '../src/kernel/plural.ts'

/** Resources are what spec.describe answers, under an address: what a host attaches to a conversation without a tool call. */
const scheme = 'svc://specs/'
const mimeType = 'application/json'
const one = `${scheme}{tenant}/{project}/{version}`

/** RFC 6570 templates; the version may be "latest". */
export const resourceTemplates: ListResourceTemplatesResult['resourceTemplates'] = [
  {
    uriTemplate: `${one}{?tag,cursor}`,
    name: 'specification',
    title: 'A specification and its operations',
    description: 'What the API is, and a page of its operations; pass next_cursor as cursor for the next page.',
    mimeType,
  },
  {
    uriTemplate: `${one}/operations/{operation}{?cursor}`,
    name: 'operation',
    title: 'An operation',
    description:
      'One operation with the schemas it refers to. {operation} is "GET /pets/{id}", escaped, or an operationId.',
    mimeType,
  },
  {
    uriTemplate: `${one}/schemas/{schema}{?cursor}`,
    name: 'schema',
    title: 'A schema',
    description: 'One schema with the schemas it refers to.',
    mimeType,
  },
]

const path = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join('/')

/** The address of a specification, named "tenant/project/version"; without a version the latest. */
export function specUri(spec: string): string {
  const [tenant = '', project = '', ...version] = spec.split('/')
  return scheme + path(tenant, project, version.join('/') || 'latest')
}

/** The address of an operation, named as "GET /pets/{id}" or by its operationId. */
export const operationUri = (spec: string, operation: string): string =>
  `${specUri(spec)}/${path('operations', operation)}`

interface Asked {
  readonly spec: string
  readonly operation?: string
  readonly schema?: string
  readonly tag?: string
  readonly cursor?: string
}

/** What a resource's address asks for; null where it is not one of ours. */
export function parseResourceUri(uri: string): Asked | null {
  const url = uri.startsWith(scheme) ? URL.parse(uri) : null
  if (url === null || url.hash !== '') return null
  const parts = decoded(url.pathname.slice(1).split('/'))
  if (parts === null || parts.includes('')) return null
  const [tenant, project, version, kind, name] = parts
  const query = given({
    tag: url.searchParams.get('tag') ?? undefined,
    cursor: url.searchParams.get('cursor') ?? undefined,
  })
  if (tenant === undefined || project === undefined || version === undefined) return null
  const spec = `${tenant}/${project}/${version}`
  if (parts.length === 3) return { spec, ...query }
  if (parts.length !== 5 || name === undefined) return null
  if (kind === 'operations') return { spec, operation: name, ...query }
  return kind === 'schemas' ? { spec, schema: name, ...query } : null
}

function decoded(parts: readonly string[]): string[] | null {
  try {
    return parts.map(decodeURIComponent)
  } catch {
    return null
  }
}

/**
 * Reads a resource within the budget.
 *
 * @throws ResourceNotFoundError for an address that is not one; SvcError as `spec.describe` raises them
 */
export async function readResource(uri: string, way: Way): Promise<{ uri: string; mimeType: string; text: string }> {
  const asked = parseResourceUri(uri)
  if (asked === null) throw new ResourceNotFoundError(uri)
  return { uri, mimeType, text: JSON.stringify(await runTool(describe, asked, way)) }
}

const listed = 50
const listScope = 'resources/list'

/** A page of the specifications that the caller sees, as resources. */
export async function listResources(cursor: string | undefined, { call, seal }: Way): Promise<ListResourcesResult> {
  const query = given({ cursor: cursor === undefined ? undefined : seal.open(listScope, cursor) })
  const page = await boundedPage((limit) => call(specsApi.list, { query: { limit, ...query } }), {
    limit: listed,
    budgetBytes: bytesOfTokens(defaultTokens),
  })
  const resources = page.items.map(({ spec, title, format, operations }) => ({
    uri: specUri(spec),
    name: spec,
    title,
    description: `${format}, ${plural(operations, 'operation')}`,
    mimeType,
  }))
  return { resources, ...(page.next_cursor !== null && { nextCursor: seal.wrap(listScope, page.next_cursor) }) }
}
