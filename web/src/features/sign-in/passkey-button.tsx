import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { PasskeyFailure } from '../../parts/passkey.tsx'
import { finishWithPasskey } from './finish.ts'

/** Signing in without a password: the browser shows the passkeys that it has for this service. */
export const PasskeyButton = ({ onDone }: { onDone: () => Promise<unknown> }) => {
  const signIn = useMutation({
    mutationFn: async () => {
      await finishWithPasskey(null)
      await onDone()
    },
  })
  return (
    <div className="grid gap-3 border-t pt-5">
      <Button busy={signIn.isPending} onClick={() => signIn.mutate()}>
        <KeyRound size={16} aria-hidden="true" />
        Sign in with a passkey
      </Button>
      {signIn.error ? <PasskeyFailure error={signIn.error} /> : null}
    </div>
  )
}
