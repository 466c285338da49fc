import { ChangeReport, changeReportsApi } from '../../src/api/change-reports.ts'
import { SvcError } from '../../src/errors.ts'
import { reportArguments, reportParams } from '../../cli/change-report/shared.ts'
import { command } from '../../cli/declare.ts'
import { readText } from '../../cli/consumer/shared.ts'

export default command({
  summary: 'Edit the rendered text of a change report',
  description: 'Each part is replaced by the text of a file. --clear removes all edits.',
  examples: ['svc change-report edit payments 2.0.0 --body notes.md', 'svc change-report edit payments 2.0.0 --clear'],
  arguments: reportArguments,
  options: {
    header: { type: 'string', placeholder: 'FILE', summary: 'the header; - for standard input' },
    body: { type: 'string', placeholder: 'FILE', summary: 'the body; - for standard input' },
    footnote: { type: 'string', placeholder: 'FILE', summary: 'the footnote; - for standard input' },
    clear: { type: 'boolean', summary: 'remove all edits' },
  },
  dataSchema: ChangeReport,
  async run(invocation) {
    const { args, options, connection } = invocation
    const { header, body, footnote, clear } = options
    if (!clear && header === undefined && body === undefined && footnote === undefined)
      throw new SvcError('usage', {
        reason: 'Give --header, --body or --footnote with a file, or --clear.',
      })
    const text = (name: string) => readText(name, invocation)
    const edits = {
      ...(header === undefined ? {} : { editedHeaderSnapshot: await text(header) }),
      ...(body === undefined ? {} : { editedRenderedBody: await text(body) }),
      ...(footnote === undefined ? {} : { editedFootnoteSnapshot: await text(footnote) }),
      ...(clear ? { clearEdits: true } : {}),
    }
    const { call, tenant } = await connection()
    const report = await call(changeReportsApi.edit, { params: reportParams(await tenant(), args), body: edits })
    return {
      data: report,
      text: report.editedAt === null ? 'The report is as it was rendered.\n' : 'The report is edited.\n',
    }
  },
})
