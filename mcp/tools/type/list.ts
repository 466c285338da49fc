import { Type } from '@sinclair/typebox'
import { specsApi } from '../../../src/api/specs.ts'
import { argumentsOf, bounds, cursor, limit, maxTokens, q } from '../../fields.ts'
import { boundedPage, given } from '../../page.ts'
import { tool } from '../../tool.ts'

export default tool({
  name: 'type.list',
  title: 'List types',
  description: 'Reusable schemas for "$ref"',
  input: argumentsOf({
    q,
    semantic: Type.Optional(Type.Boolean()),
    cursor,
    limit,
    max_tokens: maxTokens,
  }),
  output: Type.Object({ items: Type.Array(Type.Object({ type: Type.String() })), ...bounds }),
  run({ q, semantic, cursor, limit = 50 }, { call, budgetBytes }) {
    const query = given({ q, cursor, mode: semantic === true ? ('semantic' as const) : undefined })
    return boundedPage((limit) => call(specsApi.types, { query: { ...query, limit } }), { limit, budgetBytes })
  },
})
