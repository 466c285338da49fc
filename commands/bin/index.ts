import { binApi } from '../../src/api/bin.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { entryArgument, findEntry, kindOption, nameOf, renderEntries } from '../../cli/bin/shared.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { moreOf, pageCounts, pageOptions } from '../../cli/paging.ts'

export default group({
  summary: 'Restore what was deleted in the last 30 days',
  commands: {
    list: derive(binApi.list, {
      description:
        'Lists what you may restore: restoring needs the permission that deleting needed. Keys, members and linked accounts never go to the bin.',
      examples: ['svc bin list', 'svc bin list --kind project'],
      options: { kind: { summary: 'only this kind' }, ...pageOptions },
      data: 'items',
      counts: pageCounts,
      text: (page) => (page.total === 0 ? 'The bin is empty.\n' : `${renderEntries(page.items)}${moreOf(page)}`),
    }),
    restore: command({
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
    }),
    delete: command({
      summary: 'Delete an entry of the bin permanently',
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
            reason: `This permanently deletes the ${nameOf(entry)}; to confirm, add --confirm ${args.entry}.`,
          })
        await call(binApi.remove, { params: { tenant_slug: slug, entry_id: entry.id } })
        return { data: null, text: `Deleted the ${nameOf(entry)} permanently\n` }
      },
    }),
    empty: command({
      summary: 'Delete everything in the bin permanently',
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
            reason: `This permanently deletes ${plural(total, 'entry', 'entries')}; to confirm, add --confirm ${slug}.`,
          })
        }
        const done = await call(binApi.empty, { params })
        return { data: done, text: `Deleted ${plural(done.deleted, 'entry', 'entries')} permanently\n` }
      },
    }),
  },
})
