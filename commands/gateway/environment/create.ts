import { Environment, environmentsApi } from '../../../src/api/environments.ts'
import { tierIds } from '../../../src/gateway/policy/catalogue.ts'
import { command } from '../../../cli/declare.ts'
import { detailsOf, environmentOptions } from '../../../cli/gateway/environment.ts'
import { environmentText, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Create an environment with a security policy of its own',
  examples: ['svc gateway environment create Production --kind production --project petstore --host api.example.com'],
  arguments: [{ name: 'name', required: true, summary: 'name of the environment' }],
  options: {
    slug: { type: 'string', placeholder: 'SLUG', summary: 'its slug (default: made from the name)' },
    ...environmentOptions,
    tier: {
      type: 'string',
      placeholder: 'TIER',
      choices: tierIds,
      summary: 'the tier of its policy (default: standard)',
    },
  },
  dataSchema: Environment,
  async run({ args, options, connection }) {
    const { slug, tier } = options
    const { call, query } = await securityCall(connection)
    const body = {
      name: args.name,
      ...(slug === undefined ? {} : { slug }),
      ...(tier === undefined ? {} : { tier }),
      ...detailsOf(options),
    }
    const made = await call(environmentsApi.create, { query, body })
    return { data: made, text: environmentText(made) }
  },
})
