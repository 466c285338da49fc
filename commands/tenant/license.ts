import { quotaNames, TenantLicense, tenantsApi } from '../../src/api/tenants.ts'
import { command } from '../../cli/declare.ts'
import { renderFacts, renderTable } from '../../cli/table.ts'

const limit = (max: number | null): string => (max === null ? 'unlimited' : String(max))

export default command({
  summary: 'Show the plan, seats and quotas of the organization',
  examples: ['svc tenant license', 'svc tenant license --json'],
  arguments: [],
  options: {},
  dataSchema: TenantLicense,
  async run({ connection }) {
    const { call, tenant } = await connection()
    const license = await call(tenantsApi.license, { params: { tenant_slug: await tenant() } })
    const { plan, seats, quotas } = license
    const facts = renderFacts([
      ['plan', plan === null ? 'none (the limits of the free plan hold)' : `${plan.name}, ${plan.status}`],
      ['seats', `${seats.used} of ${limit(seats.max)}${seats.pending === 0 ? '' : `, ${seats.pending} pending`}`],
    ])
    const rows = quotaNames.map((name) => [name, String(quotas[name].used), limit(quotas[name].max)])
    return { data: license, text: `${facts}\n${renderTable(['QUOTA', 'USED', 'MAX'], rows)}` }
  },
})
