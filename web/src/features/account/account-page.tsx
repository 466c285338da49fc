import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { accountApi, type SignInRecord } from '../../../../src/api/account.ts'
import { authApi } from '../../../../src/api/auth.ts'
import { call } from '../../call.ts'
import { NewPasswordField, PasswordField } from '../../parts/fields.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Field, Form, RadioField, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { Facts, Moment, Page, Section } from '../../parts/page.tsx'
import { Failure, PasswordFailure } from '../../parts/states.tsx'
import { queryClient } from '../../query-client.ts'
import { identityQuery, type Membership, refreshIdentity, sessionQuery } from '../../session.ts'
import { setTheme, themes, useTheme } from '../../theme.ts'
import { Laptop, Terminal } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { DangerConfirmation } from '../../parts/dialog.tsx'
import { useAddress } from '../../parts/address.ts'
import { browserName } from './browser-name.ts'
import { SecondFactorSection } from './second-factors.tsx'

const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: () => call(accountApi.signIns, {}),
})

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: signInsQuery.queryKey })

const SignInRow = ({ signIn }: { signIn: SignInRecord }) => {
  const end = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      await call(accountApi.endSignIn, { params: { sign_in_id: signIn.id } })
    },
    // One that ended elsewhere is gone from the list as well.
    onSettled: refresh,
  })
  const program = signIn.kind === 'program'
  const Icon = program ? Terminal : Laptop
  const name = program ? 'Command line or another program' : browserName(signIn.user_agent)
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Icon size={18} className="shrink-0 text-soft" aria-hidden="true" />
        <div className="min-w-0 grow basis-48">
          <p className="flex flex-wrap items-center gap-2 font-medium break-words">
            <span title={signIn.user_agent === '' ? undefined : signIn.user_agent}>{name}</span>
            {signIn.current ? <Badge tone="ok">this session</Badge> : null}
          </p>
          <p className="text-sm text-soft">
            {signIn.current ? null : (
              <>
                {program ? 'tokens renewed' : 'last used'} <Moment at={signIn.last_seen_at} /> ·{' '}
              </>
            )}
            {program ? null : (
              <>
                signed in <Moment at={signIn.created_at} /> ·{' '}
              </>
            )}
            ends <Moment at={signIn.expires_at} />
          </p>
        </div>
        {signIn.current ? null : (
          <Button busy={end.isPending} onClick={() => end.mutate()}>
            Sign out<span className="sr-only"> {name}</span>
          </Button>
        )}
      </div>
      {end.error ? <Failure error={end.error} /> : null}
    </li>
  )
}

/** Where the person is signed in, with a way to end each. */
const SignIns = () => {
  const signIns = useQuery(signInsQuery)
  const { dialog, open, close } = useAddress()
  const others = (signIns.data?.items ?? []).filter((it) => !it.current).length
  return (
    <Section
      title="Where you are signed in"
      anchor="sign-ins"
      description="Browsers and programs. Sign out what you do not recognize, then change your password."
      actions={
        others > 1 ? (
          <Button look="danger" onClick={() => open('sign-out-others')}>
            Sign out all others …
          </Button>
        ) : null
      }
    >
      <Read query={signIns} what="your sign-ins">
        {({ items }) => (
          <ul className="card divide-y" aria-label="Sign-ins">
            {items.map((it) => (
              <SignInRow key={it.id} signIn={it} />
            ))}
          </ul>
        )}
      </Read>
      <DangerConfirmation
        open={dialog === 'sign-out-others'}
        title="Sign out everywhere else?"
        action="Sign out all others"
        onConfirm={async () => {
          await call(accountApi.endOthers, {})
          await refresh()
        }}
        onClose={close}
      >
        <p>
          {count(others, 'sign-in ends', 'sign-ins end')} immediately. A program keeps its access for 15 minutes at
          most. This session continues.
        </p>
      </DangerConfirmation>
    </Section>
  )
}

const PasswordForm = () => {
  const [done, setDone] = useState(false)
  const form = useForm({ current: '', next: '' }, async ({ current, next }) => {
    setDone(false)
    await call(authApi.password, { body: { current_password: current, new_password: next } })
    form.set({ current: '', next: '' })
    setDone(true)
  })
  return (
    <Form
      change={form}
      submit="Change password"
      failure={(error) => <PasswordFailure error={error} wrong="Incorrect current password." />}
      note={done ? <span role="status">Password changed. Your other sessions were signed out.</span> : null}
    >
      <PasswordField label="Current password" {...form.bind('current', 'current_password')} />
      <NewPasswordField label="New password" {...form.bind('next', 'new_password')} />
    </Form>
  )
}

const NameForm = ({ name, email }: { name: string; email: string }) => {
  const [done, setDone] = useState(false)
  const form = useForm({ name }, async (given) => {
    setDone(false)
    await call(accountApi.rename, { body: { name: given.name } })
    await Promise.all([refreshIdentity(), queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })])
    setDone(true)
  })
  const changed = form.values.name.trim()
  return (
    <Form
      change={form}
      submit="Save the name"
      look="plain"
      disabled={changed === '' || changed === name}
      note={done ? <span role="status">Name saved.</span> : null}
    >
      <Field
        label="Name"
        hint="Reviews, comments and the audit trail show it."
        autoComplete="name"
        maxLength={200}
        {...form.bind('name')}
      />
      <Facts facts={[['E-mail address', email]]} />
    </Form>
  )
}

const Memberships = ({ memberships }: { memberships: readonly Membership[] }) => (
  <ul className="card divide-y" aria-label="Organizations">
    {memberships.map((membership) => (
      <li key={membership.tenant_id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
        <span className="min-w-0 grow wrap-anywhere">
          {membership.status === 'active' ? (
            <Link to="/t/$tenant/-/home" params={{ tenant: membership.slug }} className="link">
              {membership.name}
            </Link>
          ) : (
            membership.name
          )}
        </span>
        {membership.status === 'active' ? null : (
          <Badge tone={membership.status === 'pending' ? 'info' : 'danger'}>{membership.status}</Badge>
        )}
        <Badge tone={membership.role === 'owner' ? 'accent' : 'plain'}>{membership.role}</Badge>
      </li>
    ))}
  </ul>
)

/** The person's own account: who they are here, where they are signed in, how it looks, their password. */
export const AccountPage = () => {
  const identity = useQuery(identityQuery)
  const theme = useTheme()
  return (
    <Page title="Your account" description="The same in all of your organizations.">
      <Read query={identity} what="your account">
        {({ user, memberships }) => (
          <>
            <Section title="Profile" anchor="profile" actions={<CommandHint command="svc auth whoami" />}>
              <div className="card max-w-xl p-4">{user ? <NameForm name={user.name} email={user.email} /> : null}</div>
            </Section>
            <Section
              title="Organizations"
              description="Your role in each. An Owner or Admin of it can change your role."
            >
              <Memberships memberships={memberships} />
            </Section>
          </>
        )}
      </Read>
      <SecondFactorSection />
      <SignIns />
      <Section title="Password" anchor="password" description="Changing it signs out your other sessions.">
        <div className="card max-w-xl p-4">
          <PasswordForm />
        </div>
      </Section>
      <Section title="Appearance" description="Saved in this browser.">
        <div className="card max-w-xl p-4">
          <RadioField legend="Theme" value={theme} options={themes} onChange={setTheme} />
        </div>
      </Section>
    </Page>
  )
}
