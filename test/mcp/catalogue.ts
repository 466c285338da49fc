import { builtinByKey, builtinTypes } from '../../src/types/builtin/builtin.ts'
import type { Call, Endpoint } from '../../src/api/endpoint.ts'
import type { SpecOperation, SpecRecord } from '../../src/api/specs.ts'
import type { AnyInput } from '../../src/api/wire.ts'
import { isObject, type Json } from '../../src/kernel/json.ts'
import { SvcError } from '../../src/errors.ts'
import { overviewOf } from '../../src/spec/overview.ts'
import { definitionAt, gatherPart, operationAt } from '../../src/spec/part.ts'

/**
 * A catalogue of documents in memory that answers the contract of published specifications, for tests of what stands
 * above it. Documents under "private/" are seen with the key "good" alone; the key "narrow" may call nothing but ping.
 */
export function catalogueCall(documents: Readonly<Record<string, Json>>): (key: string | null) => Call {
  return (key) => {
    const specs = Object.keys(documents).filter((spec) => key === 'good' || !spec.startsWith('private/'))
    const call = async (endpoint: Endpoint, input: AnyInput): Promise<unknown> => {
      if (key !== null && key !== 'good' && key !== 'narrow')
        throw new SvcError('credentials-invalid', { reason: 'unknown key' })
      if (key === 'narrow' && endpoint.id !== 'specs.caller')
        throw new SvcError('capability_disabled', { tool: endpoint.id })
      const query = (input.query ?? {}) as Query
      const answer = answers[endpoint.id]
      if (!answer) throw new Error(`the catalogue knows no ${endpoint.id}`)
      return answer({ documents, specs, query, params: (input.params ?? {}) as Params, key })
    }
    return call as Call
  }
}

interface Query {
  readonly q?: string
  readonly tag?: string
  readonly cursor?: string
  readonly limit?: number
  readonly operation?: string
  readonly schema?: string
  readonly limit_bytes?: number
  readonly mode?: string
}
type Params = Readonly<Record<'tenant_slug' | 'project_slug' | 'version_slug', string>>
interface Question {
  readonly documents: Readonly<Record<string, Json>>
  readonly specs: readonly string[]
  readonly query: Query
  readonly params: Params
  readonly key: string | null
}

function page<T>(all: readonly T[], { cursor, limit = 50 }: Query) {
  const from = Number(cursor ?? 0)
  const end = from + limit
  return { items: all.slice(from, end), total: all.length, next_cursor: end < all.length ? String(end) : null }
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

function operationsOf(document: Json): (SpecOperation & { path: string[] })[] {
  const paths = isObject(document) && isObject(document.paths) ? document.paths : {}
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, it]) =>
      methods.has(method) && isObject(it)
        ? [
            {
              ref: `${method.toUpperCase()} ${path}`,
              operation_id: typeof it.operationId === 'string' ? it.operationId : null,
              summary: typeof it.summary === 'string' ? it.summary : '',
              tags: Array.isArray(it.tags) ? (it.tags as readonly Json[]).map(String) : [],
              deprecated: it.deprecated === true,
              path: ['paths', path, method],
            },
          ]
        : [],
    ),
  )
}

const bare = ({ path: _path, ...operation }: SpecOperation & { path: string[] }): SpecOperation => operation

function find({ documents, specs, params }: Question): { spec: string; document: Json } {
  const wanted = `${params.tenant_slug}/${params.project_slug}/${params.version_slug}`
  const spec = specs.find((one) => one === wanted || wanted === one.replace(/[^/]+$/, 'latest'))
  if (spec === undefined) throw new SvcError('spec-not-found', { spec: wanted })
  return { spec, document: documents[spec] ?? null }
}

const record = (spec: string, document: Json): SpecRecord => ({
  spec,
  title: overviewOf(document).title ?? spec,
  format: 'openapi 3.1',
  status: 'published',
  visibility: spec.startsWith('private/') ? 'private' : 'public',
  operations: operationsOf(document).length,
  schemas: overviewOf(document).schemaNames.length,
  grade: null,
  published_at: null,
})

const answers: Readonly<Record<string, (question: Question) => unknown>> = {
  'specs.caller': ({ key }) => ({
    service: 'svc',
    version: '1',
    database: 'ok',
    caller: key === null ? 'anonymous' : 'mcp-key',
    tools: ['ping'],
  }),
  'specs.projects': ({ specs, query }) =>
    page(
      specs.map((spec) => ({
        project: spec.replace(/\/[^/]+$/, ''),
        name: spec,
        description: null,
        versions: 1,
        latest: '1',
      })),
      query,
    ),
  'specs.list': ({ specs, documents, query }) =>
    page(
      specs.map((spec) => record(spec, documents[spec] ?? null)),
      query,
    ),
  'specs.mcp-servers': ({ query }) => page([] as readonly object[], query),
  'specs.types': ({ query }) =>
    page(
      builtinTypes().map(({ ref }) => ({ type: ref })),
      query,
    ),
  'specs.type': ({ query }) => {
    const found = builtinByKey((query as { readonly type: string }).type)
    return {
      type: found?.ref,
      tenant: null,
      scope: 'core',
      visibility: 'public',
      description: found?.description ?? '',
      revision: 1,
      deprecated: false,
      schema: found?.schema,
      referenced: Object.fromEntries((found?.keys ?? []).map(({ target }) => [target, builtinByKey(target)?.schema])),
      omitted: [],
    }
  },
  'specs.describe': (question) => {
    const { spec, document } = find(question)
    const overview = overviewOf(document)
    const operations = operationsOf(document)
    const count = (name: string) => operations.filter(({ tags }) => tags.includes(name)).length
    return {
      ...record(spec, document),
      ...overview,
      tags: overview.tags.map((tag) => ({ ...tag, operations: count(tag.name) })),
      schema_names: overview.schemaNames,
    }
  },
  'specs.operations': (question) => {
    const { q, tag } = question.query
    const fitting = operationsOf(find(question).document).filter(
      (it) => (q === undefined || JSON.stringify(it).includes(q)) && (tag === undefined || it.tags.includes(tag)),
    )
    return page(fitting.map(bare), question.query)
  },
  'specs.part': (question) => {
    const { spec, document } = find(question)
    const { operation, schema, limit_bytes = 200_000 } = question.query
    if (operation !== undefined) {
      const found = operationsOf(document).find((it) => it.ref === operation || it.operation_id === operation)
      const value = found && operationAt(document, found.path)
      if (!found || !value) throw new SvcError('operation-not-found', { operation, spec })
      return { spec, name: found.ref, ...gatherPart(document, '/paths', value, limit_bytes) }
    }
    const found = definitionAt(document, schema ?? '')
    if (!found) throw new SvcError('class-not-found', { class_name: schema ?? '' })
    return { spec, name: schema, ...gatherPart(document, found.pointer, found.value, limit_bytes) }
  },
  'specs.export': (question) => {
    const { spec, document } = find(question)
    const text = JSON.stringify(document)
    const from = Number(question.query.cursor ?? 0)
    const end = from + (question.query.limit_bytes ?? 20_000)
    return {
      spec,
      media_type: 'application/json',
      digest: 'sha256:0',
      total_bytes: text.length,
      content: text.slice(from, end),
      next_cursor: end < text.length ? String(end) : null,
      url: '/v1/schema',
    }
  },
  'specs.search': ({ specs, documents, query }) => {
    if (query.mode === 'semantic') throw new SvcError('semantic-search-unavailable')
    const hits = specs.flatMap((spec) =>
      operationsOf(documents[spec] ?? null).map((it) => ({ spec, title: spec, ...bare(it) })),
    )
    return page(
      hits.filter((hit) =>
        JSON.stringify(hit)
          .toLowerCase()
          .includes((query.q ?? '').toLowerCase()),
      ),
      query,
    )
  },
}
