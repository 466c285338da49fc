import { FirstTenantResponse, onboardingApi } from '../../src/api/onboarding.ts'
import { command } from '../../cli/declare.ts'
import { renderFacts } from '../../cli/table.ts'

export default command({
  summary: 'Create an organization and become its Owner',
  examples: ['svc tenant create "Acme Inc."', 'svc tenant create "Acme Inc." --slug acme --sample'],
  arguments: [{ name: 'name', required: true, summary: 'name of the organization' }],
  options: {
    slug: { type: 'string', placeholder: 'SLUG', summary: 'its slug (default: made from the name)' },
    sample: { type: 'boolean', summary: 'add a sample project' },
  },
  dataSchema: FirstTenantResponse,
  async run({ args, options, call }) {
    const made = await (
      await call()
    )(onboardingApi.firstTenant, {
      body: { name: args.name, slug: options.slug ?? null, provision_sample_project: options.sample },
    })
    return {
      data: made,
      text: renderFacts([
        ['tenant', made.tenant.slug],
        ['name', made.tenant.name],
        ['plan', made.tenant.plan],
        ['sample', made.sample_project_id],
      ]),
    }
  },
})
