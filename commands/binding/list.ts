import { bindingsApi } from '../../src/api/bindings.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List the bindings of a project, newest first',
  examples: ['svc binding list shop --active'],
  arguments: [{ name: 'project', required: true, summary: 'id or slug of the project' }],
  options: { active: { type: 'boolean', summary: 'only those that are not released' } },
  dataSchema: bindingsApi.list.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const found = await call(bindingsApi.list, {
      params: { tenant_slug: await tenant(), project_ref: args.project },
      query: { limit: 200, ...(options.active ? { active: true } : {}) },
    })
    const rows = found.bindings.map((it) => [
      it.version_label ?? '-',
      it.repo_full_name,
      it.ref,
      it.path === '' ? '.' : it.path,
      it.active ? 'active' : (it.release_reason ?? 'released'),
      String(it.pending_candidate_count),
    ])
    const header = ['VERSION', 'REPOSITORY', 'REF', 'PATH', 'STATE', 'PENDING']
    return { data: found, text: () => (rows.length === 0 ? 'No bindings.\n' : renderTable(header, rows)) }
  },
})
