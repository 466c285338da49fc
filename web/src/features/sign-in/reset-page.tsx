import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Entrance } from './entrance.tsx'
import { NewPasswordField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { resetPassword } from '../../session.ts'
import { forgetLinkToken, linkToken } from './link-token.ts'
import { passwordResetQuery } from './queries.ts'
import { SecondStep } from './second-step.tsx'
import { useSecondStep } from './use-second-step.ts'

const ResetForm = ({
  token,
  email,
  begin,
  onDone,
}: {
  token: string
  email: string
  begin: (work: () => Promise<void>) => Promise<boolean>
  onDone: () => Promise<unknown>
}) => {
  const form = useForm({ password: '' }, async ({ password }) => {
    if (await begin(() => resetPassword(token, password))) await onDone()
  })
  return (
    <Form change={form} submit="Set password">
      {/* For password managers: whose password it is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField autoFocus label="New password" {...form.bind('password')} />
    </Form>
  )
}

const Reset = ({ token }: { token: string }) => {
  const navigate = useNavigate()
  const reset = useQuery(passwordResetQuery(token))
  const { waiting, begin, cancel } = useSecondStep()
  const onDone = async () => {
    forgetLinkToken()
    await navigate({ to: '/', replace: true })
  }
  // The link is used up by then: its password is set.
  const toSignIn = () => {
    forgetLinkToken()
    cancel()
    void navigate({ to: '/sign-in', replace: true })
  }
  if (waiting) return <SecondStep waiting={waiting} onDone={onDone} onCancel={toSignIn} />
  if (reset.data)
    return (
      <Entrance
        title="Set a new password"
        lead={`For ${reset.data.email}. All other sessions and tokens of the account end.`}
      >
        <ResetForm token={token} email={reset.data.email} begin={begin} onDone={onDone} />
      </Entrance>
    )
  return (
    <Entrance title="Set a new password">
      {reset.isError ? <Failure error={reset.error} /> : <Loading what="the link" />}
    </Entrance>
  )
}

/** Where the link for a new password leads. */
export const ResetPage = () => {
  const token = linkToken()
  if (token !== null) return <Reset token={token} />
  return (
    <Entrance title="Set a new password" lead="This link is incomplete.">
      <p>A complete link ends in "#token=" and a long code. Ask the sender for the complete link.</p>
    </Entrance>
  )
}
