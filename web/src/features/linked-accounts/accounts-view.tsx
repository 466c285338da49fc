import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { type LinkedAccount, linkedAccountsApi } from '../../../../src/api/linked-accounts.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Read } from '../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Day, Moment, Toolbar } from '../../parts/page.tsx'
import { Empty, Failure, needs, Notice } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { ReplaceToken } from './link-account.tsx'
import {
  accountKindNames,
  accountName,
  accountParams,
  accountsQuery,
  accountTones,
  connect,
  repositoriesOfAccountQuery,
} from './accounts.ts'
import { refreshRepositories } from '../git-providers/queries.ts'
import { failureOf, providerNames } from '../git-providers/providers.ts'

/** What came of a visit to a provider, as the address says when the browser is back. */
const Returned = ({
  accounts,
  linked,
  error,
}: {
  accounts: readonly LinkedAccount[]
  linked: string
  error: string
}) => {
  const { filter, open } = useAddress()
  const close = <Button onClick={() => filter({ linked_account: '', error: '' })}>Close</Button>
  if (error !== '')
    return (
      <Notice tone="danger" title="The account was not linked" actions={close}>
        <p>{failureOf(error)} Connect again.</p>
      </Notice>
    )
  const made = accounts.filter(({ id }) => linked.split(',').includes(id))
  if (made.length === 0) return null
  return (
    <Notice
      tone="info"
      title={`Linked: ${made.map(accountName).join(', ')}`}
      actions={
        <span className="flex flex-wrap gap-2">
          <Button look="primary" onClick={() => open('new', made[0]?.id)}>
            Add a repository …
          </Button>
          {close}
        </span>
      }
    />
  )
}

const isUsed = ({ used_by: { repositories, bindings } }: LinkedAccount): boolean => repositories + bindings > 0

const usesWords = ({ used_by: { repositories, bindings } }: LinkedAccount): string =>
  [
    ...(repositories === 0 ? [] : [count(repositories, 'repository', 'repositories')]),
    ...(bindings === 0 ? [] : [count(bindings, 'binding', 'bindings')]),
  ].join(' and ')

const Expiry = ({ of: { expires_at: at, status } }: { of: LinkedAccount }) =>
  at === null ? null : (
    <span className={status === 'expiring' || status === 'expired' ? 'font-medium text-warn' : ''}>
      {status === 'expired' ? 'expired' : 'expires'} <Day at={at} />
    </span>
  )

interface AccountCalls {
  readonly isVerifying: boolean
  readonly onVerify: () => void
  readonly onConnect: () => void
}

const AccountActions = ({ account, isVerifying, onVerify, onConnect }: AccountCalls & { account: LinkedAccount }) => {
  const { open } = useAddress()
  const name = accountName(account)
  const isToken = account.kind === 'token'
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {account.status !== 'active' && isToken ? (
        <Button onClick={() => open('token', account.id)}>
          Replace the token …<span className="sr-only"> of {name}</span>
        </Button>
      ) : null}
      {account.status !== 'active' && !isToken ? (
        <Button onClick={onConnect}>
          Connect again<span className="sr-only"> {name}</span>
        </Button>
      ) : null}
      <Menu align="end" label={<span className="sr-only">Actions for {name}</span>}>
        <MenuItem onClick={() => open('new', account.id)}>Add a repository …</MenuItem>
        <MenuItem onClick={onVerify}>{isVerifying ? 'Verifying …' : 'Verify now'}</MenuItem>
        {isToken ? (
          <MenuItem onClick={() => open('token', account.id)}>Replace the token …</MenuItem>
        ) : (
          <MenuItem onClick={onConnect}>Connect again</MenuItem>
        )}
        <MenuLine />
        <MenuItem onClick={() => open('delete', account.id)}>Delete …</MenuItem>
      </Menu>
    </div>
  )
}

const AccountRow = ({
  account,
  may,
  isVerifying,
  onVerify,
  onConnect,
}: {
  account: LinkedAccount
  may: boolean
  isVerifying: boolean
  onVerify: () => void
  onConnect: () => void
}) => (
  <>
    <Row>
      <h2 className="truncate">
        <span className="font-semibold">{account.login}</span> <span className="text-soft">on {account.host}</span>
      </h2>
      <Badge tone={accountTones[account.status]}>{account.status}</Badge>
      <span className="truncate text-soft">
        {providerNames[account.provider]}, {accountKindNames[account.kind]}
      </span>
      <Badge>{account.owner.type === 'tenant' ? 'organization' : 'yours'}</Badge>
      <span className="truncate text-soft" title={account.scopes.join(', ')}>
        {isUsed(account) ? `used by ${usesWords(account)}` : 'not used yet'}
        <span className="sr-only"> Scopes: {account.scopes.join(', ')}</span>
      </span>
      <span className="truncate text-soft">
        <Expiry of={account} />
      </span>
      <span className="truncate text-soft">
        {account.last_verified_at ? (
          <>
            verified <Moment at={account.last_verified_at} />
          </>
        ) : null}
      </span>
      {may ? (
        <AccountActions account={account} isVerifying={isVerifying} onVerify={onVerify} onConnect={onConnect} />
      ) : (
        <span />
      )}
    </Row>
    {account.last_error ? (
      <li className="px-4 py-1.5 text-sm wrap-anywhere text-danger">
        {account.login}: {account.last_error}
      </li>
    ) : null}
  </>
)

/** What an account is used by, so that it cannot be deleted. */
const Uses = ({ tenant, account, onClose }: { tenant: string; account: LinkedAccount; onClose: () => void }) => {
  const repositories = useQuery(repositoriesOfAccountQuery(tenant, account.id))
  const { open } = useAddress()
  const { bindings } = account.used_by
  return (
    <Read query={repositories} what="its repositories">
      {(all) => (
        <>
          <p className="text-soft">
            The account reads {usesWords(account)}. Give them another account first. A token can be replaced without
            that.
          </p>
          <ul className="grid gap-1">
            {all.map(({ id, full_name: name }) => (
              <li key={id}>
                <Link
                  to="/t/$tenant/-/repositories/$repository/settings"
                  params={{ tenant, repository: id }}
                  className="link wrap-anywhere"
                >
                  {name}
                </Link>
              </li>
            ))}
            {bindings > 0 ? <li className="text-soft">{count(bindings, 'bound draft', 'bound drafts')}</li> : null}
          </ul>
          <div className="flex flex-wrap gap-3">
            <Button look="primary" onClick={() => open('token', account.id)}>
              Replace the token …
            </Button>
            <Button onClick={onClose}>Close</Button>
          </div>
        </>
      )}
    </Read>
  )
}

const AccountDialogs = ({ tenant, account }: { tenant: string; account: LinkedAccount | undefined }) => {
  const { dialog, close } = useAddress()
  if (account === undefined) return null
  const name = accountName(account)
  return (
    <>
      <Window open={dialog === 'token'} onClose={close} title={`Replace the token of ${name}`}>
        <ReplaceToken tenant={tenant} account={account} onClose={close} />
      </Window>
      <Window open={dialog === 'delete' && isUsed(account)} onClose={close} title={`${name} is used`}>
        <Uses tenant={tenant} account={account} onClose={close} />
      </Window>
      <DangerConfirmation
        open={dialog === 'delete' && !isUsed(account)}
        onClose={close}
        title={`Delete ${name}?`}
        action="Delete"
        onConfirm={async () => {
          await call(linkedAccountsApi.remove, { params: accountParams(tenant, account.id) })
          await refreshRepositories(tenant)
        }}
      >
        <p>
          Its token is deleted here. To make it invalid everywhere, delete it at {providerNames[account.provider]} too.
          This cannot be undone.
        </p>
      </DangerConfirmation>
    </>
  )
}

const NoAccounts = ({ may }: { may: boolean }) => {
  const { open } = useAddress()
  return (
    <Empty title="No linked accounts yet">
      <p>
        Public repositories need none. For private ones link an account of GitHub, GitLab or Bitbucket with a token.
      </p>
      {may ? (
        <Button look="primary" onClick={() => open('link')}>
          Link an account …
        </Button>
      ) : (
        <p>{needs('repositories:edit', 'Linking one')}</p>
      )}
    </Empty>
  )
}

/** The accounts of git providers: one's own and those of the organization. */
export const AccountsView = ({
  tenant,
  linked,
  error,
}: {
  tenant: string
  /** What a visit to a provider ended with: the ids of the linked accounts, or the code of an error. */
  linked: string
  error: string
}) => {
  const accounts = useQuery(accountsQuery(tenant))
  const identity = useQuery(identityQuery)
  const { item } = useAddress()
  const verify = useMutation({
    scope: { id: useId() },
    mutationFn: async (id: string) => {
      await call(linkedAccountsApi.verify, { params: accountParams(tenant, id) })
      await refreshRepositories(tenant)
    },
  })
  const again = useMutation({
    scope: { id: useId() },
    mutationFn: ({ provider, host, owner, kind }: LinkedAccount) =>
      connect(tenant, { provider, host, owner: owner.type, kind: kind === 'app' ? 'app' : 'oauth' }),
  })
  const mayEdit = holds(identity.data, tenant, 'repositories:edit')
  const mayShare = holds(identity.data, tenant, 'repositories:delete')
  const may = (it: LinkedAccount): boolean => (it.owner.type === 'tenant' ? mayShare : mayEdit)
  return (
    <>
      <Toolbar>
        <p className="max-w-[75ch] flex-1 basis-72 text-sm text-soft">
          Tokens are verified once a day. You are notified 14, 3 and 0 days before one expires.
        </p>
        <CommandHint command={svcCommand(tenant, ['account', 'list'])} />
      </Toolbar>
      {verify.error ? <Failure error={verify.error} /> : null}
      {again.error ? <Failure error={again.error} /> : null}
      <Returned accounts={accounts.data ?? []} linked={linked} error={error} />
      <Read query={accounts} what="the linked accounts">
        {(all) =>
          all.length === 0 ? (
            <NoAccounts may={mayEdit} />
          ) : (
            <List
              label="Linked accounts"
              columns="minmax(0,1.4fr) 6.5rem minmax(0,1fr) 6.5rem minmax(0,1.2fr) minmax(0,8.5rem) minmax(0,7rem) 13rem"
              heads={['Account', 'State', 'Kind', 'Owner', 'Used by', 'Ends', 'Verified']}
            >
              {all.map((account) => (
                <AccountRow
                  key={account.id}
                  account={account}
                  may={may(account)}
                  isVerifying={verify.isPending && verify.variables === account.id}
                  onVerify={() => verify.mutate(account.id)}
                  onConnect={() => again.mutate(account)}
                />
              ))}
            </List>
          )
        }
      </Read>
      {mayEdit ? <AccountDialogs tenant={tenant} account={accounts.data?.find(({ id }) => id === item)} /> : null}
    </>
  )
}
