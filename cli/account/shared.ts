/** What the commands about linked accounts share. */
import type { LinkedAccount } from '../../src/api/linked-accounts.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { readFirstLine } from '../input/named-file.ts'
import { renderFacts } from '../table.ts'

export const accountArgument = { name: 'id', required: true, summary: 'id of the linked account' } as const

export const tokenOption = {
  'token-stdin': { type: 'boolean', field: null, summary: 'read the token from standard input' },
  email: { type: 'string', placeholder: 'ADDRESS', summary: 'address of the account: API tokens of Bitbucket need it' },
} as const

/**
 * The token from the variable, or from the first line of standard input; never from the command line.
 * @throws SvcError `usage` where there is none
 */
export async function readToken(from: Invocation): Promise<string> {
  const given = from.options['token-stdin'] === true ? await readFirstLine(from) : from.env.SVC_GIT_TOKEN?.trim()
  if (given !== undefined && given !== '') return given
  throw new SvcError('usage', { reason: 'Missing token: pipe it to --token-stdin, or set SVC_GIT_TOKEN' })
}

/** Who has a linked account. */
export const ownerOf = ({ owner }: LinkedAccount): string => (owner.type === 'tenant' ? 'organization' : 'personal')

/** A linked account as lines. */
export const renderAccount = (account: LinkedAccount): string =>
  renderFacts([
    ['id', account.id],
    ['account', `${account.login} (${account.provider}, ${account.host})`],
    ['owner', ownerOf(account)],
    ['status', account.status],
    ['error', account.last_error],
    ['scopes', account.scopes.length === 0 ? null : account.scopes.join(', ')],
    ['expires', account.expires_at],
    ['verified', account.last_verified_at],
    ['used by', `${account.used_by.repositories} repositories, ${account.used_by.bindings} bindings`],
  ])
