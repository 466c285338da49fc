import { eq } from 'drizzle-orm'
import { repositoryHooks } from '../../db/tables.gen.ts'
import { gitProviders } from '../../src/api/linked-accounts.ts'
import { movesRefs, readDelivery, refIn } from '../../src/hooks/verify.ts'
import { SvcError } from '../../src/errors.ts'
import { addressOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { sourceVerdict } from './allowlist.ts'
import { Check, passBy } from './body.ts'
import { appOf, receiveFromApp } from './receive-app.ts'
import type { HookRow } from './row.ts'
import { assertHeard, refuse, type Refusal } from './refuse.ts'
import { takeDelivery } from './take.ts'

/** The largest body of GitHub, and some more. */
const mostBytes = 26 * 1024 * 1024
const mostWaitMs = 30_000

/** The secrets that verify now: the present one first. */
async function secretsOf(deps: Deps, row: HookRow, now: string): Promise<readonly string[]> {
  const isGrace = row.previousSecretId !== null && row.graceUntil !== null && row.graceUntil > now
  const ids = isGrace && row.previousSecretId !== null ? [row.secretId, row.previousSecretId] : [row.secretId]
  const opened = await deps.vault.open(deps.db.read, row.tenantId, 'repository-hook', ids)
  return ids.flatMap((id) => opened.get(id) ?? [])
}

const why: Readonly<Record<Refusal, string>> = {
  'bad-signature': 'its signature does not prove the secret',
  'ip-blocked': 'its address is not in the allowlist',
  'too-large': `its body is larger than ${mostBytes / 1024 / 1024} MiB`,
  'too-slow': `its body did not arrive within ${mostWaitMs / 1000} seconds`,
}

/**
 * Takes a delivery: the hook is known, then the address, then the signature, then whether it came before. The body is a hint: what
 * moved is read from the repository.
 * @throws SvcError `hook-unknown`, `refusals-exceeded`, `hook-ip`, `hook-signature`, `body-too-large`, `hook-too-slow`
 */
export async function receive(
  deps: Deps,
  to: { readonly provider: string; readonly token: string },
  request: Request,
): Promise<{ readonly success: boolean; readonly outcome: 'accepted' | 'duplicate' | 'ignored' }> {
  const provider = gitProviders.find((one) => one === to.provider)
  // The token is the only thing that a provider has: it belongs to one organization.
  const [row] = await deps.db.read.select().from(repositoryHooks).where(eq(repositoryHooks.token, to.token))
  if (provider === 'github' && !row) {
    const app = await appOf(deps, to.token)
    if (app !== null) return receiveFromApp(deps, app, request, { bytes: mostBytes, waitMs: mostWaitMs })
  }
  if (provider === undefined || !row || row.provider !== provider) throw new SvcError('hook-unknown')
  const address = addressOf(request)
  assertHeard(deps, row.id, address)
  const delivery = readDelivery(provider, request.headers, deps.clock.now())
  const about = { event: delivery.event, deliveryId: delivery.id, ref: null }
  const refused = (outcome: Refusal) => refuse(deps, row, { ...about, outcome }, { address, reason: why[outcome] })
  const source = await sourceVerdict(deps, row, address, request.headers.get('x-forwarded-for'))
  if (source === 'blocked') {
    await refused('ip-blocked')
    throw new SvcError('hook-ip')
  }
  const { proof } = delivery
  const checks =
    proof === null ? [] : (await secretsOf(deps, row, deps.clock.iso())).map((secret) => new Check(proof, secret))
  const passed = await passBy(request.body, checks, { bytes: mostBytes, waitMs: mostWaitMs })
  if (typeof passed === 'string') {
    await refused(passed)
    throw passed === 'too-large'
      ? new SvcError('body-too-large', { limit_bytes: mostBytes })
      : new SvcError('hook-too-slow', { seconds: String(mostWaitMs / 1000) })
  }
  // All of them are asked, so that the time does not say which secret it was.
  const right = checks.map((check) => check.isRight())
  if (!right.includes(true)) {
    await refused('bad-signature')
    throw new SvcError('hook-signature')
  }
  // A provider that still signs with the secret before did not take the present one.
  const state = right[0] === true || row.state === 'pending' ? 'active' : row.state
  const isHeard = movesRefs(provider, delivery.event)
  const outcome = await takeDelivery(deps, {
    row,
    entry: { ...about, ref: refIn(passed.beginning) },
    state,
    isWarned: source === 'warned',
    isHeard,
  })
  return { success: true, outcome }
}
