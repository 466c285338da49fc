import { changeReportsApi, ReportTemplate } from '../../../src/api/change-reports.ts'
import { SvcError } from '../../../src/errors.ts'
import { findTemplate, scopeOption } from '../../../cli/change-report/shared.ts'
import { command } from '../../../cli/declare.ts'
import { readText } from '../../../cli/consumer/shared.ts'

export default command({
  summary: 'Add a version of a template and use it for new reports',
  description:
    'A template is Markdown: {{headline}} inserts a field, {{#breaking}}…{{/breaking}} repeats its content for each item of a list, {{^from}}…{{/from}} is used if a field is empty. Each change has operation (the group that lists it), heading (the operation, only on its first change) and repeats. Unknown fields are rejected with their line and the known names. Parts without an option are taken from the version in use.',
  examples: [
    'svc change-report template show system-1.0.0 --part body > body.md',
    'svc change-report template add --body body.md',
    'svc change-report template add --project payments --header header.md --name "Payments"',
  ],
  arguments: [],
  options: {
    project: { ...scopeOption, summary: 'the template of this project (default: that of the organization)' },
    header: { type: 'string', placeholder: 'FILE', summary: 'the header; - for standard input' },
    body: { type: 'string', placeholder: 'FILE', summary: 'the body; - for standard input' },
    footnote: { type: 'string', placeholder: 'FILE', summary: 'the footnote; - for standard input' },
    name: { type: 'string', placeholder: 'TEXT', summary: 'label of the version' },
  },
  dataSchema: ReportTemplate,
  async run(invocation) {
    const { options, connection } = invocation
    const { project, name } = options
    if (options.header === undefined && options.body === undefined && options.footnote === undefined)
      throw new SvcError('usage', { reason: 'Give --header, --body or --footnote with a file.' })
    const used = await findTemplate(connection, null, project)
    const textOf = async (part: 'header' | 'body' | 'footnote'): Promise<string> => {
      const file = options[part]
      return file === undefined ? used[part] : (await readText(file, invocation)).trimEnd()
    }
    const { call, tenant } = await connection()
    const template = await call(changeReportsApi.addTemplate, {
      params: { tenant_slug: await tenant() },
      body: {
        header: await textOf('header'),
        body: await textOf('body'),
        footnote: await textOf('footnote'),
        ...(project === undefined ? {} : { project }),
        ...(name === undefined ? {} : { name }),
      },
    })
    const whose = template.scope === 'project' ? `the project ${project ?? ''}` : 'the organization'
    return {
      data: template,
      text: `Added version ${template.version} (${template.id}); ${whose} uses it from now on\n`,
    }
  },
})
