import type { PasskeyAnswer, PasskeyRegistration } from '../../../src/api/second-factors.ts'
import { WrongFailure } from './states.tsx'

/** What the browser, or the person in front of it, said no to. */
class BrowserRefusal extends Error {}

const texts: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used: the question of the browser was cancelled, or took too long.',
  AbortError: 'No passkey was used: the question of the browser was cancelled.',
  InvalidStateError: 'This device or password manager has a passkey of your account already.',
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { name, message } = error as Error
    throw new BrowserRefusal(texts[name] ?? `The browser could not use a passkey: ${message}`)
  }
}

/** Has the browser make a passkey. */
export const makePasskey = async (options: unknown): Promise<PasskeyRegistration> => {
  const { startRegistration } = await import('@simplewebauthn/browser')
  type Options = Parameters<typeof startRegistration>[0]['optionsJSON']
  return (await asked(() => startRegistration({ optionsJSON: options as Options }))) as PasskeyRegistration
}

/** Has the browser sign with a passkey. */
export const signWithPasskey = async (options: unknown): Promise<PasskeyAnswer> => {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON']
  return (await asked(() => startAuthentication({ optionsJSON: options as Options }))) as PasskeyAnswer
}

/** What went wrong with a passkey. */
export const PasskeyFailure = ({ error }: { error: unknown }) =>
  error instanceof BrowserRefusal ? (
    <p role="alert" className="card px-5 py-4">
      {error.message}
    </p>
  ) : (
    <WrongFailure
      error={error}
      wrong={{
        'credentials-invalid': 'Incorrect password, or the account is disabled.',
        'sign-in-ticket-invalid': 'It took too long. Try again.',
      }}
    />
  )
