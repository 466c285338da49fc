import { Environment, environmentsApi } from '../../../src/api/environments.ts'
import { command } from '../../../cli/declare.ts'
import { detailsOf, environmentOptions } from '../../../cli/gateway/environment.ts'
import { environmentArgument, environmentText, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Change an environment',
  description:
    'Lists replace those of before. To switch approvals off or lower their number needs the approval of another person.',
  examples: ['svc gateway environment update production --host api.example.com --host www.example.com'],
  arguments: [environmentArgument],
  options: {
    name: { type: 'string', placeholder: 'NAME', summary: 'another name' },
    slug: { type: 'string', placeholder: 'SLUG', summary: 'another slug' },
    ...environmentOptions,
    approval: { type: 'string', placeholder: 'ID', summary: 'the approval of this change by another person' },
  },
  dataSchema: Environment,
  async run({ args, options, connection }) {
    const { name, slug, approval } = options
    const { call, query } = await securityCall(connection)
    const body = {
      ...(name === undefined ? {} : { name }),
      ...(slug === undefined ? {} : { slug }),
      ...detailsOf(options),
      ...(approval === undefined ? {} : { approvalId: approval }),
    }
    const changed = await call(environmentsApi.update, { params: { environment_id: args.environment }, query, body })
    return { data: changed, text: environmentText(changed) }
  },
})
