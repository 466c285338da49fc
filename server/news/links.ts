/** Links in e-mail that are signed: whoever got the e-mail may stop it, or confirm the address, without signing in. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { inTenant, isTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { notificationSends, notificationTargets, tenants, users } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import type { Deps } from '../kit/door.ts'
import { Reply } from '../http/door.ts'
import { pageHeaders, plainPage } from '../web/door.ts'

type TargetRow = typeof notificationTargets.$inferSelect

export const linkPurposes = ['stop', 'confirm'] as const
export type LinkPurpose = (typeof linkPurposes)[number]

/** A key that signs the links of one target. */
export const newLinkKey = (): string => randomBytes(32).toString('base64url')

const signatureOf = (key: string, purpose: LinkPurpose, id: string, address: string): Buffer =>
  createHmac('sha256', key).update(`${purpose}|${id}|${address.toLowerCase()}`).digest()

/** The token of a link; a confirmation is of one address. */
export const linkToken = (key: string, purpose: LinkPurpose, id: string, address: string): string =>
  `${purpose}.${id}.${signatureOf(key, purpose, id, purpose === 'stop' ? '' : address).toString('base64url')}`

interface Followed {
  readonly purpose: LinkPurpose
  readonly target: TargetRow
  readonly address: string
  readonly organization: string
}

/** @throws SvcError `e-mail-link-void` */
async function readLink(read: Reader, token: string): Promise<Followed> {
  const [word, id = '', signature = ''] = token.split('.')
  const purpose = linkPurposes.find((one) => one === word)
  const [row] = await read
    .select({ target: notificationTargets, address: users.email, organization: tenants.name })
    .from(notificationTargets)
    .innerJoin(users, eq(users.id, notificationTargets.userId))
    .innerJoin(tenants, isTenant(notificationTargets.tenantId))
    .where(eq(notificationTargets.id, id))
  const key = row?.target.linkKey ?? null
  if (purpose === undefined || row === undefined || key === null) throw new SvcError('e-mail-link-void')
  const wanted = signatureOf(key, purpose, id, purpose === 'stop' ? '' : row.address)
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new SvcError('e-mail-link-void')
  return { purpose, ...row }
}

const reply = async (title: string, text: string, action: string): Promise<Reply> =>
  new Reply({
    headers: { ...pageHeaders([]), 'cache-control': 'no-store' },
    body: await plainPage(title, [text], action),
  })

const buttonOf = (name: string): string =>
  `<form method="post"><button type="submit" class="button">${name}</button></form>`
const openApplication = '<a class="button" href="/app/">Open svc</a>'

/**
 * The page of a link, with the button that follows it. Reading it changes nothing.
 * @throws SvcError `e-mail-link-void`
 */
export async function showLink(deps: Deps, token: string): Promise<Reply> {
  const { purpose, address, organization } = await readLink(deps.db.read, token)
  return purpose === 'stop'
    ? reply(
        'Stop this e-mail?',
        `No more news of ${organization} will be sent to ${address}.`,
        buttonOf('Stop this e-mail'),
      )
    : reply(
        'Confirm your address',
        `News of ${organization} will be sent to ${address}, as you choose.`,
        buttonOf('Confirm'),
      )
}

/**
 * Stops the e-mail of a person in one organization, or confirms their address. What waits is not sent once it is stopped.
 * @throws SvcError `e-mail-link-void`
 */
export async function followLink(deps: Deps, token: string): Promise<Reply> {
  const { purpose, address, organization } = await deps.db.inTransaction(async (tx) => {
    const followed = await readLink(tx, token)
    const { id, tenantId } = followed.target
    const set = followed.purpose === 'stop' ? { active: false } : { address: followed.address, active: true }
    await tx
      .update(notificationTargets)
      .set({ ...set, stopped: null, updatedAt: deps.clock.iso() })
      .where(inTenant(notificationTargets, tenantId, eq(notificationTargets.id, id)))
    if (followed.purpose === 'stop')
      await tx
        .delete(notificationSends)
        .where(inTenant(notificationSends, tenantId, eq(notificationSends.targetId, id)))
    return followed
  })
  return purpose === 'stop'
    ? reply(
        'No more e-mail',
        `News of ${organization} are not sent to ${address} any more. Under Notifications in the application you can switch e-mail on again.`,
        openApplication,
      )
    : reply(
        'Your address is confirmed',
        `News of ${organization} are sent to ${address}, as you choose under Notifications.`,
        openApplication,
      )
}
