import { Type } from '@sinclair/typebox'
import { specsApi } from '../../../src/api/specs.ts'
import { argumentsOf, bounds, cursor, maxTokens } from '../../fields.ts'
import { boundPart } from '../../part.ts'
import { tool } from '../../tool.ts'
import { cutTo } from '../../../src/kernel/text.ts'

/** What is around the definition: its description and names. */
const keptBytes = 1500

export default tool({
  name: 'type.describe',
  title: 'Describe a type',
  description: 'A type with those it refers to',
  input: argumentsOf({
    type: Type.String({ description: 'svc:core/Money' }),
    cursor,
    max_tokens: maxTokens,
  }),
  output: Type.Object({
    type: Type.String(),
    definition: Type.Optional(Type.Unknown()),
    ...bounds,
  }),
  async run({ type, cursor }, { call, budgetBytes }) {
    const limit = cursor === undefined ? Math.min(4_000_000, budgetBytes * 3) : 4_000_000
    const found = await call(specsApi.type, { query: { type, limit_bytes: limit } })
    const { schema, referenced, omitted, ...head } = found
    const total = 1 + Object.keys(referenced).length + omitted.length
    const part = { spec: found.type, name: found.type, pointer: '', value: schema, referenced, omitted, total }
    const answer = boundPart(part, {
      detail: 'full',
      refs: 'keep',
      ...(cursor !== undefined && { cursor }),
      budgetBytes: budgetBytes - keptBytes,
    })
    const { spec: _, name: __, pointer: ___, ...rest } = answer
    const about = {
      tenant: head.tenant,
      scope: head.scope,
      revision: head.revision,
      deprecated: head.deprecated,
      description: cutTo(head.description, 240),
    }
    return { type: found.type, about, ...rest }
  },
})
