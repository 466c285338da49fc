import { Type, type Static } from '@sinclair/typebox'
import { specsApi } from '../../../src/api/specs.ts'
import { clip } from '../../budget.ts'
import { argumentsOf, bounds, cursor, limit, maxTokens, q, spec } from '../../fields.ts'
import { boundedPage, given } from '../../page.ts'
import { boundPart } from '../../part.ts'
import { parseSpec } from '../../spec-name.ts'
import { tool, type ToolContext } from '../../tool.ts'

const input = argumentsOf({
  spec,
  operation: Type.Optional(Type.String({ description: '"GET /pets/{id}" or an operationId' })),
  schema: Type.Optional(Type.String({ description: 'Schema name, or any "$ref" of the document' })),
  detail: Type.Optional(
    Type.Union([Type.Literal('summary'), Type.Literal('operation'), Type.Literal('full')], {
      description: 'summary: overview and operations; operation: one, without examples; full: all of it',
    }),
  ),
  refs: Type.Optional(Type.Union([Type.Literal('keep'), Type.Literal('inline')])),
  tag: Type.Optional(Type.String({ description: 'Operations with this tag' })),
  q,
  cursor,
  limit,
  max_tokens: maxTokens,
})
type Arguments = Static<typeof input>

/** The overview with a page of operations. Later pages leave the overview out. */
async function summary(args: Arguments, { call, budgetBytes }: ToolContext) {
  const params = parseSpec(args.spec)
  const { q, tag, cursor, limit = 200 } = args
  const filter = given({ q, tag, cursor })
  const overview =
    cursor === undefined && q === undefined && tag === undefined ? await call(specsApi.describe, { params }) : null
  const about = overview && {
    title: clip(overview.title, 200),
    format: overview.format,
    status: overview.status,
    description: clip(overview.description ?? '', 600),
    servers: overview.servers.slice(0, 5).map((server) => clip(server, 200)),
    security: overview.security.slice(0, 10).map((way) => clip(way, 200)),
    tags: overview.tags.slice(0, 80).map(({ name, operations }) => ({ name: clip(name, 60), operations })),
    tags_total: overview.tags.length,
    schemas: overview.schemas,
  }
  const frame = <P extends object>(page: P) => ({ spec: args.spec, ...(about && { about }), ...page })
  const page = await boundedPage((limit) => call(specsApi.operations, { params, query: { ...filter, limit } }), {
    limit,
    budgetBytes,
    frame,
  })
  return frame(page)
}

export default tool({
  name: 'spec.describe',
  title: 'Describe a specification',
  description:
    'Without operation: what the API is and a page of its operations. With operation or schema: that one with the ' +
    'schemas it refers to; next_cursor goes on with the rest.',
  input,
  output: Type.Object({
    spec: Type.String(),
    about: Type.Optional(Type.Object({})),
    items: Type.Optional(Type.Array(Type.Object({ ref: Type.String(), summary: Type.String() }))),
    definition: Type.Optional(Type.Unknown()),
    referenced: Type.Optional(Type.Object({})),
    not_shown: Type.Optional(Type.Array(Type.String())),
    ...bounds,
  }),
  async run(args, context) {
    const { operation, schema, detail, refs = 'keep', cursor } = args
    if (detail === 'summary' || (operation === undefined && schema === undefined)) return summary(args, context)
    const part = await context.call(specsApi.part, {
      params: parseSpec(args.spec),
      query: {
        ...given({ operation, schema }),
        // More than can be shown, but not all that a large document hangs together; a cursor needs what lies before it.
        limit_bytes: cursor === undefined ? Math.min(4_000_000, context.budgetBytes * 3) : 4_000_000,
      },
    })
    return boundPart(part, {
      detail: detail ?? 'operation',
      refs,
      ...(cursor !== undefined && { cursor }),
      budgetBytes: context.budgetBytes,
    })
  },
})
