import { useQuery } from '@tanstack/react-query'
import type { SecurityApproval } from '../../../../src/api/gateway-record-shapes.ts'
import { gatewayRecordsApi } from '../../../../src/api/gateway-records.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { Confirmation, Window } from '../../parts/dialog.tsx'
import { Form, TextField, useForm } from '../../parts/form.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Moment, Section, Words } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { holds, identityQuery, sessionQuery } from '../../session.ts'
import { MakeChange } from './approval-wanted.tsx'
import { Effect } from './effect.tsx'
import { approvalsQuery, type EnvironmentAt, environmentInput, refreshEnvironments } from './queries.ts'

const stateTones: Readonly<Record<SecurityApproval['state'], Tone>> = {
  pending: 'warn',
  approved: 'ok',
  used: 'plain',
  expired: 'plain',
  stale: 'plain',
  withdrawn: 'plain',
}

/** What became of a request, for people. */
const stateNames: Readonly<Record<SecurityApproval['state'], string>> = {
  pending: 'waits',
  approved: 'approved, not yet made',
  used: 'made',
  expired: 'expired',
  stale: 'void: the policy changed',
  withdrawn: 'withdrawn',
}

/** Whether the next approval is the last one, and makes the change. */
const applies = ({ applyWhenApproved, approvals, approversMin, state }: SecurityApproval): boolean =>
  applyWhenApproved && (state === 'approved' || approvals.length + 1 >= approversMin)

const isOpen = ({ state }: SecurityApproval): boolean => state === 'pending' || state === 'approved'

/** What the person who looks at a request can do with it, or why they cannot. */
const NextStep = ({ at, of: approval }: { at: EnvironmentAt; of: SecurityApproval }) => {
  const identity = useQuery(identityQuery)
  const session = useQuery(sessionQuery)
  const { open } = useAddress()
  if (!isOpen(approval)) return null
  const me = session.data?.user?.id
  if (approval.requestedBy.id === me)
    return (
      <div className="flex flex-wrap items-center gap-3">
        {approval.state === 'approved' ? (
          <MakeChange at={at} of={approval} />
        ) : (
          <p className="text-sm text-soft">
            You requested this, and no one approves their own change: another Owner or Admin has to.
          </p>
        )}
        <Button onClick={() => open('withdraw', approval.id)}>Take it back …</Button>
      </div>
    )
  if (approval.state === 'approved')
    return (
      <div className="flex flex-wrap items-center gap-3">
        <p className="text-sm text-soft">{approval.requestedBy.name} can make the change now.</p>
        {approval.notApplied !== null && holds(identity.data, at.tenant, 'security:approve') ? (
          <Button onClick={() => open('approve', approval.id)}>Try again …</Button>
        ) : null}
      </div>
    )
  if (approval.approvals.some(({ by }) => by.id === me))
    return <p className="text-sm text-soft">You approved it; it needs another person as well.</p>
  if (!holds(identity.data, at.tenant, 'security:approve'))
    return <p className="text-sm text-soft">An Owner or Admin can approve it.</p>
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button look="primary" onClick={() => open('approve', approval.id)}>
        {applies(approval) ? 'Approve and apply …' : 'Approve …'}
      </Button>
      <Button onClick={() => open('withdraw', approval.id)}>Decline …</Button>
    </div>
  )
}

/** Why somebody wants the change, in their own words. */
const Reason = ({ of: { body, requestedBy } }: { of: SecurityApproval }) => {
  const reason = typeof body['reason'] === 'string' ? body['reason'].trim() : ''
  return (
    <p className="wrap-anywhere">
      {reason === '' ? (
        <span className="text-soft">{requestedBy.name} gave no reason.</span>
      ) : (
        <>
          <span className="font-medium">Reason:</span> {reason}
        </>
      )}
    </p>
  )
}

/** What somebody decides about: the reason, the changes, why they are risky, and their effect. */
const Decision = ({ of: approval }: { of: SecurityApproval }) => (
  <>
    <Reason of={approval} />
    <ul className="grid gap-0.5" aria-label="Changes">
      {[...new Set(approval.summary)].map((sentence) => (
        <li key={sentence} className="wrap-anywhere">
          <Words of={sentence} />
        </li>
      ))}
    </ul>
    <ul className="grid gap-0.5 text-sm text-warn" aria-label="Why it is risky">
      {[...new Set(approval.risks)]
        .filter((risk) => !approval.summary.includes(risk))
        .map((risk) => (
          <li key={risk} className="wrap-anywhere">
            <Words of={risk} />
          </li>
        ))}
    </ul>
    {approval.preview === null ? null : <Effect of={approval.preview} />}
  </>
)

const Request = ({ at, approval }: { at: EnvironmentAt; approval: SecurityApproval }) => (
  <li className="grid gap-2.5 px-4 py-3">
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <Badge tone={stateTones[approval.state]}>{stateNames[approval.state]}</Badge>
      <span className="min-w-0 grow text-sm text-soft">
        requested by {approval.requestedBy.name}, <Moment at={approval.requestedAt} />, for policy{' '}
        {approval.policyVersion}
        {isOpen(approval) ? (
          <>
            , until <Moment at={approval.expiresAt} exact />
          </>
        ) : null}
      </span>
    </div>
    <Decision of={approval} />
    {approval.approvals.map(({ by, at: when, note }) => (
      <p key={by.id} className="text-sm wrap-anywhere">
        Approved by {by.name}, <Moment at={when} />
        {note === '' ? '.' : `: ${note}`}
      </p>
    ))}
    {approval.state === 'pending' && approval.approversMin > 1 ? (
      <p className="text-sm text-soft">
        {approval.approvals.length} of {count(approval.approversMin, 'approval', 'approvals')}.
      </p>
    ) : null}
    {approval.notApplied === null ? null : (
      <p className="text-sm wrap-anywhere text-danger">
        It was approved, but could not be applied (<Moment at={approval.notApplied.at} />
        ): {approval.notApplied.message}
      </p>
    )}
    {approval.applyWhenApproved && approval.state === 'pending' ? (
      <p className="text-sm text-soft">The last approval applies the change, as {approval.requestedBy.name} chose.</p>
    ) : null}
    <NextStep at={at} of={approval} />
  </li>
)

const ApproveForm = ({
  at,
  of: approval,
  onClose,
}: {
  at: EnvironmentAt
  of: SecurityApproval
  onClose: () => void
}) => {
  const form = useForm({ note: '' }, async ({ note }) => {
    const { changeDigest } = approval
    await call(gatewayRecordsApi.approve, { ...environmentInput(at), body: { changeDigest, note: note.trim() } })
    onClose()
    await refreshEnvironments(at.tenant)
  })
  return (
    <Form change={form} submit={applies(approval) ? 'Approve and apply' : 'Approve'} onCancel={onClose}>
      <Decision of={approval} />
      <TextField
        label="Note (optional)"
        hint="Why you agree. It stays with the request and in the audit trail."
        maxLength={1000}
        rows={2}
        {...form.bind('note')}
      />
      <p className="text-sm text-soft">
        {applies(approval)
          ? `Your approval applies the change at once, in the name of ${approval.requestedBy.name}, who chose so.`
          : `${approval.requestedBy.name} makes the change afterwards.`}{' '}
        Your approval is for exactly this change, once.
      </p>
    </Form>
  )
}

/** The dialogs in which one of the shown requests is decided. */
const Decisions = ({ at, approvals }: { at: EnvironmentAt; approvals: readonly SecurityApproval[] }) => {
  const { dialog, item, close } = useAddress()
  const chosen = approvals.find(({ id }) => id === item)
  if (chosen === undefined) return null
  const withdraw = async (): Promise<void> => {
    const { changeDigest } = chosen
    await call(gatewayRecordsApi.approve, { ...environmentInput(at), body: { changeDigest, decision: 'withdraw' } })
    await refreshEnvironments(at.tenant)
  }
  return (
    <>
      <Window open={dialog === 'approve'} onClose={close} title="Approve this change?">
        <ApproveForm at={at} of={chosen} onClose={close} />
      </Window>
      <Confirmation
        open={dialog === 'withdraw'}
        onClose={close}
        title="End this request?"
        action="End the request"
        onConfirm={withdraw}
      >
        <p>The change is not made. It can be requested again.</p>
      </Confirmation>
    </>
  )
}

const Requests = ({ at, approvals }: { at: EnvironmentAt; approvals: readonly SecurityApproval[] }) => (
  <>
    <ol className="card divide-y" aria-label="Requests for approval">
      {approvals.map((it) => (
        <Request key={it.id} at={at} approval={it} />
      ))}
    </ol>
    <Decisions at={at} approvals={approvals} />
  </>
)

/** What waits for a decision, or for its use; nothing where nothing does. */
export const WaitingApprovals = ({ at, approvals }: { at: EnvironmentAt; approvals: readonly SecurityApproval[] }) =>
  approvals.length === 0 ? null : (
    <Section title={count(approvals.length, 'change waits for approval', 'changes wait for approval')}>
      <Requests at={at} approvals={approvals} />
    </Section>
  )

/** The requests for approval of an environment: what each would do, and who decided. */
export const ApprovalsView = ({ at, offset }: { at: EnvironmentAt; offset: number }) => {
  const approvals = useQuery(approvalsQuery(at, offset))
  const { move } = useAddress()
  return (
    <Section
      title="Approvals"
      description="Risky changes wait for another person. An approval is for one change of one version of the policy, is used once, and ends after 24 hours."
      actions={<CommandHint command={svcCommand(at.tenant, ['gateway', 'approvals', at.environment])} />}
    >
      <Listing
        query={approvals}
        what="the approvals"
        one="request"
        onMove={move}
        empty={
          <Empty title="No requests yet">
            <p>A lower tier, a group that no longer blocks or a wide exception would be listed here.</p>
          </Empty>
        }
      >
        {(items) => <Requests at={at} approvals={items} />}
      </Listing>
    </Section>
  )
}
