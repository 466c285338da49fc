import { accountAuthorizationApi } from '../../src/api/account-authorization.ts'
import { type LinkedAccount, linkedAccountsApi } from '../../src/api/linked-accounts.ts'
import { SvcError } from '../../src/errors.ts'
import { renderAccount } from '../../cli/account/shared.ts'
import { command } from '../../cli/declare.ts'
import { pause } from '../../cli/pause.ts'
import { hostOption, providerArgument, providerOf } from '../../cli/provider/shared.ts'

const pauseMs = 2000

/** Newest verification of each account: authorizing again renews an account in place. */
const seenOf = (all: readonly LinkedAccount[]): ReadonlyMap<string, string | null> =>
  new Map(all.map(({ id, last_verified_at: at }) => [id, at]))

export default command({
  summary: 'Link an account: authorize the service at the git provider in a browser',
  description:
    'Prints an address and waits until you authorized the service there; no token is copied. Open it in a browser that is signed in to the service as you. Where the account is linked already, it is renewed. The operator sets this up for each provider with "svc provider oauth".',
  examples: [
    'svc account connect gitlab',
    'svc account connect github --app',
    'svc account connect github --host git.example.com --organization',
  ],
  arguments: [providerArgument],
  options: {
    ...hostOption,
    organization: { type: 'boolean', summary: 'link it for all members, not for yourself only' },
    app: {
      type: 'boolean',
      summary:
        'link the installations of the GitHub App of the service, for all members; it is installed first where it is not',
    },
    'no-wait': { type: 'boolean', summary: 'print the address and exit' },
  },
  dataSchema: {
    type: 'object',
    properties: {
      url: { type: 'string' },
      expires_at: { type: 'string' },
      account: { ...linkedAccountsApi.get.response, description: 'Only after waiting.' },
    },
  },
  async run({ args, options, connection, io, signal }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant() }
    const provider = providerOf(args.provider)
    const all = async () => (await call(linkedAccountsApi.list, { params, query: { limit: 200 } })).linked_accounts
    const before = seenOf(await all())
    const begun = await call(accountAuthorizationApi.authorize, {
      params: { ...params, provider },
      body: {
        host: options.host ?? null,
        return_to: '/app/',
        ...(options.app
          ? { kind: 'app' as const }
          : { owner: options.organization ? ('tenant' as const) : ('user' as const) }),
      },
    })
    if (options['no-wait']) return { data: begun, text: `${begun.url}\n` }
    const { host } = new URL(begun.url)
    const list = async () =>
      (await all()).filter((one) => one.host === host && one.kind === (options.app ? 'app' : 'oauth'))
    io.log.log(`Open in a browser that is signed in to the service:\n${begun.url}\nWaiting …`)
    const account = await waitFor(list, before, Date.parse(begun.expires_at), signal)
    return { data: { ...begun, account }, text: renderAccount(account) }
  },
})

/** @throws SvcError `account-authorization-expired` */
async function waitFor(
  list: () => Promise<readonly LinkedAccount[]>,
  before: ReadonlyMap<string, string | null>,
  until: number,
  signal: AbortSignal,
): Promise<LinkedAccount> {
  while (Date.now() < until) {
    await pause(pauseMs, signal)
    const found = (await list()).find((one) => before.get(one.id) !== one.last_verified_at)
    if (found !== undefined) return found
  }
  throw new SvcError('account-authorization-expired')
}
