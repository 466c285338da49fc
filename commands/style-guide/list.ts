import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { StyleGuideOut } from '../../src/api/style-guide-shapes.ts'
import { command } from '../../cli/declare.ts'
import { tenantAddress } from '../../cli/style-guide/shared.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List the style guides of the organization, the default first',
  examples: ['svc style-guide list', 'svc style-guide list --json'],
  arguments: [],
  options: {},
  dataSchema: { type: 'array', items: StyleGuideOut },
  async run({ connection }) {
    const { call, params } = await tenantAddress(connection)
    const { items, total } = await call(styleGuidesApi.list, { params, query: { limit: 200 } })
    return {
      data: items,
      summary: { total },
      text: () =>
        renderTable(
          ['GUIDE', 'KIND', 'DEFAULT', 'RULES ON', 'CUSTOM', 'PROJECTS'],
          items.map((it) => [
            it.name,
            it.builtin ? 'builtin' : 'own',
            it.isDefault ? 'default' : '',
            `${it.rulesOn} of ${it.rulesTotal}`,
            String(it.customRules),
            String(it.assignments),
          ]),
        ),
    }
  },
})
