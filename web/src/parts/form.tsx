import { useId, useState, type FormEvent, type InputHTMLAttributes, type ReactNode } from 'react'
import { ValidationError } from '../../../src/api/wire.ts'
import { Failure } from './states.tsx'

/** A labelled field. The hint and the error are read out with it. */
export const Field = ({
  label,
  hint,
  error,
  ...input
}: InputHTMLAttributes<HTMLInputElement> & { label: string; hint?: string; error?: string | undefined }) => {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].join(' ').trim()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        {...input}
        id={id}
        className="field"
        aria-invalid={error ? true : undefined}
        aria-describedby={described === '' ? undefined : described}
      />
      {hint ? (
        <p id={`${id}-hint`} className="text-xs text-soft">
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

/** What the service said about one field of the body, if it did. */
export const fieldError = (error: unknown, field: string): string | undefined =>
  error instanceof ValidationError ? error.entries.find((it) => it.loc.includes(field))?.msg : undefined

/** Runs a change once at a time and keeps what became of it. */
export const useChange = <A extends readonly unknown[]>(
  work: (...args: A) => Promise<unknown>,
): { run: (...args: A) => Promise<void>; busy: boolean; error: unknown; reset: () => void } => {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async (...args: A): Promise<void> => {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      await work(...args)
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
    }
  }
  return { run, busy, error, reset: () => setError(null) }
}

/** A form whose refusal stands above its buttons. */
export const Form = ({
  onSubmit,
  error,
  children,
  actions,
}: {
  onSubmit: () => void
  error: unknown
  children: ReactNode
  actions: ReactNode
}) => (
  <form
    className="grid gap-4"
    onSubmit={(event: FormEvent) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
    {error ? <Failure error={error} /> : null}
    <div className="flex flex-wrap items-center gap-3">{actions}</div>
  </form>
)
