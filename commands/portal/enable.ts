import { PortalSetting, portalApi } from '../../src/api/portal.ts'
import { command } from '../../cli/declare.ts'
import { portalFacts } from '../../cli/portal/facts.ts'

export default command({
  summary: 'Switch the portal and the badges on',
  description:
    'It lists the latest version of each project that is published for everybody: svc version visibility PROJECT VERSION public.',
  examples: ['svc portal enable'],
  arguments: [],
  options: {},
  dataSchema: PortalSetting,
  async run({ connection }) {
    const { call, tenant } = await connection()
    const setting = await call(portalApi.change, {
      params: { tenant_slug: await tenant() },
      body: { enabled: true },
    })
    return { data: setting, text: portalFacts(setting) }
  },
})
