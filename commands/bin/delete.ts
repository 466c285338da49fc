import { binApi } from '../../src/api/bin.ts'
import { SvcError } from '../../src/errors.ts'
import { entryArgument, findEntry, kindOption, nameOf } from '../../cli/bin/shared.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Delete an entry of the bin for ever',
  description: 'This cannot be undone, so the name must be given twice. Requires the Owner role.',
  examples: ['svc bin delete petstore --confirm petstore'],
  arguments: [entryArgument],
  options: {
    kind: kindOption,
    confirm: { type: 'string', placeholder: 'NAME', summary: 'the same name or id again, to confirm' },
  },
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const slug = await tenant()
    const entry = await findEntry(call, slug, args.entry, options.kind)
    if (options.confirm !== args.entry)
      throw new SvcError('usage', {
        reason: `This deletes the ${nameOf(entry)} for ever; to confirm, add --confirm ${args.entry}.`,
      })
    await call(binApi.remove, { params: { tenant_slug: slug, entry_id: entry.id } })
    return { data: null, text: `Deleted the ${nameOf(entry)} for ever\n` }
  },
})
