import { type ComponentProps, useEffect, useState } from 'react'
import { Field } from './form.tsx'
import { Search } from 'lucide-react'

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

/** A search box that reports its value once typing pauses; it shows the value of the address. */
export const SearchField = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (value: string) => void
}) => {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text), 200)
    return () => clearTimeout(timer)
    // Only what is typed starts the clock: `onChange` is a new function at every drawing.
  }, [text])
  return (
    <label className="relative block w-full md:w-64 print:hidden">
      <span className="sr-only">{label}</span>
      <Search size={16} aria-hidden="true" className="absolute top-2 left-2.5 text-faint" />
      <input
        type="search"
        className="field pl-8"
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  )
}
