import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { Laptop, Terminal } from 'lucide-react'
import { useId } from 'react'
import { accountApi, type SignInRecord } from '../../../../src/api/account.ts'
import { call } from '../../call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/count.ts'
import { DangerConfirmation } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { useAddress } from '../../parts/address.ts'
import { Moment, Section } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { queryClient } from '../../query-client.ts'
import { browserName } from './browser-name.ts'

const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: () => call(accountApi.signIns, {}),
})

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: signInsQuery.queryKey })

const SignInRow = ({ signIn }: { signIn: SignInRecord }) => {
  const end = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      await call(accountApi.endSignIn, { params: { sign_in_id: signIn.id } })
    },
    // One that ended elsewhere is gone from the list as well.
    onSettled: refresh,
  })
  const program = signIn.kind === 'program'
  const Icon = program ? Terminal : Laptop
  const name = program ? 'Command line or another program' : browserName(signIn.user_agent)
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Icon size={18} className="shrink-0 text-soft" aria-hidden="true" />
        <div className="min-w-0 grow basis-48">
          <p className="flex flex-wrap items-center gap-2 font-medium break-words">
            <span title={signIn.user_agent === '' ? undefined : signIn.user_agent}>{name}</span>
            {signIn.current ? <Badge tone="ok">this session</Badge> : null}
          </p>
          <p className="text-sm text-soft">
            {signIn.current ? null : (
              <>
                {program ? 'tokens renewed' : 'last used'} <Moment at={signIn.last_seen_at} /> ·{' '}
              </>
            )}
            {program ? null : (
              <>
                signed in <Moment at={signIn.created_at} /> ·{' '}
              </>
            )}
            ends <Moment at={signIn.expires_at} />
          </p>
        </div>
        {signIn.current ? null : (
          <Button busy={end.isPending} onClick={() => end.mutate()}>
            Sign out<span className="sr-only"> {name}</span>
          </Button>
        )}
      </div>
      {end.error ? <Failure error={end.error} /> : null}
    </li>
  )
}

/** Where the person is signed in, with a way to end each. */
export const SignIns = () => {
  const signIns = useQuery(signInsQuery)
  const { dialog, open, close } = useAddress()
  const others = (signIns.data?.items ?? []).filter((it) => !it.current).length
  return (
    <Section
      title="Where you are signed in"
      anchor="sign-ins"
      description="Browsers and programs. Sign out what you do not recognize, then change your password."
      actions={
        others > 1 ? (
          <Button look="danger" onClick={() => open('sign-out-others')}>
            Sign out all others …
          </Button>
        ) : null
      }
    >
      <Read query={signIns} what="your sign-ins">
        {({ items }) => (
          <ul className="card divide-y" aria-label="Sign-ins">
            {items.map((it) => (
              <SignInRow key={it.id} signIn={it} />
            ))}
          </ul>
        )}
      </Read>
      <DangerConfirmation
        open={dialog === 'sign-out-others'}
        title="Sign out everywhere else?"
        action="Sign out all others"
        onConfirm={async () => {
          await call(accountApi.endOthers, {})
          await refresh()
        }}
        onClose={close}
      >
        <p>
          {count(others, 'sign-in ends', 'sign-ins end')} immediately. A program keeps its access for 15 minutes at
          most. This session continues.
        </p>
      </DangerConfirmation>
    </Section>
  )
}
