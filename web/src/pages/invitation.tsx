import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { applicationApi } from '../../../src/api/application.ts'
import { call } from '../call.ts'
import { Button } from '../parts/button.tsx'
import { Field, fieldError, Form, useChange } from '../parts/form.tsx'
import { Failure, Loading } from '../parts/states.tsx'
import { acceptInvitation } from '../session.ts'
import { Entrance } from './entrance.tsx'
import { forgetLinkToken, linkToken } from './link-token.ts'

const invitationQuery = (token: string) =>
  queryOptions({
    // The token is no part of the key: keys can be looked at with developer tools.
    queryKey: ['invitation'],
    queryFn: () => call(applicationApi.invitation, { body: { token } }),
  })

const Acceptance = ({ token }: { token: string }) => {
  const navigate = useNavigate()
  const invitation = useQuery(invitationQuery(token))
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const offer = invitation.data
  const change = useChange(async () => {
    await acceptInvitation(token, offer?.has_account === false ? name : null, password)
    forgetLinkToken()
    await navigate({ to: '/', replace: true })
  })
  if (invitation.isError)
    return (
      <Entrance title="Invitation" lead="">
        <Failure error={invitation.error} />
      </Entrance>
    )
  if (!offer)
    return (
      <Entrance title="Invitation" lead="">
        <Loading what="the invitation" />
      </Entrance>
    )
  return (
    <Entrance title={`Join ${offer.tenant_name}`} lead={`As ${offer.role}, with ${offer.email}.`}>
      <Form
        onSubmit={() => void change.run()}
        error={change.error}
        actions={
          <Button type="submit" look="primary" busy={change.busy}>
            Join
          </Button>
        }
      >
        {offer.has_account ? null : (
          <Field
            label="Your name"
            autoComplete="name"
            required
            value={name}
            error={fieldError(change.error, 'name')}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <Field
          label="Password"
          type="password"
          autoComplete={offer.has_account ? 'current-password' : 'new-password'}
          required
          {...(offer.has_account
            ? { hint: 'The one of your account.' }
            : { minLength: 12, hint: 'At least 12 characters.' })}
          value={password}
          error={fieldError(change.error, 'password')}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Form>
    </Entrance>
  )
}

/** Where the link of an invitation leads. */
export const InvitationPage = () => {
  const token = linkToken()
  if (token === null)
    return (
      <Entrance title="Invitation" lead="This link is not whole.">
        <p>An invitation's link ends in “#token=” and a long word. Ask whoever sent it for the whole of it.</p>
      </Entrance>
    )
  return <Acceptance token={token} />
}
