import { useState } from 'react'
import { repositoryHooksApi } from '../../../../src/api/repository-hooks.ts'
import type { Repository } from '../../../../src/api/repository-shapes.ts'
import { call } from '../../call.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Form, RadioField, SelectField, useForm } from '../../parts/form.tsx'
import { Facts } from '../../parts/page.tsx'
import { SecretWindow } from '../../parts/secret.tsx'
import { newSigningSecret } from '../../parts/signing-secret.ts'
import { providerNames } from '../git-providers/providers.ts'
import { refreshRepositories } from '../git-providers/queries.ts'
import { type RepositoryAt, repositoryParams } from './queries.ts'
import type { Hook } from './words.ts'

/** A secret to enter at the provider: shown once. */
export interface MadeHook {
  readonly hook: Hook
  readonly secret: string
}

interface Given {
  readonly at: RepositoryAt
  readonly onClose: () => void
  readonly onMade: (made: MadeHook) => void
}

type Creator = 'provider' | 'manual'

/** Receives the pushes of a repository: its account creates the webhook at the provider, or a person does. */
export const CreateHook = ({ at, repository, onClose, onMade }: Given & { repository: Repository }) => {
  const name = providerNames[repository.provider]
  const mayProvider = repository.linked_account_id !== null
  const [creator, setCreator] = useState<Creator>(mayProvider ? 'provider' : 'manual')
  const form = useForm({}, async () => {
    const secret = creator === 'manual' ? newSigningSecret() : null
    const { subscription } = await call(repositoryHooksApi.create, {
      params: repositoryParams(at),
      body: { create: creator, ...(secret === null ? {} : { secret }) },
    })
    if (secret === null) onClose()
    else onMade({ hook: subscription, secret })
    await refreshRepositories(at.tenant)
  })
  return (
    <Form change={form} submit="Create the webhook" onCancel={onClose}>
      <RadioField
        legend={`Who creates it at ${name}`}
        value={creator}
        options={[
          ...(mayProvider
            ? [
                {
                  value: 'provider' as const,
                  name: 'The linked account',
                  detail: 'Its token needs the scope for webhooks.',
                },
              ]
            : []),
          {
            value: 'manual',
            name: 'I create it',
            detail: 'You get the address and a secret, and enter both in the settings of the repository.',
          },
        ]}
        onChange={setCreator}
      />
    </Form>
  )
}

const graces = [
  { value: '300', name: '5 minutes' },
  { value: '3600', name: '1 hour' },
  { value: '86400', name: '24 hours' },
  { value: '604800', name: '7 days' },
] as const

/** Gives a webhook another secret. */
export const RotateHook = ({
  at,
  hook,
  onClose,
  onMade,
  onUnsynced,
}: Given & {
  hook: Hook
  /** Called where the provider still has the secret of before. */
  onUnsynced: (reason: string) => void
}) => {
  const [grace, setGrace] = useState<(typeof graces)[number]['value']>('86400')
  const isManual = hook.providerHookId === null
  const form = useForm({}, async () => {
    const secret = isManual ? newSigningSecret() : null
    const done = await call(repositoryHooksApi.rotate, {
      params: repositoryParams(at),
      body: { graceSeconds: Number(grace), ...(secret === null ? {} : { secret }) },
    })
    if (secret !== null) onMade({ hook: done.subscription, secret })
    else {
      if (!done.providerSecretSynced) onUnsynced(done.providerError ?? 'the provider rejected it')
      onClose()
    }
    await refreshRepositories(at.tenant)
  })
  return (
    <Form change={form} submit="Rotate the secret" onCancel={onClose}>
      <p className="text-soft">
        {isManual
          ? 'You get a new secret to enter at the provider.'
          : `The service gives ${providerNames[hook.provider]} a new secret.`}{' '}
        Until the end of the window deliveries with the previous secret are accepted too.
      </p>
      <SelectField label="Accept the previous secret for" value={grace} options={graces} onChange={setGrace} />
    </Form>
  )
}

const typeWords = { github: 'application/json', gitlab: 'JSON', bitbucket: 'JSON' } as const

/** What to enter at the provider. */
export const ShownHook = ({ made, onClose }: { made: MadeHook | null; onClose: () => void }) => (
  <SecretWindow
    title="Enter the webhook at the provider"
    secret={made?.secret ?? null}
    what="secret"
    kept="The service stores it encrypted."
    onClose={onClose}
  >
    {made === null ? null : (
      <Facts
        facts={[
          [
            'Address',
            <span key="url" className="inline-flex max-w-full items-start gap-1">
              <code className="min-w-0 font-mono text-xs break-all">{made.hook.url}</code>
              <CopyButton text={made.hook.url} what="the address" />
            </span>,
          ],
          ['Events', made.hook.provider === 'gitlab' ? 'Push events, tag push events' : 'Push'],
          ['Content type', typeWords[made.hook.provider]],
        ]}
      />
    )}
  </SecretWindow>
)
