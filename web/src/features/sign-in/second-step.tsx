import { useState } from 'react'
import type { FactorMethod } from '../../../../src/api/second-factors.ts'
import { SvcError } from '../../../../src/errors.ts'
import { CodeField, RecoveryCodeField } from '../../parts/code-fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { WrongFailure } from '../../parts/states.tsx'
import { PasskeyFailure } from '../../parts/passkey.tsx'
import { finishSignIn, finishWithPasskey } from './finish.ts'
import type { WaitingSignIn } from './use-second-step.ts'
import { Entrance } from './entrance.tsx'

const failureOf = (error: unknown) => (
  <WrongFailure
    error={error}
    wrong={{
      'second-factor-wrong': 'Wrong code, or it was used before.',
      'next-code-required':
        'Too many wrong codes were entered for this account. Enter the next code of the app as well.',
      'sign-in-ticket-invalid': 'This sign-in has expired. Cancel, then sign in again.',
    }}
  />
)

const AppCode = ({ ticket, onDone, onCancel }: StepProps) => {
  const [isPair, setPair] = useState(false)
  const form = useForm({ code: '', next: '' }, async ({ code, next }) => {
    try {
      await finishSignIn({ ticket, code, ...(isPair && { next_code: next }) })
    } catch (error) {
      if (error instanceof SvcError && error.code === 'next-code-required') setPair(true)
      throw error
    }
    await onDone()
  })
  return (
    <Form change={form} submit="Continue" onCancel={onCancel} failure={failureOf}>
      <CodeField label="Code of your authenticator app" autoFocus {...form.bind('code')} />
      {isPair && <CodeField label="Next code" autoFocus {...form.bind('next', 'next_code')} />}
    </Form>
  )
}

const Passkey = ({ ticket, onDone, onCancel }: StepProps) => {
  const form = useForm({}, async () => {
    await finishWithPasskey(ticket)
    await onDone()
  })
  return (
    <Form
      change={form}
      submit="Use a passkey"
      onCancel={onCancel}
      failure={(error) =>
        error instanceof SvcError && error.code === 'sign-in-ticket-invalid' ? (
          failureOf(error)
        ) : (
          <PasskeyFailure error={error} />
        )
      }
    >
      <p>Your browser asks for your fingerprint, your face, a PIN or a security key.</p>
    </Form>
  )
}

const RecoveryCode = ({ ticket, onDone, onCancel }: StepProps) => {
  const form = useForm({ code: '' }, async ({ code }) => {
    await finishSignIn({ ticket, recovery_code: code })
    await onDone()
  })
  return (
    <Form change={form} submit="Continue" onCancel={onCancel} failure={failureOf}>
      <RecoveryCodeField autoFocus {...form.bind('code', 'recovery_code')} />
    </Form>
  )
}

interface StepProps {
  readonly ticket: string
  readonly onDone: () => Promise<unknown>
  readonly onCancel: () => void
}

const others: Readonly<Record<FactorMethod, string>> = {
  totp: 'Use the authenticator app',
  passkey: 'Use a passkey',
  'recovery-code': 'Use a recovery code',
}
const forms = { passkey: Passkey, totp: AppCode, 'recovery-code': RecoveryCode } as const
/** Asks for the second factor of a sign-in: one of those that the person has, with a way to the others. */
export const SecondStep = ({ waiting, ...step }: { waiting: WaitingSignIn } & Omit<StepProps, 'ticket'>) => {
  const { methods } = waiting
  const [method, setMethod] = useState<FactorMethod>(methods[0] ?? 'recovery-code')
  const Chosen = forms[method]
  return (
    <Entrance title="Second factor" lead="Your password is right. Confirm that it is you.">
      <Chosen ticket={waiting.ticket} {...step} />
      {methods
        .filter((it) => it !== method)
        .map((it) => (
          <button key={it} type="button" className="link w-fit text-sm" onClick={() => setMethod(it)}>
            {others[it]}
          </button>
        ))}
      <details className="text-sm">
        <summary className="w-fit cursor-pointer text-soft">Lost your second factor?</summary>
        <p className="mt-2">
          Use a recovery code. Without one, ask the operator of the service: they can remove the second factors of your
          account.
        </p>
      </details>
    </Entrance>
  )
}
