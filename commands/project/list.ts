import { projectsApi, ProjectRecord } from '../../src/api/projects.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'

function nothing(
  total: number,
  { offset, search }: { readonly offset: number; readonly search?: string | undefined },
): string {
  if (total > 0) return `No projects from offset ${offset} on; there ${total === 1 ? 'is 1' : `are ${total}`}.\n`
  return search ? `No projects match "${search}".\n` : 'No projects. Import one: svc import auto FILE\n'
}

export default command({
  summary: 'List the projects of the organization, newest first',
  examples: ['svc project list', 'svc project list --search pet --json'],
  arguments: [],
  options: {
    search: { type: 'string', placeholder: 'TEXT', summary: 'only projects whose name or slug contains TEXT' },
    limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'maximum number of rows' },
    offset: { type: 'integer', min: 0, default: 0, summary: 'number of rows to skip' },
  },
  dataSchema: { type: 'array', items: ProjectRecord },
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const query = { limit: options.limit, offset: options.offset, ...(options.search ? { q: options.search } : {}) }
    const page = await call(projectsApi.list, { params: { tenant_slug: await tenant() }, query })
    const rows = page.items.map((project) => {
      const latest = project.latest_version
      return [
        project.slug,
        latest?.label ?? '-',
        latest?.status ?? '-',
        latest?.grade ?? '-',
        String(project.versions_count),
        project.name,
      ]
    })
    const rest = page.total - options.offset - page.items.length
    return {
      data: page.items,
      summary: { total: page.total, limit: page.limit, offset: page.offset },
      text: () =>
        page.items.length === 0
          ? nothing(page.total, options)
          : renderTable(['PROJECT', 'LATEST', 'STATUS', 'GRADE', 'VERSIONS', 'NAME'], rows) +
            (rest > 0 ? `… ${rest} more: --offset ${options.offset + page.items.length}\n` : ''),
    }
  },
})
