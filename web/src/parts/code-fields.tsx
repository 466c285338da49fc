import type { ComponentProps } from 'react'
import { Field } from './form.tsx'

type Given = Pick<ComponentProps<typeof Field>, 'value' | 'onChange' | 'error' | 'autoFocus'>

/** A code of an authenticator app. */
export const CodeField = ({ label = 'Code', ...given }: Given & { label?: string }) => (
  <Field
    label={label}
    autoComplete="one-time-code"
    inputMode="numeric"
    pattern="\s*\d{3}[\s\-]?\d{3}\s*"
    title="Six digits"
    maxLength={20}
    required
    {...given}
  />
)

export const RecoveryCodeField = (given: Given) => (
  <Field
    label="Recovery code"
    hint="One of the codes that you stored, such as abcd-efgh-ijkl-mnop. It works once."
    autoComplete="off"
    spellCheck={false}
    maxLength={40}
    required
    {...given}
  />
)
