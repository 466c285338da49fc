import { Type } from '@sinclair/typebox'
import { checksApi } from '../../../src/api/checks.ts'
import { isShort } from '../../../src/report/checked.ts'
import { cutMessage, fitting, skipped } from '../../checked-page.ts'
import { argumentsOf, bounds, checkedDocument, cursor, limit, maxTokens } from '../../fields.ts'
import { given } from '../../page.ts'
import { tool } from '../../tool.ts'

export default tool({
  name: 'lint.check',
  title: 'Lint a document',
  description: 'Grade and findings, those whose fix gains the most points first, each with its exact edits',
  input: argumentsOf({
    document: checkedDocument,
    guide: Type.Optional(Type.String({ description: 'Style guide; the one that applies by default' })),
    limit,
    cursor,
    max_tokens: maxTokens,
  }),
  output: Type.Object({
    grade: Type.Union([Type.String(), Type.Null()]),
    score: Type.Union([Type.Number(), Type.Null()]),
    tools: Type.Optional(Type.Object({})),
    findings: Type.Array(Type.Object({})),
    ...bounds,
  }),
  async run({ document, guide, limit = 50, cursor }, { call, budgetBytes }) {
    const from = skipped(cursor)
    const report = await call(checksApi.lint, { body: { document, from, limit, ...given({ guide }) } })
    const { grade, score, total, tools } = report
    const all = report.findings.map(({ message, fix, ...finding }) => ({
      ...finding,
      message: cutMessage(message),
      ...(fix !== undefined && isShort(fix) && { fix }),
    }))
    const frame = (
      findings: readonly (typeof all)[number][],
      rest: { truncated: boolean; next_cursor: string | null },
    ) => ({
      guide: report.guide,
      grade,
      score,
      total,
      ...given({ tools }),
      findings: [...findings],
      ...rest,
    })
    const { items, ...rest } = fitting(all, { from, total, budgetBytes }, frame)
    return frame(items, rest)
  },
})
