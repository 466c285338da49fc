import { Thread, threadsApi } from '../../src/api/threads.ts'
import { command } from '../../cli/declare.ts'
import { placeText, versionParamsOf } from '../../cli/review/shared.ts'
import { renderTable } from '../../cli/table.ts'
import { versionArguments } from '../../cli/version/facts.ts'

export default command({
  summary: 'List the threads of a version, with where their places are now',
  examples: ['svc thread list petstore 1.2.0 --status open'],
  arguments: versionArguments,
  options: {
    status: {
      type: 'string',
      placeholder: 'WORD',
      choices: ['open', 'resolved'],
      summary: 'only threads of this status',
    },
    limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'maximum number of rows' },
    offset: { type: 'integer', min: 0, default: 0, summary: 'number of rows to skip' },
  },
  dataSchema: { type: 'array', items: Thread },
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const { limit, offset, status } = options
    const page = await call(threadsApi.list, {
      params: await versionParamsOf(args, tenant),
      query: { limit, offset, ...(status === undefined ? {} : { status }) },
    })
    const rows = page.threads.map((it) => [
      it.id,
      it.status,
      placeText(it),
      String(it.comments_count),
      (it.comments[0]?.body ?? '').replaceAll(/\s+/g, ' ').slice(0, 60),
    ])
    return {
      data: page.threads,
      summary: { total: page.total, open: page.open, limit, offset },
      text: () =>
        rows.length === 0 ? 'No threads.\n' : renderTable(['ID', 'STATUS', 'PLACE', 'COMMENTS', 'FIRST'], rows),
    }
  },
})
