import { repositoriesApi } from '../../src/api/repositories.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List the documents on the default branches of all repositories',
  examples: ['svc repository catalog --kind openapi --search payments'],
  arguments: [],
  options: {
    search: { type: 'string', placeholder: 'TEXT', summary: 'part of the path or of the name of the repository' },
    kind: { type: 'string', placeholder: 'KIND', summary: 'openapi, swagger, arazzo, json-schema or mcp' },
    limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'most documents' },
    offset: { type: 'integer', min: 0, max: 10_000, default: 0, summary: 'documents to leave out' },
  },
  dataSchema: repositoriesApi.specCatalog.response,
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const { search, kind, limit, offset } = options
    const found = await call(repositoriesApi.specCatalog, {
      params: { tenant_slug: await tenant() },
      query: {
        limit,
        offset,
        ...(search === undefined ? {} : { q: search }),
        ...(kind === undefined ? {} : { kind }),
      },
    })
    const rows = found.specs.map((it) => [it.repository_full_name, it.path, it.kind, it.refresh_status ?? '-'])
    const table = rows.length === 0 ? 'No documents.\n' : renderTable(['REPOSITORY', 'PATH', 'KIND', 'IMPORT'], rows)
    return { data: found, text: () => table }
  },
})
