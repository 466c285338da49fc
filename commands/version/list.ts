import { versionsApi, versionStatuses, VersionRecord } from '../../src/api/versions.ts'
import { command } from '../../cli/declare.ts'
import { versionTable } from '../../cli/version/table.ts'

export default command({
  summary: 'List the versions of a project, newest first',
  examples: ['svc version list petstore', 'svc version list petstore --status published'],
  arguments: [{ name: 'project', required: true, summary: 'id or slug' }],
  options: {
    status: { type: 'string', placeholder: 'STATUS', choices: versionStatuses, summary: 'only versions in this state' },
    limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'maximum number of rows' },
    offset: { type: 'integer', min: 0, default: 0, summary: 'number of rows to skip' },
  },
  dataSchema: { type: 'array', items: VersionRecord },
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const page = await call(versionsApi.list, {
      params: { tenant_slug: await tenant(), project_ref: args.project },
      query: { limit: options.limit, offset: options.offset, ...(options.status ? { status: options.status } : {}) },
    })
    return {
      data: page.items,
      summary: { total: page.total, limit: page.limit, offset: page.offset },
      text: () => (page.items.length === 0 ? 'No versions.\n' : versionTable(page.items)),
    }
  },
})
