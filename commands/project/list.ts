import { projectOrders, projectsApi, ProjectRecord } from '../../src/api/projects.ts'
import { command } from '../../cli/declare.ts'
import { filterOf, filterOfView, filterOptions, viewOption } from '../../cli/project/filter.ts'
import { renderTable } from '../../cli/table.ts'

function nothing(
  total: number,
  offset: number,
  { q, ...facets }: Readonly<Record<string, string | undefined>>,
): string {
  if (total > 0) return `No projects from offset ${offset} on; there ${total === 1 ? 'is 1' : `are ${total}`}.\n`
  if (Object.keys(facets).length > 0) return 'No projects match these filters.\n'
  return q === undefined ? 'No projects. Import one: svc import auto FILE\n' : `No projects match "${q}".\n`
}

export default command({
  summary: 'List the projects of the organization, newest first',
  examples: ['svc project list', 'svc project list --search pet --json', 'svc project list --view "Without an owner"'],
  arguments: [],
  options: {
    view: viewOption,
    ...filterOptions,
    sort: {
      type: 'string',
      placeholder: 'BY',
      choices: [...projectOrders],
      summary: 'created (the default) and updated: newest first; grade: worst first',
    },
    limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'maximum number of rows' },
    offset: { type: 'integer', min: 0, default: 0, summary: 'number of rows to skip' },
  },
  dataSchema: { type: 'array', items: ProjectRecord },
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const { limit, offset } = options
    const slug = await tenant()
    const { sort: savedOrder, ...narrowed } = await filterOfView(call, slug, options.view)
    const filter = { ...narrowed, ...filterOf(options) }
    const sort = options.sort ?? savedOrder
    const query = { limit, offset, ...filter, ...(sort === undefined || sort === 'created' ? {} : { sort }) }
    const page = await call(projectsApi.list, { params: { tenant_slug: slug }, query })
    const rows = page.items.map((project) => {
      const latest = project.latest_version
      return [
        project.slug,
        latest?.label ?? '-',
        latest?.status ?? '-',
        latest?.grade ?? '-',
        String(project.versions_count),
        project.owner ?? '-',
        project.name,
      ]
    })
    const rest = page.total - offset - page.items.length
    return {
      data: page.items,
      summary: { total: page.total, limit: page.limit, offset: page.offset },
      text: () =>
        page.items.length === 0
          ? nothing(page.total, offset, filter)
          : renderTable(['PROJECT', 'NEWEST', 'STATUS', 'GRADE', 'VERSIONS', 'OWNER', 'NAME'], rows) +
            (rest > 0 ? `… ${rest} more: --offset ${offset + page.items.length}\n` : ''),
    }
  },
})
