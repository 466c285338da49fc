import { Type } from '@sinclair/typebox'
import { checksApi } from '../../../src/api/checks.ts'
import { isShort } from '../../../src/report/checked.ts'
import { cutMessage, fitting, skipped } from '../../checked-page.ts'
import { argumentsOf, bounds, checkedDocument, cursor, limit, maxTokens } from '../../fields.ts'
import { given } from '../../page.ts'
import { tool } from '../../tool.ts'

/** Consumers that an answer names; more are only counted. */
const maxConsumers = 50

export default tool({
  name: 'diff.compare',
  title: 'Compare two documents',
  description:
    'Verdict and changes, the worst first, each with a message that one side accepts and the other refuses; unknown is not safe',
  input: argumentsOf({
    base: checkedDocument,
    head: checkedDocument,
    direction: Type.Optional(
      Type.Union([Type.Literal('backward'), Type.Literal('forward'), Type.Literal('full')], {
        description: 'For JSON Schema',
      }),
    ),
    limit,
    cursor,
    max_tokens: maxTokens,
  }),
  output: Type.Object({
    verdict: Type.String(),
    breaking: Type.Integer(),
    changes: Type.Array(Type.Object({})),
    consumers: Type.Array(Type.Object({})),
    ...bounds,
  }),
  async run({ base, head, direction, limit = 50, cursor }, { call, budgetBytes }) {
    const from = skipped(cursor)
    const compared = await call(checksApi.diff, { body: { base, head, from, limit, ...given({ direction }) } })
    const { verdict, breaking, total } = compared
    const consumers = compared.consumers.filter(({ status }) => status !== 'unaffected').slice(0, maxConsumers)
    const all = compared.changes.map(({ message, witness, ...change }) => ({
      ...change,
      message: cutMessage(message),
      ...(witness !== undefined && isShort(witness) && { witness }),
    }))
    const frame = (
      changes: readonly (typeof all)[number][],
      rest: { truncated: boolean; next_cursor: string | null },
    ) => ({
      verdict,
      breaking,
      total,
      changes: [...changes],
      consumers: from === 0 ? consumers : [],
      ...rest,
    })
    const { items, ...rest } = fitting(all, { from, total, budgetBytes }, frame)
    return frame(items, rest)
  },
})
