/** What the commands about linked accounts share. */
import type { LinkedAccount } from '../../src/api/linked-accounts.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { renderFacts, renderTable } from '../table.ts'

export const accountArgument = { name: 'id', required: true, summary: 'id of the linked account' } as const

export const tokenOption = {
  'token-stdin': { type: 'boolean', summary: 'read the token from standard input' },
  email: { type: 'string', placeholder: 'ADDRESS', summary: 'address of the account: API tokens of Bitbucket need it' },
} as const

/**
 * The token from the variable, or from the first line of standard input; never from the command line.
 * @throws SvcError `usage` where there is none
 */
export async function readToken({ io, env }: Invocation<unknown, unknown>, fromInput: boolean): Promise<string> {
  const given = fromInput
    ? new TextDecoder()
        .decode(await io.stdin())
        .split(/\r?\n/, 1)[0]
        ?.trim()
    : env.SVC_GIT_TOKEN?.trim()
  if (given !== undefined && given !== '') return given
  throw new SvcError('usage', { reason: 'Missing token: pipe it to --token-stdin, or set SVC_GIT_TOKEN' })
}

const ownerOf = ({ owner }: LinkedAccount): string => (owner.type === 'tenant' ? 'organization' : 'personal')

/** A linked account as lines. */
export const renderAccount = (it: LinkedAccount): string =>
  renderFacts([
    ['id', it.id],
    ['account', `${it.login} (${it.provider}, ${it.host})`],
    ['owner', ownerOf(it)],
    ['status', it.status],
    ['error', it.last_error],
    ['scopes', it.scopes.length === 0 ? null : it.scopes.join(', ')],
    ['expires', it.expires_at],
    ['verified', it.last_verified_at],
    ['used by', `${it.used_by.repositories} repositories, ${it.used_by.bindings} bindings`],
  ])

/** Linked accounts as a table. */
export const renderAccounts = (all: readonly LinkedAccount[]): string =>
  all.length === 0
    ? 'No linked accounts.\n'
    : renderTable(
        ['ID', 'HOST', 'LOGIN', 'OWNER', 'STATUS', 'EXPIRES'],
        all.map((it) => [it.id, it.host, it.login, ownerOf(it), it.status, it.expires_at ?? '-']),
      )
