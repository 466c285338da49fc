import { gatewayApi } from '../../../src/api/gateway.ts'
import { SvcError } from '../../../src/errors.ts'
import { command } from '../../../cli/declare.ts'
import { countText, environmentArgument, securityCall } from '../../../cli/gateway/shared.ts'
import { shortTime } from '../../../cli/table.ts'

export default command({
  summary: 'List the versions of a policy, newest first, or compare two of them',
  examples: ['svc gateway policy versions production', 'svc gateway policy versions production --from 3 --to 5'],
  arguments: [environmentArgument],
  options: {
    from: { type: 'integer', placeholder: 'N', summary: 'with --to: show what differs between the two versions' },
    to: { type: 'integer', placeholder: 'N', summary: 'the version to compare with' },
    limit: { type: 'integer', placeholder: 'N', default: 50, summary: 'at most so many versions, up to 200' },
  },
  dataSchema: gatewayApi.policyVersions.response,
  async run({ args, options, connection }) {
    const { from, to, limit } = options
    if ((from === undefined) !== (to === undefined))
      throw new SvcError('usage', { reason: 'Give --from and --to together' })
    const { call, query } = await securityCall(connection)
    const pair = from === undefined || to === undefined ? {} : { from, to }
    const found = await call(gatewayApi.policyVersions, {
      params: { environment_id: args.environment },
      query: { ...query, limit, ...pair },
    })
    const { comparison, versions, total } = found
    if (comparison !== null) {
      const lines = comparison.changes.map(({ sentence }) => `${sentence}\n`).join('')
      return { data: found, text: lines === '' ? 'Both do the same.\n' : lines }
    }
    const text = versions
      .map((it) => {
        const from = it.restoredFrom === null ? '' : `, version ${it.restoredFrom} again`
        return `${it.version}  ${shortTime(it.createdAt)}  ${it.createdByName}${from}\n${it.changes.map((line) => `  ${line}\n`).join('')}`
      })
      .join('')
    return { data: found, text: text + countText(versions.length, total, 'version') }
  },
})
