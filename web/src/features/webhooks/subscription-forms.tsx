import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { type Subscription, webhooksApi } from '../../../../src/api/webhooks.ts'
import { SvcError } from '../../../../src/errors.ts'
import { call } from '../../call.ts'
import { browserHint } from '../../parts/error-hint.ts'
import { CheckField, Field, Form, RadioField, useForm } from '../../parts/form.tsx'
import { Moment } from '../../parts/page.tsx'
import { SecretWindow } from '../../parts/secret.tsx'
import { Failure } from '../../parts/states.tsx'
import { patchSubscription, refusalAt, refusedField } from './changes.ts'
import { bodyOfChoices, EventFields, limitsOf, useEventChoices } from './event-choices.tsx'
import { refreshWebhooks } from './queries.ts'
import { newSigningSecret, readSecretRef } from '../../parts/signing-secret.ts'

/** A secret that was made here and set at a subscription: shown once. */
export interface MadeSecret {
  readonly subscription: string
  readonly secret: string
  /** Whether the secret of before signs too for a day. */
  readonly isRotation: boolean
}

interface Given {
  readonly tenant: string
  readonly onClose: () => void
}

/** What was wrong is at its field: here is what to do about it. */
const failure = (error: unknown) =>
  error instanceof SvcError && refusedField(error) !== null ? (
    <p role="alert" className="text-sm text-danger">
      Not saved. {browserHint(error.code)}
    </p>
  ) : (
    <Failure error={error} />
  )

type Origin = 'new' | 'own'

/** Where the signing secret comes from: made here, or given. */
const SecretFields = ({
  origin,
  onOrigin,
  own,
}: {
  origin: Origin
  onOrigin: (origin: Origin) => void
  own: Pick<Parameters<typeof Field>[0], 'value' | 'onChange' | 'error'>
}) => (
  <>
    <RadioField
      legend="Signing secret"
      value={origin}
      options={[
        { value: 'new', name: 'Generate one', detail: '32 random bytes, shown once after saving.' },
        { value: 'own', name: 'Use my own', detail: 'For example one that several receivers share.' },
      ]}
      onChange={onOrigin}
    />
    {origin === 'own' ? (
      <Field
        label="Secret"
        type="password"
        autoComplete="off"
        required
        spellCheck={false}
        hint='"whsec_" and base64 of 24 to 64 bytes, or any other text of at least 24 bytes.'
        {...own}
      />
    ) : null}
  </>
)

const UrlField = (given: Pick<Parameters<typeof Field>[0], 'value' | 'onChange' | 'error'>) => (
  <Field
    label="URL"
    required
    inputMode="url"
    spellCheck={false}
    maxLength={2048}
    placeholder="https://hooks.example.com/svc"
    hint="https, without user name, password and fragment."
    {...given}
  />
)

const NameField = (given: Pick<Parameters<typeof Field>[0], 'value' | 'onChange'>) => (
  <Field label="Name" maxLength={80} hint="What people call it. Without one it is listed by its URL." {...given} />
)

export const CreateSubscription = ({
  tenant,
  onClose,
  onMade,
}: Given & {
  /** Called instead of opening the subscription where its secret has to be shown first. */
  onMade: (made: MadeSecret) => void
}) => {
  const navigate = useNavigate()
  const [origin, setOrigin] = useState<Origin>('new')
  const [active, setActive] = useState(true)
  const choices = useEventChoices(null)
  const form = useForm({ name: '', url: '', signingSecret: '' }, async (given) => {
    const secret = origin === 'new' ? newSigningSecret() : given.signingSecret
    const { id } = await call(webhooksApi.create, {
      params: { tenant_slug: tenant },
      body: {
        url: given.url,
        signingSecret: secret,
        active,
        ...(given.name.trim() === '' ? {} : { name: given.name.trim() }),
        ...limitsOf(choices.given),
      },
    })
    if (origin === 'new') onMade({ subscription: id, secret, isRotation: false })
    await refreshWebhooks(tenant)
    if (origin === 'own')
      await navigate({
        to: '/t/$tenant/-/webhooks/$subscription',
        params: { tenant, subscription: id },
        replace: true,
      })
  })
  return (
    <Form change={form} submit="Create" onCancel={onClose} failure={failure}>
      <UrlField {...form.bind('url')} error={refusalAt(form.error, 'url')} />
      <NameField {...form.bind('name')} />
      <EventFields tenant={tenant} of={choices} />
      <SecretFields
        origin={origin}
        onOrigin={setOrigin}
        own={{ ...form.bind('signingSecret'), error: refusalAt(form.error, 'signingSecret') }}
      />
      <CheckField checked={active} onChange={setActive}>
        Send events
      </CheckField>
    </Form>
  )
}

/** Changes what is not the secret; what was not touched is not sent. */
export const EditSubscription = ({ tenant, subscription, onClose }: Given & { subscription: Subscription }) => {
  const before = { url: subscription.url, name: subscription.name ?? '' }
  const choices = useEventChoices(subscription)
  const [chosenBefore] = useState(() => bodyOfChoices(choices.given))
  const form = useForm(before, async ({ url, name }) => {
    const chosen = bodyOfChoices(choices.given)
    const isChanged = (key: keyof typeof chosen): boolean =>
      JSON.stringify(chosen[key]) !== JSON.stringify(chosenBefore[key])
    await patchSubscription(
      { tenant, subscription: subscription.id },
      {
        ...(url === before.url ? {} : { url }),
        ...(name.trim() === before.name ? {} : { name: name.trim() === '' ? null : name.trim() }),
        ...(isChanged('minSeverity') ? { minSeverity: chosen.minSeverity } : {}),
        ...(isChanged('eventTypes') ? { eventTypes: chosen.eventTypes } : {}),
        ...(isChanged('projects') ? { projects: chosen.projects } : {}),
        ...(isChanged('keepAnswers') ? { keepAnswers: chosen.keepAnswers } : {}),
      },
    )
    onClose()
  })
  return (
    <Form change={form} submit="Save" onCancel={onClose} failure={failure}>
      <UrlField {...form.bind('url')} error={refusalAt(form.error, 'url')} />
      <NameField {...form.bind('name')} />
      <EventFields tenant={tenant} of={choices} />
    </Form>
  )
}

export const RotateSecret = ({
  tenant,
  subscription,
  onClose,
  onMade,
}: Given & { subscription: Subscription; onMade: (made: MadeSecret) => void }) => {
  const [origin, setOrigin] = useState<Origin>('new')
  const { previous } = readSecretRef(subscription.signingSecretRef)
  const form = useForm({ signingSecret: '' }, async (given) => {
    const secret = origin === 'new' ? newSigningSecret() : given.signingSecret
    await patchSubscription({ tenant, subscription: subscription.id }, { signingSecret: secret })
    if (origin === 'new') onMade({ subscription: subscription.id, secret, isRotation: true })
    else onClose()
  })
  return (
    <Form change={form} submit="Rotate the secret" onCancel={onClose} failure={failure}>
      <ol className="list-inside list-decimal text-soft">
        <li>The new secret is set. Deliveries have a signature of each secret for 24 hours.</li>
        <li>Update the receiver to use the new secret.</li>
        <li>After 24 hours the old secret no longer signs.</li>
      </ol>
      {previous ? (
        <p className="card border-warn bg-warn-wash px-4 py-3 text-warn">
          The secret before the current one still signs until <Moment at={previous.until} exact />. Another rotation
          ends it immediately.
        </p>
      ) : null}
      <SecretFields
        origin={origin}
        onOrigin={setOrigin}
        own={{ ...form.bind('signingSecret'), error: refusalAt(form.error, 'signingSecret') }}
      />
    </Form>
  )
}

/** The secret just made, with what to do with it. */
export const ShownSecret = ({ made, onClose }: { made: MadeSecret | null; onClose: () => void }) => (
  <SecretWindow
    title="Signing secret"
    what="secret"
    kept="The service keeps it encrypted and never shows it again."
    secret={made?.secret ?? null}
    onClose={onClose}
  >
    <p className="text-soft">
      {made?.isRotation
        ? 'Set it at the receiver within 24 hours: until then the old one signs too.'
        : 'Set it at the receiver, then send a test event.'}{' '}
      The examples under "Signatures" read it from the variable <code className="font-mono">SVC_WEBHOOK_SECRET</code>.
    </p>
  </SecretWindow>
)
