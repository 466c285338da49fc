import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useId, useState } from 'react'
import {
  type GitProvider,
  gitProviders,
  type LinkedAccount,
  linkedAccountsApi,
} from '../../../../src/api/linked-accounts.ts'
import { call } from '../../call.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { Field, Form, RadioField, useForm } from '../../parts/form.tsx'
import { Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { accountName, accountParams, connect } from './accounts.ts'
import { methodsQuery, refreshRepositories } from '../git-providers/queries.ts'
import { clouds, providerNames, type TokenKind, tokenKinds } from '../git-providers/providers.ts'

/** Where to create a token, and what to choose there. */
const Guidance = ({
  provider,
  kinds,
  kind,
  onKind,
}: {
  provider: GitProvider
  kinds: readonly TokenKind[]
  kind: TokenKind
  onKind: (id: string) => void
}) => (
  <div className="grid gap-3 rounded-lg bg-raised p-3">
    {kinds.length > 1 ? (
      <Choices
        label="Kind of token"
        value={kind.id}
        choices={kinds.map(({ id, name }) => ({ value: id, name }))}
        onChange={(next) => onKind(next ?? kind.id)}
      />
    ) : null}
    <dl className="grid gap-x-3 gap-y-1 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
      <dt className="text-soft">Needs</dt>
      <dd className="flex flex-wrap gap-1.5">
        {kind.scopes.map((it) => (
          <code key={it} className="rounded border bg-surface px-1.5 font-mono text-xs leading-5 break-all">
            {it}
          </code>
        ))}
      </dd>
      <dt className="text-soft">To receive pushes</dt>
      <dd className="flex flex-wrap gap-1.5">
        {kind.hookScopes.map((scope) => (
          <code
            key={scope}
            className="rounded border border-dashed bg-surface px-1.5 font-mono text-xs leading-5 break-all"
          >
            {scope}
          </code>
        ))}
        <span className="text-soft">(optional)</span>
      </dd>
    </dl>
    <a
      href={kind.url}
      target="_blank"
      rel="noreferrer"
      className={`${buttonClass()} w-fit max-w-full whitespace-normal!`}
    >
      Create one on {providerNames[provider]}
      <ExternalLink size={15} className="shrink-0" aria-label="(opens in a new tab)" />
    </a>
  </div>
)

/** The token and what belongs to it. */
const TokenFields = ({
  form,
  kind,
  focus = false,
}: {
  form: { bind: (name: 'token' | 'email') => Pick<Parameters<typeof Field>[0], 'value' | 'onChange' | 'error'> }
  kind: TokenKind
  focus?: boolean
}) => (
  <>
    {kind.needsEmail ? (
      <Field
        label="E-mail address of the account"
        type="email"
        autoComplete="off"
        required
        hint="API tokens of Bitbucket are used with it."
        {...form.bind('email')}
      />
    ) : null}
    <Field
      label="Token"
      type="password"
      autoComplete="off"
      spellCheck={false}
      required
      autoFocus={focus}
      hint="It is checked at the provider, stored encrypted, and never shown."
      {...form.bind('token')}
    />
  </>
)

const chosenKind = (kinds: readonly TokenKind[], id: string): TokenKind =>
  kinds.find((it) => it.id === id) ?? (kinds[0] as TokenKind)

const owners = [
  { value: 'user', name: 'Only you', detail: 'It works as long as you are a member of this organization.' },
  { value: 'tenant', name: 'The organization', detail: 'Every editor can add repositories with it.' },
] as const
type Owner = (typeof owners)[number]['value']

/** The ways to link an account without a token, where the operator set them up. */
const Connect = ({
  tenant,
  provider,
  host,
  methods,
  owner,
  mayShare,
}: {
  tenant: string
  provider: GitProvider
  host: string
  methods: readonly string[]
  owner: Owner
  mayShare: boolean
}) => {
  const begin = useMutation({
    scope: { id: useId() },
    mutationFn: (kind: 'oauth' | 'app') => connect(tenant, { provider, host, owner, kind }),
  })
  const name = providerNames[provider]
  // An App belongs to the organization.
  const ways = [
    ...(methods.includes('app') && mayShare ? [{ kind: 'app' as const, action: 'Install the GitHub App' }] : []),
    ...(methods.includes('oauth') ? [{ kind: 'oauth' as const, action: `Connect with ${name}` }] : []),
  ]
  if (ways.length === 0) return null
  return (
    <>
      <div className="grid justify-items-start gap-2">
        <span className="flex flex-wrap gap-2">
          {ways.map(({ kind, action }, index) => (
            <Button
              key={kind}
              look={index === 0 ? 'primary' : 'plain'}
              busy={begin.isPending || begin.isSuccess}
              onClick={() => begin.mutate(kind)}
            >
              {action}
            </Button>
          ))}
        </span>
        <p className="text-sm text-soft">
          {name} asks for your consent and sends you back: no token has to be copied.
          {ways[0]?.kind === 'app'
            ? ' The App belongs to the organization and reads the repositories that you choose there.'
            : ''}
        </p>
      </div>
      {begin.error ? <Failure error={begin.error} /> : null}
      <p className="border-t pt-3 text-sm font-medium">Or with a token</p>
    </>
  )
}

/** Links an account of a provider: by visiting it, or by a token. */
export const LinkAccount = ({ tenant, onClose }: { tenant: string; onClose: () => void }) => {
  const lists = useId()
  const identity = useQuery(identityQuery)
  const navigate = useNavigate()
  const [provider, setProvider] = useState<GitProvider>('github')
  const [kindId, setKind] = useState('')
  const [owner, setOwner] = useState<Owner>('user')
  const form = useForm({ host: '', token: '', email: '' }, async ({ host, token, email }) => {
    const made = await call(linkedAccountsApi.create, {
      params: { tenant_slug: tenant },
      body: {
        provider,
        token: token.trim(),
        owner,
        ...(host.trim() === '' ? {} : { host: host.trim() }),
        ...(kind.needsEmail ? { email: email.trim() } : {}),
      },
    })
    await refreshRepositories(tenant)
    await navigate({
      to: '/t/$tenant/-/repositories',
      params: { tenant },
      search: { dialog: 'new', item: made.id },
      replace: true,
    })
  })
  const kinds = tokenKinds(provider, form.values.host)
  const kind = chosenKind(kinds, kindId)
  const mayShare = holds(identity.data, tenant, 'repositories:delete')
  const known = useQuery(methodsQuery(tenant))
  const hosts = (known.data ?? []).filter((it) => it.provider === provider)
  const host = form.values.host.trim() === '' ? clouds[provider] : form.values.host.trim()
  const methods = hosts.find((it) => it.host === host)?.methods ?? []
  return (
    <Form change={form} submit="Link the account" disabled={form.values.token.trim() === ''} onCancel={onClose}>
      <Choices
        label="Provider"
        value={provider}
        choices={gitProviders.map((it) => ({ value: it, name: providerNames[it] }))}
        onChange={(next) => setProvider(gitProviders.find((it) => it === next) ?? provider)}
      />
      <Field
        label="Host"
        spellCheck={false}
        autoCapitalize="off"
        placeholder={clouds[provider]}
        list={`${lists}-hosts`}
        hint={`Leave empty for ${clouds[provider]}. A server of your own: HOST or HOST:PORT.`}
        {...form.bind('host')}
      />
      <datalist id={`${lists}-hosts`}>
        {hosts.map((it) => (
          <option key={it.host} value={it.host} />
        ))}
      </datalist>
      {mayShare ? <RadioField legend="Who it belongs to" value={owner} options={owners} onChange={setOwner} /> : null}
      <Connect tenant={tenant} provider={provider} host={host} methods={methods} owner={owner} mayShare={mayShare} />
      <Guidance provider={provider} kinds={kinds} kind={kind} onKind={setKind} />
      <TokenFields form={form} kind={kind} />
    </Form>
  )
}

/** Gives a linked account another token: what uses the account continues to work. */
export const ReplaceToken = ({
  tenant,
  account,
  onClose,
}: {
  tenant: string
  account: LinkedAccount
  onClose: () => void
}) => {
  const [kindId, setKind] = useState('')
  const kinds = tokenKinds(account.provider, account.host)
  const kind = chosenKind(kinds, kindId)
  const form = useForm({ token: '', email: '' }, async ({ token, email }) => {
    await call(linkedAccountsApi.replaceToken, {
      params: accountParams(tenant, account.id),
      body: { token: token.trim(), ...(kind.needsEmail ? { email: email.trim() } : {}) },
    })
    await refreshRepositories(tenant)
    onClose()
  })
  return (
    <Form change={form} submit="Replace the token" disabled={form.values.token.trim() === ''} onCancel={onClose}>
      <p className="text-soft wrap-anywhere">
        The new token must belong to {accountName(account)}. Repositories and bindings keep the account; only the token
        changes.
      </p>
      <Guidance provider={account.provider} kinds={kinds} kind={kind} onKind={setKind} />
      <TokenFields form={form} kind={kind} focus />
    </Form>
  )
}
