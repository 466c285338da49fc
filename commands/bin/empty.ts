import { binApi } from '../../src/api/bin.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/plural.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Delete everything in the bin for ever',
  description: 'This cannot be undone, so the slug of the organization must be given. Requires the Owner role.',
  examples: ['svc bin empty --confirm acme'],
  arguments: [],
  options: {
    confirm: { type: 'string', placeholder: 'SLUG', summary: 'the slug of the organization, to confirm' },
  },
  dataSchema: binApi.empty.response,
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const slug = await tenant()
    const params = { tenant_slug: slug }
    if (options.confirm !== slug) {
      const { total } = await call(binApi.list, { params, query: { limit: 1 } })
      throw new SvcError('usage', {
        reason: `This deletes ${plural(total, 'entry', 'entries')} for ever; to confirm, add --confirm ${slug}.`,
      })
    }
    const done = await call(binApi.empty, { params })
    return { data: done, text: `Deleted ${plural(done.deleted, 'entry', 'entries')} for ever\n` }
  },
})
