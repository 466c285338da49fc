import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { CommandHint } from '../parts/copy.tsx'
import { Field, fieldError, Form, useChange } from '../parts/form.tsx'
import { claim, sessionQuery, signIn } from '../session.ts'
import { forgetLinkToken, linkToken } from './link-token.ts'

/** The frame of what is shown before anybody is signed in. */
export const Entrance = ({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) => {
  useEffect(() => {
    document.title = `${title} · svc`
  }, [title])
  return (
    <main className="mx-auto grid min-h-screen w-full max-w-md content-center gap-6 px-4 py-10">
      <p className="text-2xl font-bold tracking-tight text-accent">svc</p>
      <div className="card grid gap-5 p-6">
        <div className="grid gap-1">
          <h1 className="text-xl font-semibold">{title}</h1>
          <div className="text-soft">{lead}</div>
        </div>
        {children}
      </div>
    </main>
  )
}

/** Only a path of this application may be gone to after signing in: anything else would be an open redirect. */
const inside = (to: string | null): string => (to !== null && /^\/(?!\/|\\)/.test(to) ? to : '/')

export const SignInPage = ({ to }: { to: string | null }) => {
  const navigate = useNavigate()
  const session = useQuery(sessionQuery)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const change = useChange(async () => {
    await signIn(email, password)
    await navigate({ to: inside(to), replace: true })
  })
  if (session.data?.claimed === false) return <UnclaimedPage />
  return (
    <Entrance title="Sign in" lead="With the e-mail address and password of your account.">
      <Form
        onSubmit={() => void change.run()}
        error={change.error}
        actions={
          <Button type="submit" look="primary" busy={change.busy}>
            Sign in
          </Button>
        }
      >
        <Field
          label="E-mail address"
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          error={fieldError(change.error, 'email')}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          error={fieldError(change.error, 'password')}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Form>
    </Entrance>
  )
}

const UnclaimedPage = () => (
  <Entrance title="Nobody owns this service yet" lead="Its first user is made with the set-up link.">
    <p>
      The terminal in which the service was started shows the link. It works once and for 30 minutes; starting the
      service again prints a new one. From a shell on its machine:
    </p>
    <CommandHint command="svc user create you@example.com" />
  </Entrance>
)

export const ClaimPage = () => {
  const navigate = useNavigate()
  const token = linkToken()
  const session = useQuery(sessionQuery)
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const change = useChange(async () => {
    await claim(token ?? '', email, name, password)
    forgetLinkToken()
    await navigate({ to: '/', replace: true })
  })
  if (token === null) {
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
  return (
    <Entrance title="Take over this service" lead="You become its first user and the Owner of what is in it.">
      <Form
        onSubmit={() => void change.run()}
        error={change.error}
        actions={
          <Button type="submit" look="primary" busy={change.busy}>
            Create the account
          </Button>
        }
      >
        <Field
          label="Your name"
          autoComplete="name"
          required
          autoFocus
          value={name}
          error={fieldError(change.error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="E-mail address"
          type="email"
          autoComplete="username"
          required
          value={email}
          error={fieldError(change.error, 'email')}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label="Password"
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
          hint="At least 12 characters."
          value={password}
          error={fieldError(change.error, 'password')}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Form>
    </Entrance>
  )
}
