import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { SvcError } from '../../../../src/errors.ts'
import { Command } from '../../parts/commands.tsx'
import { EmailField, NameField, NewPasswordField, PasswordField } from '../../parts/fields.tsx'
import { Entrance, inside, IssuerLink } from './entrance.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Failure, PasswordFailure } from '../../parts/states.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { claim, sessionQuery, signIn } from '../../session.ts'
import { forgetLinkToken, linkToken } from './link-token.ts'
import { methodsQuery } from './queries.ts'
import { SecondStep } from './second-step.tsx'
import { useSecondStep } from './use-second-step.ts'

/** The organization that a path leads into: of several accounts of an address it says which one is meant. */
const tenantOf = (to: string | null): string | null =>
  /^\/(?:t|p|v1\/swagger)\/([a-z0-9-]{1,63})(?:[/?#]|$)/.exec(to ?? '')?.[1] ?? null

const UnclaimedPage = () => (
  <Entrance title="Set up svc" lead="Open the set-up link to create the administrator account.">
    <p>
      The link is printed where the service was started. It works once, for 30 minutes. Restart the service to get a new
      one, or run on its machine:
    </p>
    <Command command="svc user create you@example.com" />
  </Entrance>
)

const PasswordForm = ({
  tenant,
  begin,
  onDone,
}: {
  /** The organization that the person is on the way to. */
  tenant: string | null
  begin: (work: () => Promise<void>) => Promise<boolean>
  onDone: () => Promise<unknown>
}) => {
  const form = useForm({ email: '', password: '' }, async ({ email, password }) => {
    if (await begin(() => signIn(email, password, tenant))) await onDone()
  })
  return (
    <Form
      change={form}
      submit="Sign in"
      failure={(error) => <PasswordFailure error={error} wrong="Incorrect e-mail address or password." />}
    >
      <EmailField autoFocus {...form.bind('email')} />
      <PasswordField {...form.bind('password')} />
    </Form>
  )
}

/** What the way back from an issuer can say; why it was is for the log alone. */
const issuerCodes = ['oidc-not-configured', 'oidc-unavailable', 'oidc-refused', 'oidc-account-unknown'] as const

const issuerError = (code: string | null): SvcError | null => {
  const known = issuerCodes.find((it) => it === code)
  if (known) return new SvcError(known, { reason: 'see the log of the service' })
  return code === 'auth-rate-limited' ? new SvcError(code, { retry_after: 60 }) : null
}

const leadOf = (back: string | null, byPassword: boolean): { readonly lead?: string } => {
  if (back !== null) return { lead: 'The page that you opened is not public. Sign in to read it.' }
  return byPassword ? { lead: 'Use the e-mail address and password of your account.' } : {}
}

export const SignInPage = ({
  to,
  error,
  back,
}: {
  to: string | null
  error: string | null
  /** A page outside of the application that asked for it. */
  back: string | null
}) => {
  const session = useQuery(sessionQuery)
  const methods = useQuery(methodsQuery)
  const navigate = useNavigate()
  const { waiting, begin, cancel } = useSecondStep()
  const refused = issuerError(error)
  const issuer = methods.data?.oidc ?? null
  const byPassword = methods.data?.password ?? true
  if (session.data?.claimed === false) return <UnclaimedPage />
  const onDone = async () => {
    if (back !== null) location.replace(back)
    else await navigate({ to: inside(to), replace: true })
  }
  if (waiting) return <SecondStep waiting={waiting} onDone={onDone} onCancel={cancel} />
  return (
    <Entrance title="Sign in" {...leadOf(back, byPassword)}>
      {refused ? <Failure error={refused} /> : null}
      {byPassword ? <PasswordForm tenant={tenantOf(to ?? back)} begin={begin} onDone={onDone} /> : null}
      {methods.data?.passkeys && 'PublicKeyCredential' in window ? <PasskeyButton onDone={onDone} /> : null}
      {byPassword ? (
        <details className="text-sm">
          <summary className="w-fit cursor-pointer text-soft">Forgot your password?</summary>
          <div className="mt-2 grid gap-2">
            <p>An Owner or Admin of your organization creates a link for you under Members. It works once.</p>
            <p>The operator of the service creates one with:</p>
            <Command command="svc user reset you@example.com" />
          </div>
        </details>
      ) : null}
      {issuer ? (
        <div className="grid gap-3 border-t pt-5">
          <IssuerLink name={issuer.name} start={issuer.start_url} to={to} back={back} />
        </div>
      ) : null}
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
      <Entrance
        title="Create the administrator account"
        lead="You will be the first user and the Owner of everything in this service."
      >
        <ClaimForm token={token} />
      </Entrance>
    )
  if (session.data?.claimed === false) return <UnclaimedPage />
  return (
    <Entrance title="Set-up" lead="This link is incomplete or was used already.">
      <p>
        <Link to="/sign-in" className="link">
          Sign in
        </Link>{' '}
        with your account. If you have none, ask a member of your organization for an invitation.
      </p>
    </Entrance>
  )
}
