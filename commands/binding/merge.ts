import { bindingsApi } from '../../src/api/bindings.ts'
import { command } from '../../cli/declare.ts'
import { versionArguments } from '../../cli/binding/shared.ts'

export default command({
  summary: 'Print the draft merged with the document of a candidate, by operations, parameters and schemas',
  description:
    'Nothing is stored: "svc version document" takes the text. Places that both sides changed are listed on standard error; there the text has the values of the draft.',
  examples: ['svc binding merge shop 2.0.0 01a1fdb6-5607-74ce-8102-e0af632fd4cf > merged.yaml'],
  arguments: [...versionArguments, { name: 'candidate', required: true, summary: 'id of the candidate' }],
  options: {},
  dataSchema: bindingsApi.merge.response,
  async run({ args, connection, io }) {
    const { call, tenant } = await connection()
    const version = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
    const merged = await call(bindingsApi.merge, { params: { ...version, candidate_id: args.candidate } })
    for (const { subject, pointer } of merged.conflicts) io.log.warn(`Both sides changed ${subject}: ${pointer}`)
    if (merged.document === null) io.log.warn('The selection is not one document: there is nothing to merge.')
    return { data: merged, text: merged.document ?? '' }
  },
})
