import {
  type ChangeEvent,
  type FormEvent,
  type InputHTMLAttributes,
  type ReactNode,
  type RefObject,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react'
import { useMutation } from '@tanstack/react-query'
import { ValidationError } from '../../../src/api/wire.ts'
import { Button } from './button.tsx'
import { Failure } from './states.tsx'

interface Labelled {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
}

/** The frame of every field: its label, its hint and what was wrong with it, read out together. */
const Labelling = ({
  label,
  hint,
  error,
  children,
}: Labelled & { children: (names: { id: string; described: string | undefined }) => ReactNode }) => {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].join(' ').trim()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, described: described === '' ? undefined : described })}
      {hint ? (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      ) : null}
    </div>
  )
}

/**
 * What the browser says of a field when its form is submitted, shown below the field instead of in a bubble that goes
 * away. The first such field gets the focus.
 */
const useBrowserMessage = () => {
  const [message, setMessage] = useState<string>()
  const onInvalid = (event: FormEvent<HTMLInputElement>): void => {
    event.preventDefault()
    const field = event.currentTarget
    setMessage(field.validationMessage)
    if (field.form?.querySelector(':invalid:not(fieldset)') === field) field.focus()
  }
  return { message, onInvalid, forget: () => setMessage(undefined) }
}

export const Field = ({ label, hint, error, onChange, ...input }: InputHTMLAttributes<HTMLInputElement> & Labelled) => {
  const browser = useBrowserMessage()
  const wrong = browser.message ?? error
  return (
    <Labelling label={label} hint={hint} error={wrong}>
      {({ id, described }) => (
        <input
          {...input}
          id={id}
          className="field"
          onInvalid={browser.onInvalid}
          onChange={(event) => {
            browser.forget()
            onChange?.(event)
          }}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={described}
        />
      )}
    </Labelling>
  )
}

export const TextField = ({ label, hint, error, ...input }: TextareaHTMLAttributes<HTMLTextAreaElement> & Labelled) => (
  <Labelling label={label} hint={hint} error={error}>
    {({ id, described }) => (
      <textarea
        rows={3}
        {...input}
        id={id}
        className={`field ${input.className ?? ''}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={described}
      />
    )}
  </Labelling>
)

export interface Option<T extends string> {
  readonly value: T
  readonly name: string
  /** What choosing it means, in one line. */
  readonly detail?: string
}

export const SelectField = <T extends string>({
  label,
  hint,
  value,
  options,
  onChange,
}: {
  label: string
  hint?: ReactNode
  value: T
  options: readonly Option<T>[]
  onChange: (value: T) => void
}) => (
  <Labelling label={label} hint={hint}>
    {({ id, described }) => (
      <select
        id={id}
        className="field"
        aria-describedby={described}
        value={value}
        onChange={(event) => {
          const chosen = options.find((it) => it.value === event.target.value)
          if (chosen) onChange(chosen.value)
        }}
      >
        {options.map((it) => (
          <option key={it.value} value={it.value}>
            {it.name}
          </option>
        ))}
      </select>
    )}
  </Labelling>
)

/** A choice of one among a few, each with what it means. */
export const RadioField = <T extends string>({
  legend,
  value,
  options,
  onChange,
}: {
  legend: string
  value: T
  options: readonly Option<T>[]
  onChange: (value: T) => void
}) => {
  const name = useId()
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="option">
          <input type="radio" name={name} checked={value === option.value} onChange={() => onChange(option.value)} />
          <span className="grid">
            <span>{option.name}</span>
            {option.detail ? <span className="text-sm break-words text-soft">{option.detail}</span> : null}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

export const CheckField = ({
  checked,
  onChange,
  children,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}) => (
  <label className="flex items-baseline gap-2">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
    <span className="min-w-0">{children}</span>
  </label>
)

/** What the service said about one field of the body, if it did. */
export const fieldError = (error: unknown, field: string): string | undefined =>
  error instanceof ValidationError ? error.entries.find((it) => it.loc.includes(field))?.msg : undefined

/** The texts of a form and the change it makes with them. `bind` gives a field its value and what was wrong with it. */
export const useForm = <V extends Record<string, string>>(initial: V, work: (values: V) => Promise<unknown>) => {
  const [values, setValues] = useState(initial)
  const { mutate, isPending, error } = useMutation({ mutationFn: (given: V) => work(given), scope: { id: useId() } })
  const set = (changed: Partial<V>): void => setValues((before) => ({ ...before, ...changed }))
  /** `field` is the name in the body, where it is another one than here. */
  const bind = (name: keyof V & string, field: string = name) => ({
    value: values[name],
    error: fieldError(error, field),
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setValues((before) => ({ ...before, [name]: event.target.value })),
  })
  return { mutate: () => mutate(values), isPending, error, values, set, bind }
}

/** What a form needs of the mutation that it starts. */
export interface Submission {
  readonly mutate: () => void
  readonly isPending: boolean
  readonly error: unknown
}

/** A form whose error is shown above its buttons. */
export const Form = ({
  change,
  submit,
  look = 'primary',
  disabled = false,
  bar = false,
  onCancel,
  cancel = 'Cancel',
  cancelRef,
  note,
  failure = (error) => <Failure error={error} />,
  children,
}: {
  change: Submission
  /** The name of the submit button. */
  submit: string
  look?: 'primary' | 'plain' | 'danger'
  disabled?: boolean
  /** Keeps the buttons in sight at the end of the window, for a form that is longer than it. */
  bar?: boolean
  onCancel?: () => void
  cancel?: string
  /** The cancel button, for a dialog that focuses it. */
  cancelRef?: RefObject<HTMLButtonElement | null> | undefined
  /** Shown next to the buttons. */
  note?: ReactNode
  /** How an error is shown. */
  failure?: (error: unknown) => ReactNode
  children?: ReactNode
}) => (
  <form
    className="grid gap-4"
    onSubmit={(event: FormEvent) => {
      event.preventDefault()
      // A second press of the same button must not send the change twice.
      if (!change.isPending) change.mutate()
    }}
  >
    {children}
    {change.error ? failure(change.error) : null}
    <div className={bar ? 'save-bar' : 'flex flex-wrap items-center gap-3'}>
      <Button type="submit" look={look} busy={change.isPending} disabled={disabled}>
        {submit}
      </Button>
      {onCancel ? (
        <Button {...(cancelRef ? { ref: cancelRef } : {})} onClick={onCancel}>
          {cancel}
        </Button>
      ) : null}
      {note}
    </div>
  </form>
)
