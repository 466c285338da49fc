import { PortalSetting, portalApi } from '../../src/api/portal.ts'
import { command } from '../../cli/declare.ts'
import { portalFacts } from '../../cli/portal/facts.ts'

export default command({
  summary: 'Switch the portal and the badges off',
  description:
    'Versions that are published for everybody stay readable by their addresses; svc version visibility makes one private.',
  examples: ['svc portal disable'],
  arguments: [],
  options: {},
  dataSchema: PortalSetting,
  async run({ connection }) {
    const { call, tenant } = await connection()
    const setting = await call(portalApi.change, {
      params: { tenant_slug: await tenant() },
      body: { enabled: false },
    })
    return { data: setting, text: portalFacts(setting) }
  },
})
