import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { deviceApprovalApi, type DeviceRequest } from '../../../../src/api/device.ts'
import { call } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { Field, Form, SelectField, useForm } from '../../parts/form.tsx'
import { Facts, Moment, Page } from '../../parts/page.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { identityQuery } from '../../session.ts'

/** The sign-in request behind a user code. It is read once: after the decision the code is unknown. */
export const deviceRequestQuery = (code: string) =>
  queryOptions({
    queryKey: ['device', code],
    queryFn: () => call(deviceApprovalApi.lookup, { body: { user_code: code } }),
    staleTime: Number.POSITIVE_INFINITY,
  })

const CodeForm = () => {
  const navigate = useNavigate()
  const form = useForm({ code: '' }, ({ code }) => navigate({ to: '/device', search: { user_code: code.trim() } }))
  return (
    <div className="card grid max-w-xl gap-4 p-6">
      <Form change={form} submit="Continue">
        <Field
          label="Code"
          required
          autoFocus
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          hint="The eight letters shown by the program, such as BCDF-GHJK."
          {...form.bind('code', 'user_code')}
        />
      </Form>
    </div>
  )
}

const Decided = ({ approved }: { approved: boolean }) => (
  <div role="status" className="card grid max-w-xl gap-2 p-6">
    <h2 className="font-semibold">{approved ? 'Device authorized' : 'Request denied'}</h2>
    <p className="text-soft">
      {approved
        ? 'The program continues automatically. You can close this page.'
        : 'The program got no access. If you did not start this sign-in, there is nothing more to do.'}
    </p>
  </div>
)

const Decision = ({ request }: { request: DeviceRequest }) => {
  const identity = useQuery(identityQuery)
  const tenants = (identity.data?.memberships ?? []).filter((it) => it.status === 'active')
  const [chosen, setChosen] = useState('')
  const [approved, setApproved] = useState<boolean | null>(null)
  const tenant = chosen || (tenants[0]?.slug ?? '')
  const decide = useMutation({
    scope: { id: useId() },
    mutationFn: async (approve: boolean) => {
      const { status } = await call(deviceApprovalApi.decide, {
        body: { user_code: request.user_code, approve, ...(approve && tenant !== '' ? { tenant } : {}) },
      })
      setApproved(status === 'approved')
    },
  })
  if (approved !== null) return <Decided approved={approved} />
  return (
    <div className="card grid max-w-xl gap-4 p-6">
      <p className="font-mono text-2xl font-semibold tracking-widest">{request.user_code}</p>
      <p>
        Does your program show this code? The program will be able to do everything you can do. Approve only a sign-in
        that you started.
      </p>
      <Facts
        facts={[
          ['Program', request.client_name],
          ['Requested from', request.address ?? 'an unknown address'],
          ['Requested', <Moment key="asked" at={request.created_at} exact />],
          ['Expires', <Moment key="ends" at={request.expires_at} exact />],
        ]}
      />
      {tenants.length > 1 ? (
        <SelectField
          label="Organization"
          hint="The organization the program works in at first."
          value={tenant}
          options={tenants.map((it) => ({ value: it.slug, name: it.name }))}
          onChange={setChosen}
        />
      ) : null}
      {decide.error ? <Failure error={decide.error} /> : null}
      <div className="flex flex-wrap gap-3">
        <Button look="primary" busy={decide.isPending} onClick={() => decide.mutate(true)}>
          Approve
        </Button>
        <Button look="danger" busy={decide.isPending} onClick={() => decide.mutate(false)}>
          Deny
        </Button>
      </div>
    </div>
  )
}

const Lookup = ({ code }: { code: string }) => {
  const navigate = useNavigate()
  const request = useQuery(deviceRequestQuery(code))
  if (request.data) return <Decision request={request.data} />
  if (!request.isError) return <Loading what="the sign-in" />
  return (
    <div className="grid max-w-xl gap-4">
      <Failure error={request.error} />
      <div>
        <Button onClick={() => void navigate({ to: '/device', search: {} })}>Enter another code</Button>
      </div>
    </div>
  )
}

/** Approves that a program on another device signs in as the user (RFC 8628). */
export const DevicePage = ({ code }: { code: string | null }) => (
  <Page title="Authorize a device" description="Sign in to a program, such as the command line, as yourself.">
    <CommandHint command="svc auth login" />
    {code === null ? <CodeForm /> : <Lookup key={code} code={code} />}
  </Page>
)
