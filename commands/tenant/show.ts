import { TenantInfo, tenantsApi } from '../../src/api/tenants.ts'
import { command } from '../../cli/declare.ts'
import { renderFacts, shortTime } from '../../cli/table.ts'

export default command({
  summary: 'Show the organization and what it contains',
  examples: ['svc tenant show', 'svc --tenant acme tenant show --json'],
  arguments: [],
  options: {},
  dataSchema: TenantInfo,
  async run({ connection }) {
    const { call, tenant } = await connection()
    const info = await call(tenantsApi.get, { params: { tenant_slug: await tenant() } })
    const { storage_used_bytes: used, storage_quota_bytes: quota } = info
    return {
      data: info,
      text: renderFacts([
        ['tenant', info.slug],
        ['name', info.name],
        ['plan', info.plan],
        ['created', info.created_at === null ? null : shortTime(info.created_at)],
        ['members', String(info.members_count)],
        ['projects', String(info.projects_count)],
        ['versions', `${info.versions_count}, ${info.published_versions_count} of them published`],
        ['stored', `${used ?? 0} bytes${quota === null ? '' : ` of ${quota}`}`],
      ]),
    }
  },
})
