import { Type } from '@sinclair/typebox'
import { specsApi } from '../../../src/api/specs.ts'
import { replySize } from '../../budget.ts'
import { argumentsOf, bounds, cursor, maxTokens, spec } from '../../fields.ts'
import { given } from '../../page.ts'
import { parseSpec } from '../../spec-name.ts'
import { tool } from '../../tool.ts'

export default tool({
  name: 'spec.export',
  title: 'Export a document',
  description: 'The rendered document, in parts of text. Prefer spec.describe: documents are large.',
  input: argumentsOf({
    spec,
    format: Type.Optional(
      Type.Union([Type.Literal('openapi'), Type.Literal('json-schema'), Type.Literal('arazzo')], {
        description: 'openapi (default), json-schema: the schemas, arazzo: the workflows',
      }),
    ),
    schema: Type.Optional(Type.String({ description: 'Only this schema and the schemas it refers to' })),
    cursor,
    max_tokens: maxTokens,
  }),
  output: Type.Object({
    spec: Type.String(),
    media_type: Type.String(),
    content: Type.String(),
    url: Type.String(),
    ...bounds,
  }),
  async run({ spec, format, schema, cursor }, { call, budgetBytes }) {
    // The content is in the reply twice, in the text escaped twice over: a quote takes eleven bytes in all.
    let limitBytes = Math.max(256, Math.floor(budgetBytes / 3))
    for (;;) {
      const { total_bytes, ...part } = await call(specsApi.export, {
        params: parseSpec(spec),
        query: { limit_bytes: limitBytes, ...given({ cursor, format, class_name: schema }) },
      })
      const answer = { ...part, total: total_bytes, truncated: part.next_cursor !== null }
      if (replySize(answer) <= budgetBytes || limitBytes === 256) return answer
      limitBytes = Math.max(256, Math.floor(limitBytes * 0.7))
    }
  },
})
