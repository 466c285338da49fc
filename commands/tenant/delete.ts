import { tenantsApi } from '../../src/api/tenants.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Delete a tenant with everything in it; nothing brings it back',
  examples: ['svc tenant delete acme --confirm acme'],
  arguments: [{ name: 'slug', required: true, summary: 'the tenant' }],
  options: {
    confirm: { type: 'string', placeholder: 'SLUG', summary: 'the slug once more: without it nothing is deleted' },
  },
  async run({ args, options, call }) {
    if (options.confirm !== args.slug)
      throw new SvcError('usage', {
        reason: `All projects, keys and members of ${args.slug} would be gone; if you mean it, add --confirm ${args.slug}`,
      })
    await (
      await call()
    )(tenantsApi.remove, { params: { tenant_slug: args.slug } })
    return { data: null, text: `Deleted ${args.slug}\n` }
  },
})
