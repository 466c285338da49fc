import { changeReportsApi, ReportTemplate } from '../../../src/api/change-reports.ts'
import { command } from '../../../cli/declare.ts'

export default command({
  summary: 'Use an earlier version of a template again',
  examples: ['svc change-report template use 0198c0de-0000-7000-8000-000000000002'],
  arguments: [
    { name: 'id', required: true, summary: 'id of a version, as "svc change-report template list" shows it' },
  ],
  options: {},
  dataSchema: ReportTemplate,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), template_version_id: args.id }
    const template = await call(changeReportsApi.useTemplate, { params })
    return {
      data: template,
      text:
        template.scope === 'system'
          ? 'The organization uses the built-in template again\n'
          : `Version ${template.version} of the template of the ${template.scope} is in use again\n`,
    }
  },
})
