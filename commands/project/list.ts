import { lifecycles, projectOrders, projectsApi, ProjectRecord } from '../../src/api/projects.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'

interface Asked {
  readonly offset: number
  readonly search?: string | undefined
  readonly owner?: string | undefined
  readonly lifecycle?: string | undefined
  readonly tag?: string | undefined
  readonly grade?: string | undefined
}

function nothing(total: number, { offset, search, owner, lifecycle, tag, grade }: Asked): string {
  if (total > 0) return `No projects from offset ${offset} on; there ${total === 1 ? 'is 1' : `are ${total}`}.\n`
  if ([owner, lifecycle, tag, grade].some((it) => it !== undefined)) return 'No projects match these filters.\n'
  return search ? `No projects match "${search}".\n` : 'No projects. Import one: svc import auto FILE\n'
}

export default command({
  summary: 'List the projects of the organization, newest first',
  examples: ['svc project list', 'svc project list --search pet --json'],
  arguments: [],
  options: {
    search: { type: 'string', placeholder: 'TEXT', summary: 'only projects that contain each word' },
    owner: { type: 'string', placeholder: 'NAME', summary: 'only projects of this owner' },
    lifecycle: { type: 'string', placeholder: 'STATE', choices: [...lifecycles], summary: 'only in this state' },
    tag: { type: 'string', placeholder: 'TAG', summary: 'only with this tag' },
    grade: {
      type: 'string',
      placeholder: 'GRADE',
      choices: ['A', 'B', 'C', 'D', 'F', 'none'],
      summary: 'only those whose latest version has this grade',
    },
    sort: {
      type: 'string',
      placeholder: 'BY',
      choices: [...projectOrders],
      default: 'created',
      summary: 'created and updated: newest first; grade: worst first',
    },
    limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'maximum number of rows' },
    offset: { type: 'integer', min: 0, default: 0, summary: 'number of rows to skip' },
  },
  dataSchema: { type: 'array', items: ProjectRecord },
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const { limit, offset, search, owner, lifecycle, tag, grade, sort } = options
    const query = {
      limit,
      offset,
      ...(search ? { q: search } : {}),
      ...(owner === undefined ? {} : { owner }),
      ...(lifecycle === undefined ? {} : { lifecycle }),
      ...(tag === undefined ? {} : { tag }),
      ...(grade === undefined ? {} : { grade }),
      ...(sort === 'created' ? {} : { sort }),
    }
    const page = await call(projectsApi.list, { params: { tenant_slug: await tenant() }, query })
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
    const rest = page.total - options.offset - page.items.length
    return {
      data: page.items,
      summary: { total: page.total, limit: page.limit, offset: page.offset },
      text: () =>
        page.items.length === 0
          ? nothing(page.total, options)
          : renderTable(['PROJECT', 'NEWEST', 'STATUS', 'GRADE', 'VERSIONS', 'OWNER', 'NAME'], rows) +
            (rest > 0 ? `… ${rest} more: --offset ${options.offset + page.items.length}\n` : ''),
    }
  },
})
