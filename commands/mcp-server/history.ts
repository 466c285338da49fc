import { mcpServersApi } from '../../src/api/mcp-servers.ts'
import { command } from '../../cli/declare.ts'
import { countsText, findServer, serverArgument, shortPrint } from '../../cli/mcp-server/shared.ts'
import { moreOf, pageOptions, pageSummary } from '../../cli/paging.ts'
import { renderTable, shortTime } from '../../cli/table.ts'

export default command({
  summary: 'List the observations of an MCP server, newest first',
  examples: ['svc mcp-server history com.example/weather', 'svc mcp-server history com.example/weather --changed'],
  arguments: [serverArgument],
  options: { changed: { type: 'boolean', summary: 'only those that found another surface' }, ...pageOptions },
  dataSchema: mcpServersApi.observations.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const slug = await tenant()
    const { id } = await findServer(call, slug, args.server)
    const { limit, offset } = options
    const page = await call(mcpServersApi.observations, {
      params: { tenant_slug: slug, endpoint_id: id },
      query: { limit, offset, ...(options.changed ? { changed: true } : {}) },
    })
    const items = { items: page.observations, total: page.total, limit, offset }
    const rows = page.observations.map((it) => [
      shortTime(it.at),
      it.by,
      it.fingerprint === null ? '-' : shortPrint(it.fingerprint.wire),
      it.error !== null
        ? `${it.error.class}: ${it.error.message}`
        : it.changed
          ? `changed${it.change?.severity ? ` (${it.change.severity})` : ''}: ${countsText(it.counts)}`
          : countsText(it.counts),
    ])
    return {
      data: page,
      summary: pageSummary(items),
      text: () =>
        rows.length === 0
          ? 'Never observed.\n'
          : `${renderTable(['AT', 'BY', 'FINGERPRINT', 'FOUND'], rows)}${moreOf(items)}`,
    }
  },
})
