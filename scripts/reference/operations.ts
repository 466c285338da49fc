/** The reference of the REST API: a page for each group of operations, from the served description. */
import { endpoints } from '../../src/api/contracts.gen.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { describeService } from '../../server/openapi/describe.ts'
import { impliedCodes } from '../../server/openapi/responses.ts'
import { cell } from './cell.ts'

type Plain = Record<string, unknown>
interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Plain
}
interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, Media> }
  readonly responses: Record<string, Answer>
  readonly 'x-svc-origin': Endpoint['origin']
}
interface Media {
  readonly schema: Plain
  readonly example?: unknown
}
interface Answer {
  readonly $ref?: string
  readonly description: string
  readonly headers?: Plain
  readonly content?: Record<string, Media>
}

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ref

/** A shape in a few words: "string", "ProjectRecord", "array of Finding", "`a` or `b`". */
const typeOf = (schema: Plain): string => {
  if (typeof schema['$ref'] === 'string')
    return `[${nameOf(schema['$ref'])}](shapes.md#${nameOf(schema['$ref']).toLowerCase()})`
  if ('const' in schema) return `\`${String(schema['const'])}\``
  const branches = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(branches)) return [...new Set((branches as Plain[]).map(typeOf))].join(' or ')
  if (Array.isArray(schema['allOf'])) return (schema['allOf'] as Plain[]).map(typeOf).join(' and ')
  if (schema['type'] === 'array') return `array of ${typeOf((schema['items'] ?? {}) as Plain)}`
  if (typeof schema['format'] === 'string') return `${String(schema['type'])} (${schema['format']})`
  return typeof schema['type'] === 'string' ? schema['type'] : 'any'
}

const range = (low: unknown, high: unknown, unit: string): string => {
  const from = low === 0 || (unit !== '' && low === 1) ? undefined : low
  if (from === undefined) return high === undefined ? '' : `at most ${String(high)}${unit}`
  return high === undefined ? `at least ${String(from)}${unit}` : `${String(from)} to ${String(high)}${unit}`
}

const limitsOf = (schema: Plain): string => {
  const parts = [
    range(schema['minimum'], schema['maximum'], ''),
    range(schema['minLength'], schema['maxLength'], ' characters'),
    range(schema['minItems'], schema['maxItems'], ' items'),
    schema['default'] === undefined ? '' : `default ${JSON.stringify(schema['default'])}`,
  ].filter(Boolean)
  const text = parts.join(', ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

const parameterRows = (parameters: readonly Parameter[]): string[] => [
  '| Parameter | In | Type | Meaning |',
  '|---|---|---|---|',
  ...parameters.map((it) => {
    const meaning = [it.description, limitsOf(it.schema)].filter(Boolean).join(' ')
    return `| \`${it.name}\`${it.required ? '' : ' (optional)'} | ${it.in} | ${typeOf(it.schema)} | ${cell(meaning)} |`
  }),
  '',
]

const sample = (value: unknown): string[] => {
  const text = JSON.stringify(value, null, 2)
  return text === undefined || text.length > 1500 ? [] : ['```json', text, '```', '']
}

const codeLinks = (codes: readonly string[]): string =>
  codes.map((code) => `[${code}](../../errors.md#${code})`).join(', ')

function operationSection(method: string, path: string, operation: Operation, own: readonly string[]): string[] {
  const body = operation.requestBody?.content['application/json']
  const types = Object.keys(operation.requestBody?.content ?? {}).filter((type) => type !== 'application/json')
  const answers = Object.entries(operation.responses).filter(([status]) => /^[23]/.test(status))
  return [
    `## ${operation.summary}`,
    '',
    `\`${method.toUpperCase()} ${path}\``,
    '',
    operation.description,
    '',
    operation['x-svc-origin'] === 'spec' ? 'Origin: the specification.' : 'Origin: an addition of svc.',
    '',
    ...(operation.parameters?.length ? parameterRows(operation.parameters) : []),
    ...(body
      ? [
          `Body: ${typeOf(body.schema)}${types.length ? `, or ${types.map((type) => `\`${type}\``).join(', ')}` : ''}`,
          '',
        ]
      : []),
    ...(body ? sample(body.example) : []),
    ...answers.flatMap(([status, answer]) => {
      const media = answer.content?.['application/json']
      const others = Object.keys(answer.content ?? {}).filter((type) => type !== 'application/json')
      const also = others.length ? ` (${media ? 'also ' : ''}${others.map((type) => `\`${type}\``).join(', ')})` : ''
      return [`**${status}** ${media ? typeOf(media.schema) : cell(answer.description)}${also}`, '']
    }),
    ...(own.length === 0 ? [] : [`Errors: ${codeLinks(own)}.`, '']),
  ]
}

function shapeSection([name, schema]: [string, Plain]): string[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Plain>)
  const required = new Set((schema['required'] ?? []) as string[])
  const description = schema['description']
  return [
    `## ${name}`,
    '',
    ...(typeof description === 'string' ? [description, ''] : []),
    ...(properties.length === 0
      ? [typeOf({ ...schema, title: undefined }), '']
      : [
          '| Field | Type | Meaning |',
          '|---|---|---|',
          ...properties.map(([field, property]) => {
            const meaning = [property['description'], limitsOf(property)].filter(Boolean).join(' ')
            return `| \`${field}\`${required.has(field) ? '' : ' (optional)'} | ${typeOf(property)} | ${cell(meaning)} |`
          }),
          '',
        ]),
  ]
}

const titleOf = (tag: string): string => {
  const words = tag
    .replaceAll(/([A-Z])/g, ' $1')
    .replaceAll('-', ' ')
    .toLowerCase()
  return (words.charAt(0).toUpperCase() + words.slice(1))
    .replace('Mcp', 'MCP')
    .replace('Oidc', 'OIDC')
    .replace(/^Tenants$/, 'Organizations')
}

/** Codes that operations answer without declaring them. */
const shared = (endpoints: readonly Endpoint[]): string[] => {
  const codes = new Set(endpoints.filter((it) => it.path.startsWith('/v1/')).flatMap((it) => impliedCodes(it)))
  return ['method-not-allowed', 'route-not-found', ...codes].toSorted()
}

/** @returns Markdown by path below `docs/`: `reference/operations/projects.md` */
export function operationPages(): Record<string, string> {
  const document = describeService(endpoints) as unknown as {
    readonly paths: Record<string, Record<string, Operation>>
    readonly components: { readonly schemas: Record<string, Plain> }
  }
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  )
  const groups = Map.groupBy(all, ({ operation }) => operation.tags[0] ?? '')
  const tags = [...groups.keys()].toSorted()
  const errorsOf = new Map(endpoints.map((it) => [it.id, it.errors]))
  const pages: Record<string, string> = {}
  for (const tag of tags)
    pages[`reference/operations/${tag}.md`] = [
      `# ${titleOf(tag)}`,
      '',
      ...(groups.get(tag) ?? []).flatMap(({ method, path, operation }) =>
        operationSection(method, path, operation, errorsOf.get(operation.operationId) ?? []),
      ),
    ].join('\n')
  pages['reference/operations/shapes.md'] = [
    '# Shapes of the REST API',
    '',
    'The schemas of requests and responses, as in the components of `/v1/openapi.json`.',
    '',
    ...Object.entries(document.components.schemas).flatMap(shapeSection),
  ].join('\n')
  pages['reference/operations/README.md'] = [
    '# REST API',
    '',
    'Every operation of the service. `GET /v1/openapi.json` returns the same as OpenAPI 3.1, for example for a client generator.',
    'Send an access token as `Authorization: Bearer TOKEN` or an API key as `X-API-Key: KEY`; [permissions](../../authorization.md)',
    'lists who can call which operation. *Origin* says whether the specification of the service asks for an operation (`spec`) or svc',
    'adds it (`own`); the description has it as `x-svc-origin`. Every error has a [code](../../errors.md); each page lists the codes of its',
    'operations. Every operation can also return these:',
    '',
    `${codeLinks(shared(endpoints))}.`,
    '',
    ...tags.flatMap((tag) => [
      `## [${titleOf(tag)}](${tag}.md)`,
      '',
      '| Operation | Summary | Origin |',
      '|---|---|---|',
      ...(groups.get(tag) ?? []).map(
        ({ method, path, operation }) =>
          `| \`${method.toUpperCase()} ${path}\` | ${cell(operation.summary)} | ${operation['x-svc-origin']} |`,
      ),
      '',
    ]),
    'All [shapes](shapes.md) of requests and answers.',
    '',
  ].join('\n')
  return pages
}
