import { ChangeReportPreview, changeReportsApi } from '../../src/api/change-reports.ts'
import { joinReport, reportArguments, reportParams } from '../../cli/change-report/shared.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Preview the change report of a version before it is published; nothing is stored',
  examples: ['svc change-report preview payments 2.0.0', 'svc change-report preview payments 2.0.0 --baseline 1.0.0'],
  arguments: reportArguments,
  options: {
    baseline: { type: 'string', placeholder: 'REVISION', summary: 'the id of the published version to compare with' },
    initial: { type: 'boolean', summary: 'treat it as the first publication, without a comparison' },
  },
  dataSchema: ChangeReportPreview,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const preview = await call(changeReportsApi.preview, {
      params: reportParams(await tenant(), args),
      body:
        options.baseline === undefined
          ? { changeReportBaselineMode: options.initial ? 'initial' : 'auto' }
          : { changeReportBaselineMode: 'manual', changeReportBaselineRevisionId: options.baseline },
    })
    return {
      data: preview,
      text: () => joinReport(preview.headerSnapshot, preview.renderedBody, preview.footnoteSnapshot),
    }
  },
})
