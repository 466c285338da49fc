import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { Window } from '../../parts/dialog.tsx'
import { MainAction } from '../../parts/main-action.tsx'
import { Page } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Tabs } from '../../routing/tabs.tsx'
import { LinkAccount } from '../linked-accounts/link-account.tsx'
import { useState } from 'react'
import type { LinkedAccount } from '../../../../src/api/linked-accounts.ts'
import { repositoriesApi } from '../../../../src/api/repositories.ts'
import { call } from '../../call.ts'
import { Choices } from '../../parts/choices.tsx'
import { Field, Form, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Picker } from '../../parts/picker.tsx'
import { Failure } from '../../parts/states.tsx'
import { accountName, accountRepositoriesQuery, accountsQuery } from '../linked-accounts/accounts.ts'
import { providerNames } from '../git-providers/providers.ts'
import { refreshRepositories } from '../git-providers/queries.ts'
import { repositoriesQuery } from './queries.ts'

/** A repository that an account can read, found by typing: its provider searches. */
const RepositoryPicker = ({
  tenant,
  account,
  value,
  onChoose,
}: {
  tenant: string
  account: LinkedAccount
  value: string
  onChoose: (name: string) => void
}) => {
  const [q, setQ] = useState('')
  const found = useQuery(accountRepositoriesQuery(tenant, account.id, q.trim()))
  const registered = useQuery(repositoriesQuery(tenant))
  const known = new Set((registered.data ?? []).filter(({ host }) => host === account.host).map((it) => it.full_name))
  const detailOf = (name: string, isPrivate: boolean, branch: string | null): string =>
    known.has(name) ? 'registered already' : [isPrivate ? 'private' : 'public', branch ?? 'empty'].join(' · ')
  return (
    <>
      <Picker
        label="Repository"
        value={value}
        options={(found.data?.repositories ?? []).map((it) => ({
          value: it.full_name,
          name: it.full_name,
          detail: detailOf(it.full_name, it.private, it.default_branch),
        }))}
        onChoose={onChoose}
        onSearch={setQ}
        placeholder={found.isPending ? 'Loading …' : `Search the repositories of ${account.login}`}
      />
      {found.error ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : null}
    </>
  )
}

const FromAccount = ({
  tenant,
  accounts,
  account,
  values,
  onChange,
}: {
  tenant: string
  accounts: readonly LinkedAccount[]
  account: LinkedAccount | undefined
  values: { readonly name: string }
  onChange: (changed: { account?: string; name?: string }) => void
}) => {
  const { open } = useAddress()
  if (account === undefined)
    return (
      <div className="grid justify-items-start gap-3 rounded-lg border border-dashed p-4 text-soft">
        <p>Private repositories are read with a linked account. None is linked yet.</p>
        <Button onClick={() => open('link')}>Link an account …</Button>
      </div>
    )
  return (
    <>
      <Picker
        label="Account"
        value={account.id}
        options={accounts.map((it) => ({
          value: it.id,
          name: accountName(it),
          detail: `${providerNames[it.provider]}, ${it.owner.type === 'tenant' ? 'of the organization' : 'yours'}`,
        }))}
        onChoose={(id) => onChange({ account: id, name: '' })}
      />
      <RepositoryPicker
        key={account.id}
        tenant={tenant}
        account={account}
        value={values.name}
        onChoose={(name) => onChange({ name })}
      />
    </>
  )
}

type Source = 'linked_account' | 'public_url'

const sources: readonly { readonly value: Source; readonly name: string }[] = [
  { value: 'linked_account', name: 'Of a linked account' },
  { value: 'public_url', name: 'Public URL' },
]

const AddForm = ({
  tenant,
  accounts,
  chosen,
  onClose,
}: {
  tenant: string
  accounts: readonly LinkedAccount[]
  chosen: string
  onClose: () => void
}) => {
  const navigate = useNavigate()
  const [source, setSource] = useState<Source>(accounts.length > 0 ? 'linked_account' : 'public_url')
  const form = useForm({ url: '', account: chosen, name: '' }, async ({ url, name }) => {
    const { repository } = await call(repositoriesApi.create, {
      params: { tenant_slug: tenant },
      body:
        source === 'public_url'
          ? { source, cloneUrl: url.trim() }
          : { source, linkedAccountId: account?.id ?? '', repositoryFullName: name },
    })
    await refreshRepositories(tenant)
    await navigate({ to: '/t/$tenant/-/repositories/$repository', params: { tenant, repository: repository.id } })
  })
  const { values, set } = form
  const account = accounts.find(({ id }) => id === values.account) ?? accounts[0]
  const isReady = source === 'public_url' ? values.url.trim() !== '' : account !== undefined && values.name !== ''
  return (
    <Form change={form} submit="Add the repository" disabled={!isReady} onCancel={onClose}>
      <Choices
        label="Where it comes from"
        value={source}
        choices={sources}
        onChange={(next) => setSource(sources.find(({ value }) => value === next)?.value ?? source)}
      />
      {source === 'public_url' ? (
        <Field
          label="URL"
          type="url"
          autoFocus
          spellCheck={false}
          placeholder="https://github.com/acme/specs"
          hint="The address of the repository, without credentials. The service reads it before it is added."
          {...form.bind('url', 'cloneUrl')}
        />
      ) : (
        <FromAccount tenant={tenant} accounts={accounts} account={account} values={values} onChange={set} />
      )}
    </Form>
  )
}

/** Registers a repository: by its public address, or one that a linked account can read. */
const AddRepository = ({
  tenant,
  account,
  onClose,
}: {
  tenant: string
  /** The account that is chosen at first; "" for the newest one. */
  account: string
  onClose: () => void
}) => {
  const accounts = useQuery(accountsQuery(tenant))
  return (
    <Read query={accounts} what="the linked accounts">
      {(all) => <AddForm tenant={tenant} accounts={all} chosen={account} onClose={onClose} />}
    </Read>
  )
}

/** The git repositories of an organization: the frame of its views. */
export const RepositoriesPage = ({ tenant }: { tenant: string }) => {
  const identity = useQuery(identityQuery)
  const { dialog, item, open, close } = useAddress()
  const may = holds(identity.data, tenant, 'repositories:edit')
  return (
    <Page
      title="Repositories"
      description="Git repositories whose API descriptions are imported, and imported again when they change."
      actions={may ? <Button onClick={() => open('link')}>Link an account …</Button> : null}
      main={may ? <MainAction onClick={() => open('new')}>Add a repository …</MainAction> : null}
    >
      <Tabs of="repositories" params={{ tenant }} />
      <Outlet />
      <Window open={dialog === 'new' && may} onClose={close} title="Add a repository">
        <AddRepository tenant={tenant} account={item ?? ''} onClose={close} />
      </Window>
      <Window open={dialog === 'link' && may} onClose={close} title="Link an account">
        <LinkAccount tenant={tenant} onClose={close} />
      </Window>
    </Page>
  )
}
