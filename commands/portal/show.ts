import { PortalSetting, portalApi } from '../../src/api/portal.ts'
import { command } from '../../cli/declare.ts'
import { portalFacts } from '../../cli/portal/facts.ts'

export default command({
  summary: 'Show whether the portal is on, its address, and how many projects it shows',
  examples: ['svc portal show', 'svc --tenant acme portal show --json'],
  arguments: [],
  options: {},
  dataSchema: PortalSetting,
  async run({ connection }) {
    const { call, tenant } = await connection()
    const setting = await call(portalApi.setting, { params: { tenant_slug: await tenant() } })
    return { data: setting, text: portalFacts(setting) }
  },
})
