import { useQuery } from '@tanstack/react-query'
import { type NewScimToken, type ScimToken, scimTokensApi } from '../../../../src/api/scim.ts'
import type { RoleSources } from '../../../../src/api/role-rules.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { CopyButton, svcCommand } from '../../parts/copy.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { ExpiryField } from '../../parts/expiry-field.tsx'
import { Field, Form, useForm } from '../../parts/form.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Facts, Moment, Section } from '../../parts/page.tsx'
import { SecretWindow, useCreatedSecret } from '../../parts/secret.tsx'
import { CreateButton, LastUsed } from '../keys/key-forms.tsx'
import { refreshGroups, tokensQuery } from './queries.ts'

/** The address that an identity provider sends to: on this service, where the operator set no public address. */
const addressOf = (url: string): string => new URL(url, location.origin).href

const Copied = ({ url }: { url: string }) => (
  <span className="-my-1 flex min-w-0 items-center gap-1">
    <code className="min-w-0 font-mono text-sm break-all">{addressOf(url)}</code>
    <CopyButton text={addressOf(url)} what="the address" />
  </span>
)

const TokenForm = ({
  tenant,
  onClose,
  onMade,
}: {
  tenant: string
  onClose: () => void
  onMade: (made: NewScimToken) => void
}) => {
  const form = useForm({ name: '', days: '365' }, async ({ name, days }) => {
    onMade(await call(scimTokensApi.create, { params: { tenant_slug: tenant }, body: { name, days: Number(days) } }))
    await refreshGroups(tenant)
  })
  return (
    <Form change={form} submit="Create token" onCancel={onClose}>
      <Field
        label="Name"
        required
        maxLength={100}
        hint="The identity provider that uses it, such as okta."
        {...form.bind('name')}
      />
      <ExpiryField
        days={form.values.days}
        most={730}
        never={false}
        field="days"
        error={form.error}
        onChange={(days) => form.set({ days })}
      />
    </Form>
  )
}

const TokenRow = ({ token, onRevoke }: { token: ScimToken; onRevoke: () => void }) => {
  const isOver = Date.parse(token.expires_at) <= Date.now()
  return (
    <Row>
      <h3 className="truncate font-semibold max-md:w-full" title={token.name}>
        {token.name}
      </h3>
      <code className="font-mono text-xs text-soft">{token.prefix}…</code>
      <LastUsed at={token.last_used_at} />
      <span className={isOver ? 'font-medium text-warn' : 'text-soft'}>
        <span className="md:sr-only">{isOver ? 'expired' : 'expires'} </span>
        <Moment at={token.expires_at} />
      </span>
      <span className="flex justify-end">
        <Button look="danger" onClick={onRevoke}>
          Revoke …<span className="sr-only"> {token.name}</span>
        </Button>
      </span>
    </Row>
  )
}

/** The directory that an identity provider sends: its address, how much came, and the tokens that it uses. */
export const DirectorySection = ({
  tenant,
  offset,
  directory,
}: {
  tenant: string
  offset: number
  directory: RoleSources['directory']
}) => {
  const tokens = useQuery(tokensQuery(tenant, offset))
  const { dialog, item, open, close, show: move } = useAddress()
  const { made, show, forget } = useCreatedSecret<NewScimToken>()
  const asked = tokens.data?.items.find((it) => it.id === item)
  return (
    <Section
      title="Directory (SCIM)"
      description="The identity provider sends its users and groups as they change. Who leaves the company loses access without signing in again."
      actions={
        <CreateButton may onClick={() => open('new-token')}>
          Create a token …
        </CreateButton>
      }
    >
      <CommandHint command={svcCommand(tenant, ['sign-in', 'scim', 'list'])} />
      <Facts
        facts={[
          ['Address', <Copied key="address" url={directory.url} />],
          ['Users', directory.users.toLocaleString()],
          ['Groups', directory.groups.toLocaleString()],
        ]}
      />
      <Listing
        query={tokens}
        what="the tokens"
        one="token"
        onMove={(at) => move({ tokens: at })}
        empty={
          <p className="card px-4 py-3 text-soft">
            No tokens. Create one, and store it with the address in the provisioning of your identity provider.
          </p>
        }
      >
        {(items) => (
          <List
            label="Tokens of the directory"
            columns="minmax(0,1fr) 8rem 9rem 9rem 6.5rem"
            heads={['Token', 'Begins with', 'Last used', 'Ends']}
          >
            {items.map((token) => (
              <TokenRow key={token.id} token={token} onRevoke={() => open('revoke', token.id)} />
            ))}
          </List>
        )}
      </Listing>
      <Window open={dialog === 'new-token'} onClose={close} title="Create a token for a directory">
        <TokenForm tenant={tenant} onClose={close} onMade={show} />
      </Window>
      <DangerConfirmation
        open={dialog === 'revoke' && asked !== undefined}
        onClose={close}
        title={`Revoke ${asked?.name ?? ''}?`}
        action="Revoke"
        onConfirm={async () => {
          await call(scimTokensApi.remove, { params: { tenant_slug: tenant, token_id: asked?.id ?? '' } })
          await refreshGroups(tenant)
        }}
      >
        <p>
          The identity provider that uses it can send nothing from then on. Users and groups that it sent stay as they
          are. This cannot be undone.
        </p>
      </DangerConfirmation>
      <SecretWindow
        title={made ? `Token "${made.name}"` : 'Token'}
        what="token"
        secret={made?.token ?? null}
        onClose={forget}
      >
        <p className="text-soft">Store it in the provisioning of your identity provider, with this address:</p>
        <Copied url={made?.url ?? ''} />
      </SecretWindow>
    </Section>
  )
}
