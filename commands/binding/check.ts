import { bindingsApi } from '../../src/api/bindings.ts'
import { command } from '../../cli/declare.ts'
import { renderDetail, versionArguments } from '../../cli/binding/shared.ts'

export default command({
  summary: 'Read the ref of a binding now, and record a candidate where it moved',
  examples: ['svc binding check shop 2.0.0'],
  arguments: versionArguments,
  options: {},
  dataSchema: bindingsApi.check.response,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
    const detail = await call(bindingsApi.check, { params })
    return { data: detail, text: renderDetail(detail) }
  },
})
