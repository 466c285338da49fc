import { gatewayRecordsApi } from '../../src/api/gateway-records.ts'
import { SecurityApproval } from '../../src/api/gateway-record-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { approvalText, environmentArgument, securityCall } from '../../cli/gateway/shared.ts'

export default command({
  summary: 'Approve a change that another person requested, or decline it',
  description:
    'The caller is always the approver, as a person: a key approves nothing, and no one approves what they requested.',
  examples: ['svc gateway approve production 01a1fdb6-5607-74ce-8102-e0af632fd4cf --note "For one week"'],
  arguments: [
    environmentArgument,
    { name: 'approval', required: true, summary: 'id of the request, or the digest of its change' },
  ],
  options: {
    withdraw: { type: 'boolean', summary: 'take the request back, or decline that of another person' },
    note: { type: 'string', placeholder: 'TEXT', summary: 'why; kept in the audit trail' },
  },
  dataSchema: SecurityApproval,
  async run({ args, options, connection }) {
    const { call, query } = await securityCall(connection)
    const params = { environment_id: args.environment }
    let changeDigest = args.approval
    if (!changeDigest.startsWith('sha256:')) {
      const { approvals } = await call(gatewayRecordsApi.approvals, { params, query: { ...query, limit: 200 } })
      const found = approvals.find(({ id }) => id === args.approval)
      if (found === undefined) throw new SvcError('approval-not-found', { approval: args.approval })
      changeDigest = found.changeDigest
    }
    const { note, withdraw } = options
    const approval = await call(gatewayRecordsApi.approve, {
      params,
      query,
      body: {
        changeDigest,
        ...(withdraw ? { decision: 'withdraw' as const } : {}),
        ...(note === undefined ? {} : { note }),
      },
    })
    const next =
      approval.state === 'approved' ? `Who requested it repeats the change with --approval ${approval.id}\n` : ''
    return { data: approval, text: approvalText(approval) + next }
  },
})
