import { ChangeReport, ChangeReportPreview, changeReportsApi } from '../../src/api/change-reports.ts'
import { SvcError } from '../../src/errors.ts'
import { joinReport, reportArguments, reportParams } from '../../cli/change-report/shared.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { readText } from '../../cli/input/named-file.ts'

export default group({
  summary: 'Manage change reports of published versions',
  commands: {
    show: derive(changeReportsApi.get, {
      summary: 'Print the change report of a published version as Markdown',
      examples: ['svc change-report show payments 2.0.0', 'svc change-report show payments latest --json'],
      arguments: reportArguments,
      options: { rendered: { type: 'boolean', summary: 'the rendered text, without the edits', field: null } },
      text: (report, { options }) =>
        options['rendered'] === true
          ? joinReport(report.headerSnapshot, report.renderedBody, report.footnoteSnapshot)
          : joinReport(report.effectiveHeaderSnapshot, report.effectiveRenderedBody, report.effectiveFootnoteSnapshot),
    }),
    regenerate: derive(changeReportsApi.regenerate, {
      summary: 'Render a change report again, with the current or a given template',
      examples: [
        'svc change-report regenerate payments 2.0.0',
        'svc change-report regenerate payments 2.0.0 --discard-edits',
      ],
      arguments: reportArguments,
      options: {
        template: {
          placeholder: 'ID',
          summary: 'id of a template version; system-1.0.0 is the built-in one',
          field: 'templateVersionId',
        },
        'discard-edits': {
          summary: 'remove the edits; without it they are applied to the new text',
          field: 'discardUserEdits',
        },
      },
      text: (report) => `Rendered with ${report.templateVersionId ?? 'no template'}\n`,
    }),
    preview: command({
      summary: 'Preview the change report of a version before it is published; nothing is stored',
      examples: [
        'svc change-report preview payments 2.0.0',
        'svc change-report preview payments 2.0.0 --baseline 1.0.0',
      ],
      arguments: reportArguments,
      options: {
        baseline: {
          type: 'string',
          placeholder: 'REVISION',
          summary: 'the id of the published version to compare with',
        },
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
    }),
    edit: command({
      summary: 'Edit the rendered text of a change report',
      description: 'Each part is replaced by the text of a file. --clear removes all edits.',
      examples: [
        'svc change-report edit payments 2.0.0 --body notes.md',
        'svc change-report edit payments 2.0.0 --clear',
      ],
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
    }),
  },
})
