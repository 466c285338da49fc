import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Fingerprint, KeyRound, Smartphone } from 'lucide-react'
import {
  type AuthenticatorSecret,
  passkeysApi,
  secondFactorsApi,
  type SecondFactors,
} from '../../../../src/api/second-factors.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { Snippet } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { CodeField } from '../../parts/code-fields.tsx'
import { PasswordField } from '../../parts/fields.tsx'
import { Field, Form, useForm } from '../../parts/form.tsx'
import { later } from '../../parts/later.tsx'
import { Read } from '../../parts/listing.tsx'
import { Moment, Section } from '../../parts/page.tsx'
import { SecretWindow, useCreatedSecret } from '../../parts/secret.tsx'
import { makePasskey, PasskeyFailure } from '../../parts/passkey.tsx'
import { PasswordFailure, WrongFailure } from '../../parts/states.tsx'
import { count } from '../../parts/text.ts'
import { queryClient } from '../../query-client.ts'
import { refreshIdentity } from '../../session.ts'

const factorsQuery = queryOptions({
  queryKey: ['second-factors'],
  queryFn: () => call(secondFactorsApi.show, {}),
})

/** Organizations that require one may be open from then on. */
const refresh = async (): Promise<void> => {
  await Promise.all([queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey }), refreshIdentity()])
}

const QrCode = later('the QR code', async () => (await import('./qr-code.tsx')).QrCode)

type ShowCodes = (codes: readonly string[] | null) => void

/** Asks for the password, then makes a change. */
const WithPassword = ({
  submit,
  look = 'primary',
  onCancel,
  work,
  children,
}: {
  submit: string
  look?: 'primary' | 'danger'
  onCancel: () => void
  work: (password: string) => Promise<unknown>
  children?: ReactNode
}) => {
  const form = useForm({ password: '' }, ({ password }) => work(password))
  return (
    <Form
      change={form}
      submit={submit}
      look={look}
      onCancel={onCancel}
      failure={(error) => <PasswordFailure error={error} wrong="Incorrect password." />}
    >
      {children ? <div className="grid gap-3 text-soft">{children}</div> : null}
      <PasswordField label="Your password" autoFocus {...form.bind('password', 'current_password')} />
    </Form>
  )
}

/** The second half of adding an app: the secret, and the code that it makes. */
const ConfirmApp = ({
  secret,
  showCodes,
  onCancel,
}: {
  secret: AuthenticatorSecret
  showCodes: ShowCodes
  onCancel: () => void
}) => {
  const form = useForm({ code: '' }, async ({ code }) => {
    const { recovery_codes: codes } = await call(secondFactorsApi.confirmApp, { body: { code } })
    await refresh()
    showCodes(codes)
  })
  return (
    <Form
      change={form}
      submit="Confirm"
      onCancel={onCancel}
      failure={(error) => (
        <WrongFailure
          error={error}
          wrong={{ 'second-factor-wrong': 'Wrong code. Is the clock of your phone right?' }}
        />
      )}
    >
      <p className="text-soft">Scan this code with your authenticator app, or type the secret into it.</p>
      <div className="justify-self-center">
        <QrCode text={secret.uri} label="QR code for the authenticator app" />
      </div>
      <Snippet text={secret.secret} what="the secret" />
      <CodeField label="Code that the app shows" autoFocus {...form.bind('code')} />
    </Form>
  )
}

const AddApp = ({ showCodes, onCancel }: { showCodes: ShowCodes; onCancel: () => void }) => {
  const [secret, setSecret] = useState<AuthenticatorSecret | null>(null)
  if (secret !== null) return <ConfirmApp secret={secret} showCodes={showCodes} onCancel={onCancel} />
  return (
    <WithPassword
      submit="Continue"
      onCancel={onCancel}
      work={async (password) =>
        setSecret(await call(secondFactorsApi.beginApp, { body: { current_password: password } }))
      }
    />
  )
}

const AddPasskey = ({ showCodes, onCancel }: { showCodes: ShowCodes; onCancel: () => void }) => {
  const form = useForm({ name: '', password: '' }, async ({ name, password }) => {
    const { ticket, options } = await call(passkeysApi.begin, { body: { current_password: password } })
    const made = await call(passkeysApi.add, { body: { ticket, name, passkey: await makePasskey(options) } })
    await refresh()
    showCodes(made.recovery_codes)
  })
  return (
    <Form
      change={form}
      submit="Add the passkey"
      onCancel={onCancel}
      failure={(error) => <PasskeyFailure error={error} />}
    >
      <p className="text-soft">
        Your browser keeps it on this device, in your password manager, or on a security key. It signs you in without
        your password too.
      </p>
      <Field
        label="Name"
        hint="For you to tell your passkeys apart, such as Laptop."
        maxLength={100}
        required
        autoFocus
        {...form.bind('name')}
      />
      <PasswordField label="Your password" {...form.bind('password', 'current_password')} />
    </Form>
  )
}

const RenamePasskey = ({ id, name, onClose }: { id: string; name: string; onClose: () => void }) => {
  const form = useForm({ name }, async (given) => {
    await call(passkeysApi.rename, { params: { passkey_id: id }, body: { name: given.name } })
    await refresh()
    onClose()
  })
  return (
    <Form change={form} submit="Rename" onCancel={onClose}>
      <Field label="Name" maxLength={100} required autoFocus {...form.bind('name')} />
    </Form>
  )
}

const Row = ({
  icon: Icon,
  name,
  detail,
  children,
}: {
  icon: typeof KeyRound
  name: string
  detail: ReactNode
  children: ReactNode
}) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
    <Icon size={18} className="shrink-0 text-soft" aria-hidden="true" />
    <div className="min-w-0 grow basis-48">
      <p className="font-medium">{name}</p>
      <p className="text-sm text-soft">{detail}</p>
    </div>
    <div className="flex flex-wrap gap-2">{children}</div>
  </li>
)

/** When something was added and last used. */
const Since = ({ added, used }: { added: string; used: string | null }) => (
  <>
    added <Moment at={added} />
    {used === null ? (
      ' · not used yet'
    ) : (
      <>
        {' '}
        · last used <Moment at={used} />
      </>
    )}
  </>
)

const PasskeyRow = ({ passkey }: { passkey: SecondFactors['passkeys'][number] }) => {
  const { open } = useAddress()
  return (
    <Row
      icon={Fingerprint}
      name={passkey.name}
      detail={
        <>
          passkey{passkey.synced ? ', synced between devices' : ''} ·{' '}
          <Since added={passkey.added_at} used={passkey.last_used_at} />
        </>
      }
    >
      <Button onClick={() => open('rename-passkey', passkey.id)}>
        Rename …<span className="sr-only"> {passkey.name}</span>
      </Button>
      <Button look="danger" onClick={() => open('remove-passkey', passkey.id)}>
        Remove …<span className="sr-only"> {passkey.name}</span>
      </Button>
    </Row>
  )
}

const AddPasskeyRow = () => {
  const { open } = useAddress()
  return (
    <Row icon={Fingerprint} name="Passkey" detail="Your fingerprint, your face, a PIN or a security key.">
      <Button onClick={() => open('add-passkey')}>Add …</Button>
    </Row>
  )
}

const AppRow = ({ app }: { app: SecondFactors['authenticator_app'] }) => {
  const { open } = useAddress()
  if (app === null)
    return (
      <Row icon={Smartphone} name="Authenticator app" detail="Shows a code of six digits every 30 seconds.">
        <Button onClick={() => open('add-app')}>Add …</Button>
      </Row>
    )
  return (
    <Row icon={Smartphone} name="Authenticator app" detail={<Since added={app.added_at} used={app.last_used_at} />}>
      <Button onClick={() => open('add-app')}>Replace …</Button>
      <Button look="danger" onClick={() => open('remove-app')}>
        Remove …
      </Button>
    </Row>
  )
}

const PasskeyDialogs = ({ passkeys, showCodes }: { passkeys: SecondFactors['passkeys']; showCodes: ShowCodes }) => {
  const { dialog, item, close } = useAddress()
  const passkey = passkeys.find((it) => it.id === item)
  return (
    <>
      <Window open={dialog === 'add-passkey'} title="Add a passkey" onClose={close}>
        <AddPasskey showCodes={showCodes} onCancel={close} />
      </Window>
      <Window open={dialog === 'rename-passkey' && passkey !== undefined} title="Rename the passkey" onClose={close}>
        {passkey ? <RenamePasskey id={passkey.id} name={passkey.name} onClose={close} /> : null}
      </Window>
      <Window
        open={dialog === 'remove-passkey' && passkey !== undefined}
        title={`Remove the passkey ${passkey?.name ?? ''}?`}
        onClose={close}
      >
        <WithPassword
          submit="Remove the passkey"
          look="danger"
          onCancel={close}
          work={async (password) => {
            const params = { passkey_id: passkey?.id ?? '' }
            await call(passkeysApi.remove, { params, body: { current_password: password } })
            await refresh()
            close()
          }}
        >
          <p>It is not accepted any more. Delete it in your browser or password manager too.</p>
        </WithPassword>
      </Window>
    </>
  )
}

const Dialogs = ({ passkeys }: { passkeys: SecondFactors['passkeys'] }) => {
  const { dialog, close } = useAddress()
  const codes = useCreatedSecret<string>()
  const showCodes: ShowCodes = (made) => (made === null ? close() : codes.show(made.join('\n')))
  return (
    <>
      <PasskeyDialogs passkeys={passkeys} showCodes={showCodes} />
      <Window open={dialog === 'add-app'} title="Add an authenticator app" onClose={close}>
        <AddApp showCodes={showCodes} onCancel={close} />
      </Window>
      <Window open={dialog === 'remove-app'} title="Remove the authenticator app?" onClose={close}>
        <WithPassword
          submit="Remove the app"
          look="danger"
          onCancel={close}
          work={async (password) => {
            await call(secondFactorsApi.removeApp, { body: { current_password: password } })
            await refresh()
            close()
          }}
        >
          <p>
            Codes of the app are not accepted any more. Without another second factor, your password alone signs you in.
          </p>
        </WithPassword>
      </Window>
      <Window open={dialog === 'new-codes'} title="Replace your recovery codes?" onClose={close}>
        <WithPassword
          submit="Replace the codes"
          onCancel={close}
          work={async (password) => {
            const made = await call(secondFactorsApi.renewCodes, { body: { current_password: password } })
            await refresh()
            showCodes(made.recovery_codes)
          }}
        >
          <p>The present codes end. The new ones are shown once.</p>
        </WithPassword>
      </Window>
      <SecretWindow
        title="Recovery codes"
        secret={codes.made}
        what="list of codes"
        kept="Each code signs you in once, in place of your second factor. The service stores only digests of them."
        onClose={codes.forget}
      />
    </>
  )
}

/** What signing in takes besides the password. */
export const SecondFactorSection = () => {
  const factors = useQuery(factorsQuery)
  const { open } = useAddress()
  return (
    <Section
      title="Second factor"
      anchor="second-factor"
      description="What signing in asks for besides your password. With one, knowing your password is not enough to get in."
      actions={<CommandHint command="svc auth second-factor show" />}
    >
      <Read query={factors} what="your second factors">
        {({ has_password: hasPassword, enabled, authenticator_app: app, passkeys, recovery_codes: codes }) =>
          hasPassword ? (
            <>
              <p className="flex items-center gap-2">
                {enabled ? <Badge tone="ok">on</Badge> : <Badge>off</Badge>}
                {enabled
                  ? 'Signing in with your password asks for a second factor.'
                  : 'Your password alone signs you in.'}
              </p>
              <ul className="card divide-y" aria-label="Second factors">
                {passkeys.map((it) => (
                  <PasskeyRow key={it.id} passkey={it} />
                ))}
                <AddPasskeyRow />
                <AppRow app={app} />
                {enabled ? (
                  <Row
                    icon={KeyRound}
                    name="Recovery codes"
                    detail={`${count(codes.left, 'code', 'codes')} left, for when you have no other second factor with you.`}
                  >
                    <Button onClick={() => open('new-codes')}>Replace …</Button>
                  </Row>
                ) : null}
              </ul>
            </>
          ) : (
            <p>You sign in at an identity provider. Set up the second factor there.</p>
          )
        }
      </Read>
      <Dialogs passkeys={factors.data?.passkeys ?? []} />
    </Section>
  )
}
