import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { command } from '../../cli/declare.ts'
import { guideAddress, guideArgument } from '../../cli/style-guide/shared.ts'
import { renderTable, shortTime } from '../../cli/table.ts'

export default command({
  summary: 'List the policy packs of a style guide, newest first',
  examples: ['svc style-guide packs Strict'],
  arguments: [guideArgument],
  options: {
    limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'maximum number of rows' },
    offset: { type: 'integer', min: 0, default: 0, summary: 'number of rows to skip' },
  },
  async run({ args, options, connection }) {
    const { call, params } = await guideAddress(connection, args.guide)
    const page = await call(styleGuidesApi.policyVersions, { params, query: options })
    return {
      data: page.items,
      summary: { total: page.total, limit: page.limit, offset: page.offset },
      text: () =>
        page.items.length === 0
          ? 'No packs. Keep the guide as it is now: svc style-guide pack GUIDE\n'
          : renderTable(
              ['PACK', 'RULES ON', 'MADE', 'DIGEST'],
              page.items.map((it) => [String(it.version), String(it.rulesOn), shortTime(it.createdAt), it.digest]),
            ),
    }
  },
})
