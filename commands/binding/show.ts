import { bindingsApi } from '../../src/api/bindings.ts'
import { command } from '../../cli/declare.ts'
import { renderDetail, versionArguments } from '../../cli/binding/shared.ts'

export default command({
  summary: 'Show the binding of a draft with its candidates',
  examples: ['svc binding show shop 2.0.0'],
  arguments: versionArguments,
  options: {},
  dataSchema: bindingsApi.status.response,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const project = { tenant_slug: await tenant(), project_ref: args.project }
    const status = await call(bindingsApi.status, { params: { ...project, version_ref: args.version } })
    if (status.binding === null)
      return { data: status, text: `Not bound; ${status.previous.length} earlier bindings.\n` }
    const detail = await call(bindingsApi.get, { params: { ...project, binding_id: status.binding.id } })
    return { data: status, text: renderDetail(detail) }
  },
})
