import { ChangeReport, changeReportsApi } from '../../src/api/change-reports.ts'
import { joinReport, reportArguments, reportParams } from '../../cli/change-report/shared.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Print the change report of a published version as Markdown',
  examples: ['svc change-report show payments 2.0.0', 'svc change-report show payments latest --json'],
  arguments: reportArguments,
  options: { rendered: { type: 'boolean', summary: 'the rendered text, without the edits' } },
  dataSchema: ChangeReport,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const it = await call(changeReportsApi.get, { params: reportParams(await tenant(), args) })
    return {
      data: it,
      text: () =>
        options.rendered
          ? joinReport(it.headerSnapshot, it.renderedBody, it.footnoteSnapshot)
          : joinReport(it.effectiveHeaderSnapshot, it.effectiveRenderedBody, it.effectiveFootnoteSnapshot),
    }
  },
})
