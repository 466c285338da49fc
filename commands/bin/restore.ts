import { binApi } from '../../src/api/bin.ts'
import { entryArgument, findEntry, kindOption, nameOf } from '../../cli/bin/shared.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Restore what was deleted, with everything that was deleted with it',
  examples: [
    'svc bin restore petstore',
    'svc bin restore petstore@1.3.0-rc.1',
    'svc bin restore petstore --as petstore-old',
  ],
  arguments: [entryArgument],
  options: {
    kind: kindOption,
    as: {
      type: 'string',
      placeholder: 'NAME',
      summary: 'another slug, label, handle or name, where its own is taken',
    },
  },
  dataSchema: binApi.restore.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const slug = await tenant()
    const entry = await findEntry(call, slug, args.entry, options.kind)
    const body = options.as === undefined ? {} : { as: options.as }
    const restored = await call(binApi.restore, { params: { tenant_slug: slug, entry_id: entry.id }, body })
    const lines = [`Restored ${nameOf({ ...entry, ref: restored.ref })}`, ...restored.notes]
    return { data: restored, text: lines.map((line) => `${line}\n`).join('') }
  },
})
