import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { CommandHint } from '../parts/copy.tsx'
import { EmailField, NameField, NewPasswordField, PasswordField } from '../parts/credentials.tsx'
import { Entrance } from '../parts/entrance.tsx'
import { Form, useForm } from '../parts/form.tsx'
import { claim, sessionQuery, signIn } from '../session.ts'
import { forgetLinkToken, linkToken } from './link-token.ts'

/** Only a path of this application may be gone to after signing in: anything else would be an open redirect. */
export const inside = (to: string | null): string => (to !== null && /^\/(?!\/|\\)/.test(to) ? to : '/')

const UnclaimedPage = () => (
  <Entrance title="Nobody owns this service yet" lead="Its first user is made with the set-up link.">
    <p>
      The terminal in which the service was started shows the link. It works once and for 30 minutes; starting the
      service again prints a new one. From a shell on its machine:
    </p>
    <CommandHint command="svc user create you@example.com" />
  </Entrance>
)

export const SignInPage = ({ to }: { to: string | null }) => {
  const navigate = useNavigate()
  const session = useQuery(sessionQuery)
  const form = useForm({ email: '', password: '' }, async ({ email, password }) => {
    await signIn(email, password)
    await navigate({ to: inside(to), replace: true })
  })
  if (session.data?.claimed === false) return <UnclaimedPage />
  return (
    <Entrance title="Sign in" lead="With the e-mail address and password of your account.">
      <Form change={form} submit="Sign in">
        <EmailField autoFocus {...form.bind('email')} />
        <PasswordField {...form.bind('password')} />
      </Form>
    </Entrance>
  )
}

const ClaimForm = ({ token }: { token: string }) => {
  const navigate = useNavigate()
  const form = useForm({ name: '', email: '', password: '' }, async ({ name, email, password }) => {
    await claim(token, email, name, password)
    forgetLinkToken()
    await navigate({ to: '/', replace: true })
  })
  return (
    <Form change={form} submit="Create the account">
      <NameField autoFocus {...form.bind('name')} />
      <EmailField {...form.bind('email')} />
      <NewPasswordField {...form.bind('password')} />
    </Form>
  )
}

export const ClaimPage = () => {
  const token = linkToken()
  const session = useQuery(sessionQuery)
  if (token !== null)
    return (
      <Entrance title="Take over this service" lead="You become its first user and the Owner of what is in it.">
        <ClaimForm token={token} />
      </Entrance>
    )
  if (session.data?.claimed === false) return <UnclaimedPage />
  return (
    <Entrance title="Set-up" lead="This link is not whole, or it was used already.">
      <p>
        <Link to="/sign-in" className="link">
          Sign in
        </Link>{' '}
        with your account. Without one, ask a member of a tenant for an invitation.
      </p>
    </Entrance>
  )
}
