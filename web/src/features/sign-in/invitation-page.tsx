import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { applicationApi } from '../../../../src/api/application.ts'
import type { Output } from '../../../../src/api/endpoint.ts'
import { NameField, NewPasswordField, PasswordField } from '../../parts/fields.tsx'
import { Entrance, IssuerLink } from './entrance.tsx'
import { Form, type Option, RadioField, useForm } from '../../parts/form.tsx'
import { Failure, Loading, PasswordFailure } from '../../parts/states.tsx'
import { acceptInvitation } from '../../session.ts'
import { forgetLinkToken, linkToken } from './link-token.ts'
import { invitationQuery, methodsQuery } from './queries.ts'
import { SecondStep } from './second-step.tsx'
import { useSecondStep } from './use-second-step.ts'

type Account = 'new' | 'existing'
type Offer = Output<typeof applicationApi.invitation>

// The service does not say whether the address has an account, so the person does.
const accounts: readonly Option<Account>[] = [
  { value: 'new', name: 'Create an account', detail: 'I have none with this address yet.' },
  {
    value: 'existing',
    name: 'Use my account',
    detail: 'I sign in with this address already. An account that another invitation created does not count.',
  },
]

const JoinForm = ({
  token,
  begin,
  onDone,
}: {
  token: string
  begin: (work: () => Promise<void>) => Promise<boolean>
  onDone: () => Promise<unknown>
}) => {
  const start = { account: 'new' as Account, name: '', password: '' }
  const form = useForm(start, async ({ account, name, password }) => {
    if (await begin(() => acceptInvitation(token, account === 'new' ? name : null, password))) await onDone()
  })
  return (
    <Form
      change={form}
      submit="Join"
      failure={(error) => <PasswordFailure error={error} wrong="Incorrect password, or no such account." />}
    >
      <RadioField
        legend="Account"
        value={form.values.account}
        options={accounts}
        onChange={(account) => form.set({ account })}
      />
      {form.values.account === 'existing' ? (
        <PasswordField {...form.bind('password')} />
      ) : (
        <>
          <NameField {...form.bind('name')} />
          <NewPasswordField {...form.bind('password')} />
        </>
      )}
    </Form>
  )
}

/** Anyone who signs in at the issuer has proven the address, and finds the invitation among the own organizations. */
const IssuerChoice = ({ offer }: { offer: Offer }) => {
  const issuer = useQuery(methodsQuery).data?.oidc ?? null
  if (issuer === null) return null
  return (
    <div className="grid gap-3 border-t pt-5">
      <p className="text-sm text-soft">
        Or sign in with {issuer.name} as {offer.email}, and accept the invitation under Your organizations.
      </p>
      <IssuerLink name={issuer.name} start={issuer.start_url} to="/?all=yes" />
    </div>
  )
}

const Acceptance = ({ token }: { token: string }) => {
  const navigate = useNavigate()
  const invitation = useQuery(invitationQuery(token))
  const { waiting, begin, cancel } = useSecondStep()
  const offer = invitation.data
  const onDone = async () => {
    forgetLinkToken()
    await navigate({ to: '/', replace: true })
  }
  if (waiting) return <SecondStep waiting={waiting} onDone={onDone} onCancel={cancel} />
  if (offer)
    return (
      <Entrance
        title={`Join ${offer.tenant_name}`}
        lead={`You were invited as ${offer.role}. Your sign-in is ${offer.email}.`}
      >
        <JoinForm token={token} begin={begin} onDone={onDone} />
        <IssuerChoice offer={offer} />
      </Entrance>
    )
  return (
    <Entrance title="Invitation">
      {invitation.isError ? <Failure error={invitation.error} /> : <Loading what="the invitation" />}
    </Entrance>
  )
}

/** Where the link of an invitation leads. */
export const InvitationPage = () => {
  const token = linkToken()
  if (token !== null) return <Acceptance token={token} />
  return (
    <Entrance title="Invitation" lead="This link is incomplete.">
      <p>A complete invitation link ends in "#token=" and a long code. Ask the sender for the complete link.</p>
    </Entrance>
  )
}
