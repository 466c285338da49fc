import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { applicationApi } from '../../../../src/api/application.ts'
import type { Output } from '../../../../src/api/endpoint.ts'
import { NameField, NewPasswordField, PasswordField } from '../../parts/fields.tsx'
import { Entrance } from '../../parts/entrance.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Failure, Loading, PasswordFailure } from '../../parts/states.tsx'
import { acceptInvitation } from '../../session.ts'
import { forgetLinkToken, linkToken } from './link-token.ts'
import { invitationQuery } from './queries.ts'

const JoinForm = ({ token, offer }: { token: string; offer: Output<typeof applicationApi.invitation> }) => {
  const navigate = useNavigate()
  const form = useForm({ name: '', password: '' }, async ({ name, password }) => {
    await acceptInvitation(token, offer.has_account ? null : name, password)
    forgetLinkToken()
    await navigate({ to: '/', replace: true })
  })
  return (
    <Form
      change={form}
      submit="Join"
      failure={(error) => <PasswordFailure error={error} wrong="Incorrect password." />}
    >
      {offer.has_account ? (
        <PasswordField hint="The password of your existing account." {...form.bind('password')} />
      ) : (
        <>
          <NameField {...form.bind('name')} />
          <NewPasswordField {...form.bind('password')} />
        </>
      )}
    </Form>
  )
}

const Acceptance = ({ token }: { token: string }) => {
  const invitation = useQuery(invitationQuery(token))
  const offer = invitation.data
  if (offer)
    return (
      <Entrance title={`Join ${offer.tenant_name}`} lead={`As ${offer.role}, with ${offer.email}.`}>
        <JoinForm token={token} offer={offer} />
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
