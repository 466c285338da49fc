import { Operation, versionsApi } from '../../src/api/versions.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List the operations of a version in the order of its document',
  examples: ['svc version operations petstore latest', 'svc version operations petstore 1.2.0 --search pets --json'],
  arguments: [
    { name: 'project', required: true, summary: 'id or slug' },
    { name: 'version', required: true, summary: 'id, label or slug, or "latest"' },
  ],
  options: {
    search: {
      type: 'string',
      placeholder: 'TEXT',
      summary: 'only operations whose path, summary or operationId contains TEXT',
    },
    limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'maximum number of rows' },
    offset: { type: 'integer', min: 0, default: 0, summary: 'number of rows to skip' },
  },
  dataSchema: { type: 'array', items: Operation },
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const page = await call(versionsApi.operations, {
      params: { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version },
      query: { limit: options.limit, offset: options.offset, ...(options.search ? { q: options.search } : {}) },
    })
    const rest = page.total - options.offset - page.items.length
    const rows = page.items.map((it) => [it.method, it.path, it.deprecated ? `(deprecated) ${it.summary}` : it.summary])
    return {
      data: page.items,
      summary: { total: page.total, limit: page.limit, offset: page.offset },
      text: () =>
        page.items.length === 0
          ? 'No operations.\n'
          : renderTable(['METHOD', 'PATH', 'SUMMARY'], rows) +
            (rest > 0 ? `… ${rest} more: --offset ${options.offset + page.items.length}\n` : ''),
    }
  },
})
