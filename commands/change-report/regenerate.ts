import { ChangeReport, changeReportsApi } from '../../src/api/change-reports.ts'
import { reportArguments, reportParams } from '../../cli/change-report/shared.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Render a change report again, with the current or a given template',
  examples: [
    'svc change-report regenerate payments 2.0.0',
    'svc change-report regenerate payments 2.0.0 --discard-edits',
  ],
  arguments: reportArguments,
  options: {
    template: {
      type: 'string',
      placeholder: 'ID',
      summary: 'id of a template version; system-1.0.0 is the built-in one',
    },
    'discard-edits': { type: 'boolean', summary: 'remove the edits; without it they are applied to the new text' },
  },
  dataSchema: ChangeReport,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const report = await call(changeReportsApi.regenerate, {
      params: reportParams(await tenant(), args),
      body: {
        discardUserEdits: options['discard-edits'],
        ...(options.template === undefined ? {} : { templateVersionId: options.template }),
      },
    })
    return { data: report, text: `Rendered with ${report.templateVersionId ?? 'no template'}\n` }
  },
})
