import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { command } from '../../cli/declare.ts'
import { guideAddress, tenantAddress } from '../../cli/style-guide/shared.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List projects with the style guide that applies to each, and why',
  examples: ['svc style-guide assignments', 'svc style-guide assignments --guide Strict'],
  arguments: [],
  options: {
    guide: { type: 'string', placeholder: 'GUIDE', summary: 'only projects that this guide applies to' },
    search: { type: 'string', placeholder: 'TEXT', summary: 'only projects whose name or slug contains TEXT' },
    limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'maximum number of rows' },
    offset: { type: 'integer', min: 0, default: 0, summary: 'number of rows to skip' },
  },
  async run({ options: { guide, search, limit, offset }, connection }) {
    const { call, params } = await tenantAddress(connection)
    const only = guide === undefined ? {} : { guide_id: (await guideAddress(connection, guide)).params.guide_id }
    const query = { limit, offset, ...only, ...(search ? { q: search } : {}) }
    const page = await call(styleGuidesApi.assignments, { params, query })
    return {
      data: page.items,
      summary: { total: page.total, limit, offset },
      text: () =>
        page.items.length === 0
          ? 'No projects.\n'
          : renderTable(
              ['PROJECT', 'GUIDE', 'BECAUSE'],
              page.items.map((it) => [
                it.projectSlug,
                it.guideName,
                it.reason === 'assignment' ? 'assigned' : 'default of the organization',
              ]),
            ),
    }
  },
})
