import { ReportTemplate } from '../../../src/api/change-reports.ts'
import { findTemplate, scopeOption } from '../../../cli/change-report/shared.ts'
import { command } from '../../../cli/declare.ts'

export default command({
  summary: 'Print a version of a template, as a start for a new one',
  examples: [
    'svc change-report template show system-1.0.0 --part body > body.md',
    'svc change-report template show 0198c0de-0000-7000-8000-000000000002 --project payments',
  ],
  arguments: [{ name: 'id', required: true, summary: 'id of a version; system-1.0.0 is the built-in one' }],
  options: {
    project: scopeOption,
    part: {
      type: 'string',
      placeholder: 'PART',
      choices: ['header', 'body', 'footnote'],
      summary: 'only one of its parts',
    },
  },
  dataSchema: ReportTemplate,
  async run({ args, options, connection }) {
    const template = await findTemplate(connection, args.id, options.project)
    const { header, body, footnote } = template
    const whole = `--- header\n${header}\n--- body\n${body}\n--- footnote\n${footnote}\n`
    return { data: template, text: options.part === undefined ? whole : `${template[options.part]}\n` }
  },
})
