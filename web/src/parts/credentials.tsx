import type { ComponentProps } from 'react'
import { Field } from './form.tsx'

type Given = Pick<ComponentProps<typeof Field>, 'value' | 'onChange' | 'error' | 'autoFocus' | 'hint'>

export const NameField = (given: Given) => <Field label="Your name" autoComplete="name" required {...given} />

export const EmailField = (given: Given) => (
  <Field label="E-mail address" type="email" autoComplete="username" required {...given} />
)

export const PasswordField = (given: Given) => (
  <Field label="Password" type="password" autoComplete="current-password" required {...given} />
)

export const NewPasswordField = ({ label = 'Password', ...given }: Given & { label?: string }) => (
  <Field
    label={label}
    type="password"
    autoComplete="new-password"
    required
    minLength={12}
    hint="At least 12 characters."
    {...given}
  />
)
