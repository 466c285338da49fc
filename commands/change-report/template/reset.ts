import { changeReportsApi } from '../../../src/api/change-reports.ts'
import { scopeOption, scopeQuery } from '../../../cli/change-report/shared.ts'
import { command } from '../../../cli/declare.ts'

export default command({
  summary: 'Reset to the inherited template',
  description: 'The versions are kept and can be used again.',
  examples: ['svc change-report template reset', 'svc change-report template reset --project payments'],
  arguments: [],
  options: { project: scopeOption },
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant() }
    await call(changeReportsApi.dropDefault, { params, query: scopeQuery(options.project) })
    const { project } = options
    return {
      data: { project: project ?? null },
      text:
        project === undefined
          ? 'The organization uses the built-in template\n'
          : `${project} uses the template of its organization\n`,
    }
  },
})
