import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { authApi } from '../../../../src/api/auth.ts'
import { call } from '../../call.ts'
import { NewPasswordField, PasswordField } from '../../parts/fields.tsx'
import { RadioField, Form, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { PasswordFailure } from '../../parts/states.tsx'
import { identityQuery } from '../../session.ts'
import { setTheme, themes, useTheme } from '../../theme.ts'

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

/** The person's own account: who they are here, how it looks, their password. */
export const AccountPage = () => {
  const identity = useQuery(identityQuery)
  const theme = useTheme()
  return (
    <Page title="Your account">
      <Read query={identity} what="your account">
        {({ user, memberships }) => (
          <Section title="You" actions={<CommandHint command="svc auth whoami" />}>
            <div className="card p-4">
              <Facts
                facts={[
                  ['Name', user?.name],
                  ['E-mail address', user?.email],
                  ['Organizations', memberships.map((it) => `${it.name} (${it.role})`).join(', ')],
                ]}
              />
            </div>
          </Section>
        )}
      </Read>
      <Section title="Appearance" description="Saved in this browser.">
        <div className="card max-w-xl p-4">
          <RadioField legend="Theme" value={theme} options={themes} onChange={setTheme} />
        </div>
      </Section>
      <Section title="Password" description="Changing it signs out your other sessions.">
        <div className="card max-w-xl p-4">
          <PasswordForm />
        </div>
      </Section>
    </Page>
  )
}
