import { tenantsApi } from '../../src/api/tenants.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Delete an organization with all its content permanently',
  examples: ['svc tenant delete acme --confirm acme'],
  arguments: [{ name: 'slug', required: true, summary: 'slug of the organization' }],
  options: {
    confirm: { type: 'string', placeholder: 'SLUG', summary: 'the slug again, to confirm the deletion' },
  },
  async run({ args, options, call }) {
    if (options.confirm !== args.slug)
      throw new SvcError('usage', {
        reason: `This deletes all projects, keys and members of ${args.slug} permanently; to confirm, add --confirm ${args.slug}`,
      })
    await (
      await call()
    )(tenantsApi.remove, { params: { tenant_slug: args.slug } })
    return { data: null, text: `Deleted ${args.slug}\n` }
  },
})
