import { bindingsApi } from '../../src/api/bindings.ts'
import { command } from '../../cli/declare.ts'
import { renderBinding, versionArguments } from '../../cli/binding/shared.ts'

export default command({
  summary: 'Release the binding of a draft; its candidates are superseded',
  examples: ['svc binding release shop 2.0.0'],
  arguments: versionArguments,
  options: {},
  dataSchema: bindingsApi.release.response,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
    const released = await call(bindingsApi.release, { params })
    return { data: released, text: renderBinding(released) }
  },
})
