import { and, eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { linkedAccounts } from '../../db/tables.gen.ts'
import { type Principal, recordAudit } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import type { TokenSet } from '../hosting/door.ts'
import { schedule } from '../schedule/door.ts'
import { nextVerification } from './expiry.ts'
import type { AccountRow } from './record.ts'

/** What the columns of tokens become: the access token and the one that renews it go into the vault. */
export async function sealTokens(
  deps: Deps,
  tx: Transaction,
  tenantId: string,
  tokens: TokenSet,
): Promise<
  Pick<AccountRow, 'secretId' | 'refreshSecretId' | 'tokenExpiresAt' | 'renewingUntil'> &
    Partial<Pick<AccountRow, 'expiresAt'>>
> {
  const now = deps.clock.now()
  const seal = (secret: string) => deps.vault.seal(tx, { tenantId, purpose: 'linked-account', secret })
  const after = (seconds: number | null) => (seconds === null ? null : isoOf(now + seconds * 1000))
  const { refreshToken } = tokens
  const expires = after(tokens.expiresInSeconds)
  return {
    secretId: (await seal(tokens.token)).id,
    refreshSecretId: refreshToken === null ? null : (await seal(refreshToken)).id,
    tokenExpiresAt: expires,
    renewingUntil: null,
    // Without a token that renews it, the account ends with its token.
    expiresAt: refreshToken === null ? expires : after(tokens.refreshExpiresInSeconds),
  }
}

/** Forgets the secrets of an account as it was. */
export async function removeTokens(deps: Deps, tx: Transaction, row: AccountRow): Promise<void> {
  for (const id of [row.secretId, row.refreshSecretId]) if (id !== null) await deps.vault.remove(tx, row.tenantId, id)
}

/** Who an account is of, as the provider said. */
export type FoundAccount = Pick<
  AccountRow,
  'tenantId' | 'owner' | 'provider' | 'host' | 'kind' | 'login' | 'scopes' | 'installationId'
>

/**
 * Stores an account that a person authorized. One of the same owner and login is renewed in place, with what uses it.
 * @param tokens null for an App, whose tokens are made when they are needed
 * @throws SvcError `secret-key-missing`, `secret-key-unusable`
 */
export async function keepAccount(
  deps: Deps,
  actor: Principal & { readonly kind: 'user' },
  found: FoundAccount,
  tokens: TokenSet | null,
): Promise<AccountRow> {
  const { tenantId, owner, host, login, provider } = found
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`linked-account ${tenantId} ${owner} ${host} ${login}`)
    const [before] = await tx
      .select()
      .from(linkedAccounts)
      .where(
        inTenant(
          linkedAccounts,
          tenantId,
          and(eq(linkedAccounts.owner, owner), eq(linkedAccounts.host, host), eq(linkedAccounts.login, login)),
        ),
      )
    const none = {
      secretId: null,
      refreshSecretId: null,
      tokenExpiresAt: null,
      renewingUntil: null,
      expiresAt: null,
    }
    const row: AccountRow = {
      email: null,
      createdBy: `user:${actor.userId}`,
      createdAt: at,
      ...found,
      expiresAt: null,
      ...(tokens === null ? none : await sealTokens(deps, tx, tenantId, tokens)),
      id: before?.id ?? newId(),
      ...(before === undefined ? {} : { createdBy: before.createdBy, createdAt: before.createdAt }),
      status: 'active',
      lastVerifiedAt: at,
      lastError: null,
      noticedDays: null,
      updatedAt: at,
    }
    if (before === undefined) await tx.insert(linkedAccounts).values(row)
    else {
      await tx
        .update(linkedAccounts)
        .set(row)
        .where(inTenant(linkedAccounts, tenantId, eq(linkedAccounts.id, row.id)))
      await removeTokens(deps, tx, before)
    }
    await schedule(tx, 'account.verify', {
      subjectId: row.id,
      tenantId,
      at: nextVerification(deps.clock.now(), row.expiresAt),
    })
    const action = before === undefined ? 'linked-account.created' : 'linked-account.renewed'
    const detail = { provider, host, login, owner, kind: row.kind }
    await recordAudit(tx, { tenantId, actor, action, targetId: row.id, detail, at })
    return row
  })
}
