import type { Input } from '../../../../src/api/endpoint.ts'
import { secondStepApi } from '../../../../src/api/second-factors.ts'
import { call } from '../../call.ts'
import { signWithPasskey } from '../../parts/passkey.tsx'
import { begin } from '../../session.ts'

/** Finishes a sign-in that was asked for a second factor. */
export const finishSignIn = async (body: Input<typeof secondStepApi.browser>['body']): Promise<void> =>
  begin(await call(secondStepApi.browser, { body }))

/** Signs in with a passkey: as the second factor of a sign-in with a ticket, or alone. */
export const finishWithPasskey = async (waiting: string | null): Promise<void> => {
  const body = waiting === null ? {} : { ticket: waiting }
  const { ticket, options } = await call(secondStepApi.passkey, { body })
  await finishSignIn({ ticket, passkey: await signWithPasskey(options) })
}
