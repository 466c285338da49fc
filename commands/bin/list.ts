import { binApi } from '../../src/api/bin.ts'
import { kindOption, renderEntries } from '../../cli/bin/shared.ts'
import { command } from '../../cli/declare.ts'
import { moreOf, pageOptions, pageSummary } from '../../cli/paging.ts'

export default command({
  summary: 'List what was deleted in the last 30 days and can be restored, newest first',
  description:
    'Lists what you may restore: restoring needs the permission that deleting needed. Keys, members and linked accounts never go to the bin.',
  examples: ['svc bin list', 'svc bin list --kind project'],
  arguments: [],
  options: { kind: { ...kindOption, summary: 'only this kind' }, ...pageOptions },
  dataSchema: binApi.list.response.properties.items,
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const { kind, limit, offset } = options
    const query = { limit, offset, ...(kind === undefined ? {} : { kind }) }
    const page = await call(binApi.list, { params: { tenant_slug: await tenant() }, query })
    const text = () => (page.total === 0 ? 'The bin is empty.\n' : `${renderEntries(page.items)}${moreOf(page)}`)
    return { data: page.items, summary: pageSummary(page), text }
  },
})
