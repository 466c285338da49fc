import { linkedAccountsApi } from '../../src/api/linked-accounts.ts'
import { command } from '../../cli/declare.ts'
import { accountArgument } from '../../cli/account/shared.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List the repositories that a linked account can read',
  examples: ['svc account repositories 01a1fdb6-5607-74ce-8102-e0af632fd4cf --search specs'],
  arguments: [accountArgument],
  options: {
    search: { type: 'string', placeholder: 'TEXT', summary: 'part of the full name' },
    cursor: { type: 'string', placeholder: 'CURSOR', summary: 'where the page before ended' },
  },
  dataSchema: linkedAccountsApi.repositories.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const found = await call(linkedAccountsApi.repositories, {
      params: { tenant_slug: await tenant(), linked_account_id: args.id },
      query: {
        ...(options.search === undefined ? {} : { q: options.search }),
        ...(options.cursor === undefined ? {} : { cursor: options.cursor }),
      },
    })
    const more = found.next_cursor === null ? '' : `More: --cursor ${found.next_cursor}\n`
    const rows = found.repositories.map((it) => [
      it.full_name,
      it.default_branch ?? '-',
      it.private ? 'private' : 'public',
    ])
    const table = rows.length === 0 ? 'No repositories.\n' : renderTable(['REPOSITORY', 'BRANCH', 'VISIBILITY'], rows)
    return { data: found, text: () => table + more }
  },
})
