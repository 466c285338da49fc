import { changeReportsApi, ReportTemplate } from '../../../src/api/change-reports.ts'
import { SvcError } from '../../../src/errors.ts'
import { findTemplate, scopeOption } from '../../../cli/change-report/shared.ts'
import { command, group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { readText } from '../../../cli/input/named-file.ts'
import { shortTime } from '../../../cli/table.ts'

export default group({
  summary: 'Manage templates of change reports, per project or organization',
  commands: {
    list: derive(changeReportsApi.listTemplates, {
      summary: 'List the versions of a template, newest first, and which one is in use',
      examples: ['svc change-report template list', 'svc change-report template list --project payments'],
      options: { project: scopeOption },
      data: 'items',
      counts: ['total'],
      columns: {
        ID: (it) => it.id,
        SCOPE: (it) => it.scope,
        VERSION: (it) => it.version,
        '': (it) => (it.isDefault ? 'in use' : ''),
        ADDED: (it) => (it.createdAt === null ? '' : shortTime(it.createdAt)),
        NAME: (it) => it.name,
      },
    }),
    reset: derive(changeReportsApi.dropDefault, {
      summary: 'Reset to the inherited template',
      description: 'The versions are kept and can be used again.',
      examples: ['svc change-report template reset', 'svc change-report template reset --project payments'],
      options: { project: scopeOption },
      data: (_, { options }) => ({ project: options['project'] ?? null }),
      text: (_, { options: { project } }) =>
        typeof project === 'string'
          ? `${project} uses the template of its organization\n`
          : 'The organization uses the built-in template\n',
    }),
    use: derive(changeReportsApi.useTemplate, {
      examples: ['svc change-report template use 0198c0de-0000-7000-8000-000000000002'],
      arguments: [{ name: 'id', summary: 'id of a version, as "svc change-report template list" shows it' }],
      text: ({ scope, version }) =>
        scope === 'system'
          ? 'The organization uses the built-in template again\n'
          : `Version ${version} of the template of the ${scope} is in use again\n`,
    }),
    show: command({
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
    }),
    create: command({
      summary: 'Add a version of a template and use it for new reports',
      description:
        'A template is Markdown: {{headline}} inserts a field, {{#breaking}}…{{/breaking}} repeats its content for each item of a list, {{^from}}…{{/from}} is used if a field is empty. Each change has operation (the group that lists it), heading (the operation, only on its first change) and repeats. Unknown fields are rejected with their line and the known names. Parts without an option are taken from the version in use.',
      examples: [
        'svc change-report template show system-1.0.0 --part body > body.md',
        'svc change-report template create --body body.md',
        'svc change-report template create --project payments --header header.md --name "Payments"',
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
    }),
  },
})
