import type { ComponentProps } from 'react'
import { Field } from './form.tsx'

/** The name of something in addresses: it cannot be changed later. */
export const SlugField = (given: Given) => (
  <Field
    label="URL slug (optional)"
    hint="Lower-case letters, digits and hyphens. Default: generated from the name. It cannot be changed later."
    pattern="[a-z0-9]+(-[a-z0-9]+)*"
    spellCheck={false}
    {...given}
  />
)

type Given = Pick<ComponentProps<typeof Field>, 'value' | 'onChange' | 'error' | 'autoFocus' | 'hint'>

export const NameField = (given: Given) => <Field label="Your name" autoComplete="name" required {...given} />

export const EmailField = (given: Given) => (
  <Field label="E-mail address" type="email" autoComplete="username" required {...given} />
)

export const PasswordField = ({ label = 'Password', ...given }: Given & { label?: string }) => (
  <Field label={label} type="password" autoComplete="current-password" required {...given} />
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
