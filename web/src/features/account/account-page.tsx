import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { accountApi } from '../../../../src/api/account.ts'
import { authApi } from '../../../../src/api/auth.ts'
import { call } from '../../call.ts'
import { NewPasswordField, PasswordField } from '../../parts/fields.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Field, RadioField, Form, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { PasswordFailure } from '../../parts/states.tsx'
import { queryClient } from '../../query-client.ts'
import { identityQuery, type Membership, refreshIdentity, sessionQuery } from '../../session.ts'
import { setTheme, themes, useTheme } from '../../theme.ts'
import { SignIns } from './sign-ins.tsx'

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
    {memberships.map((it) => (
      <li key={it.tenant_id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
        <span className="min-w-0 grow wrap-anywhere">
          {it.status === 'active' ? (
            <Link to="/t/$tenant/-/home" params={{ tenant: it.slug }} className="link">
              {it.name}
            </Link>
          ) : (
            it.name
          )}
        </span>
        {it.status === 'active' ? null : <Badge tone={it.status === 'pending' ? 'info' : 'danger'}>{it.status}</Badge>}
        <Badge tone={it.role === 'owner' ? 'accent' : 'plain'}>{it.role}</Badge>
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
