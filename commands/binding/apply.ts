import { bindingsApi } from '../../src/api/bindings.ts'
import { command } from '../../cli/declare.ts'
import { renderDetail, versionArguments } from '../../cli/binding/shared.ts'

export default command({
  summary: 'Apply a candidate: the binding advances to its commit, the draft stays as it is',
  examples: ['svc binding apply shop 2.0.0 01a1fdb6-5607-74ce-8102-e0af632fd4cf --note "see #12"'],
  arguments: [...versionArguments, { name: 'candidate', required: true, summary: 'id of the candidate' }],
  options: { note: { type: 'string', placeholder: 'TEXT', summary: 'why, for the history' } },
  dataSchema: bindingsApi.resolve.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const version = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
    const detail = await call(bindingsApi.resolve, {
      params: { ...version, candidate_id: args.candidate },
      body: { status: 'applied', note: options.note ?? null },
    })
    return { data: detail, text: renderDetail(detail) }
  },
})
