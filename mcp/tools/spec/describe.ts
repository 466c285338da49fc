import { Type, type Static } from '@sinclair/typebox'
import { specsApi, type SpecPart } from '../../../src/api/specs.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { briefOf } from '../../brief.ts'
import { bytesOfTokens, replySize } from '../../budget.ts'
import { sealBytes } from '../../cursor-seal.ts'
import { argumentsOf, bounds, cursor, limit, maxTokens, q, spec } from '../../fields.ts'
import { boundedPage, given } from '../../page.ts'
import { boundPart, type PartAnswer } from '../../part.ts'
import { parseSpec } from '../../spec-name.ts'
import { tool, type ToolContext } from '../../tool.ts'
import { cutTo } from '../../../src/kernel/text.ts'

const input = argumentsOf({
  spec,
  operation: Type.Optional(Type.String({ description: '"GET /pets/{id}" or an operationId' })),
  schema: Type.Optional(Type.String({ description: 'Schema name, or any "$ref" of the document' })),
  detail: Type.Optional(
    Type.Union([Type.Literal('summary'), Type.Literal('operation'), Type.Literal('full')], {
      description:
        'summary: the essentials; operation (default): without examples, about 2000 tokens; full: everything',
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

/** What one operation takes where nobody asks for more: models look at many. */
const operationTokens = 2000

/** The room of an answer about one operation or schema. */
function roomFor({ detail, max_tokens, cursor }: Arguments, budgetBytes: number): number {
  const asksForMore = detail !== undefined || max_tokens !== undefined || cursor !== undefined
  return asksForMore ? budgetBytes : Math.min(budgetBytes, bytesOfTokens(operationTokens) - 2 * sealBytes)
}

/** The overview with a page of operations. Later pages leave the overview out. */
async function overview(args: Arguments, { call, budgetBytes }: ToolContext) {
  const params = parseSpec(args.spec)
  const { q, tag, cursor, limit = 200 } = args
  const filter = given({ q, tag, cursor })
  const said =
    cursor === undefined && q === undefined && tag === undefined ? await call(specsApi.describe, { params }) : null
  const about = said && {
    title: cutTo(said.title, 200),
    format: said.format,
    status: said.status,
    description: cutTo(said.description ?? '', 600),
    servers: said.servers.slice(0, 5).map((server) => cutTo(server, 200)),
    security: said.security.slice(0, 10).map((way) => cutTo(way, 200)),
    tags: said.tags.slice(0, 80).map(({ name, operations }) => ({ name: cutTo(name, 60), operations })),
    tags_total: said.tags.length,
    schemas: said.schemas,
  }
  const frame = <P extends object>(page: P) => ({ spec: args.spec, ...(about && { about }), ...page })
  const page = await boundedPage((limit) => call(specsApi.operations, { params, query: { ...filter, limit } }), {
    limit,
    budgetBytes,
    frame,
  })
  return frame(page)
}

/** A definition in its short form: one answer, with the names of what it refers to. */
function brief(part: SpecPart): PartAnswer {
  const refs = [...Object.keys(part.referenced), ...part.omitted]
  return {
    spec: part.spec,
    name: part.name,
    pointer: part.pointer,
    definition: briefOf(part.value as Json, part.referenced),
    referenced: {},
    not_shown: refs.slice(0, 10),
    total: 1,
    truncated: false,
    next_cursor: null,
  }
}

export default tool({
  name: 'spec.describe',
  title: 'Describe a specification',
  description:
    'Without operation: what the API is and a page of its operations. With operation or schema: that one with the ' +
    'schemas it refers to; next_cursor continues with the rest.',
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
    if (operation === undefined && schema === undefined) return overview(args, context)
    const budgetBytes = roomFor(args, context.budgetBytes)
    const part = await context.call(specsApi.part, {
      params: parseSpec(args.spec),
      query: {
        ...given({ operation, schema }),
        // More than can be shown, but not all that a large document hangs together; a cursor needs what is before it.
        limit_bytes: cursor === undefined ? Math.min(4_000_000, budgetBytes * 3) : 4_000_000,
      },
    })
    const short = detail === 'summary' ? brief(part) : null
    // A definition that is too large even in its short form is cut like any other.
    if (short !== null && replySize(short) <= budgetBytes) return short
    return boundPart(part, {
      detail: detail === 'full' ? 'full' : 'operation',
      refs,
      ...(cursor !== undefined && { cursor }),
      budgetBytes,
    })
  },
})
