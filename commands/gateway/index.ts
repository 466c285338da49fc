import { SecurityApproval } from '../../src/api/gateway-record-shapes.ts'
import { exportCap, gatewayRecordsApi } from '../../src/api/gateway-records.ts'
import { SvcError } from '../../src/errors.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { approvalText, countText, environmentArgument, securityCall } from '../../cli/gateway/command-parts.ts'
import { renderTable, shortTime } from '../../cli/table.ts'

export default group({
  summary: 'Manage environments of gateways and their security policies',
  commands: {
    approvals: derive(gatewayRecordsApi.approvals, {
      summary: 'List requests for approval with the effect of each change, newest first',
      examples: ['svc gateway approvals production'],
      arguments: [environmentArgument],
      options: { limit: { type: 'integer', default: 20, summary: 'maximum number of rows, up to 200' } },
      text: ({ approvals, count, total }) =>
        (approvals.length === 0 ? 'No requests for approval.\n' : approvals.map(approvalText).join('')) +
        countText(count, total, 'request'),
    }),
    approve: command({
      summary: 'Approve a change that another person requested, or decline it',
      description:
        'The caller is always the approver, as a person: a key approves nothing, and no one approves what they requested. Where the requester chose --apply-when-approved, the approval makes the change.',
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
        const nextOf: Partial<Record<typeof approval.state, string>> = {
          approved: `Who requested it makes the change: svc gateway apply ${args.environment} ${approval.id}\n`,
          used: 'The change is made.\n',
        }
        const next = nextOf[approval.state] ?? ''
        return { data: approval, text: approvalText(approval) + next }
      },
    }),
    apply: derive(gatewayRecordsApi.applyApproval, {
      description:
        'The service makes exactly the change that was requested and approved, once. It is refused if the policy changed in the meantime.',
      examples: ['svc gateway apply production 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [environmentArgument, { name: 'approval', summary: 'id of the request' }],
      text: ({ approval, policyVersion }) => `${approvalText(approval)}The policy is at version ${policyVersion}.\n`,
    }),
    audit: command({
      summary: 'List the audit trail of a policy, most recent first, or export it as CSV',
      description:
        'An export is a row of the trail itself. "svc doctor" verifies that no row was changed, added or removed.',
      examples: ['svc gateway audit production', 'svc gateway audit production --csv > audit.csv'],
      arguments: [environmentArgument],
      options: {
        csv: { type: 'boolean', summary: 'write CSV for spreadsheets' },
        limit: {
          type: 'integer',
          placeholder: 'N',
          summary: `maximum number of rows (default: 50, with --csv ${exportCap})`,
        },
      },
      async run({ args, options, connection }) {
        const { call, query } = await securityCall(connection)
        const params = { environment_id: args.environment }
        if (options.csv) {
          const limited = { ...query, limit: options.limit ?? exportCap }
          const bytes = (await call(gatewayRecordsApi.exportAudit, { params, query: limited })) as unknown as Uint8Array
          return { text: bytes, data: { csv: new TextDecoder().decode(bytes) } }
        }
        const found = await call(gatewayRecordsApi.audit, { params, query: { ...query, limit: options.limit ?? 50 } })
        const table = renderTable(
          ['NUMBER', 'AT', 'WHO', 'WHAT', 'TARGET', 'VERSION', 'REASON'],
          found.rows.map((row) => [
            String(row.seq),
            shortTime(row.at),
            row.actorName,
            row.action,
            row.target ?? '',
            String(row.policyVersion),
            row.reason ?? '',
          ]),
        )
        return { data: found, text: table + countText(found.count, found.total, 'row') }
      },
    }),
  },
})
