/** Where the news of a person go: the bell, e-mail and chats, with the rules of what goes there. */
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { notificationSends, notificationTargets, projects, users } from '../../db/tables.gen.ts'
import {
  type ChatService,
  type DigestSchedule,
  mostChats,
  type NotificationRule,
  type NotificationTarget,
  type StoredRule,
} from '../../src/api/notification-targets.ts'
import { notificationTypes, type NotificationType } from '../../src/api/notifications.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, inParts, personOf, recordAudit, tenantOf } from '../auth/door.ts'
import { checkUrl } from '../egress/door.ts'
import type { Deps } from '../kit/door.ts'
import { findProject } from '../records/door.ts'
import { schedule, unschedule } from '../schedule/door.ts'
import { isTimeZone, nextDigest, usualSchedule } from './digest-time.ts'
import { alwaysInBell, personalTypes } from './rules.ts'
import {
  findTarget,
  isConfirmed,
  lockTargets,
  type Owner,
  rowsFor,
  saveTarget,
  type TargetRow,
  usualTarget,
  waitingOf,
} from './target-rows.ts'

export const ownerOf = (grant: Grant): Owner => ({ tenantId: tenantOf(grant).id, userId: personOf(grant) })

const names = { bell: 'Bell', email: 'E-mail' } as const

const unfit = (target: string, reason: string): SvcError =>
  new SvcError('notification-target-unfit', { target, reason })

/** What describes the targets of one person. */
interface Around {
  readonly names: ReadonlyMap<string, NonNullable<NotificationRule['projects']>[number]>
  readonly waiting: ReadonlyMap<string, number>
  readonly person: { readonly email: string; readonly emailVerifiedAt: string | null }
}

async function aroundOf(read: Reader, { tenantId, userId }: Owner, rows: readonly TargetRow[]): Promise<Around> {
  const ids = [...new Set(rows.flatMap(({ rules }) => rules.flatMap((rule) => rule.projects ?? [])))]
  const found = new Map<string, NonNullable<NotificationRule['projects']>[number]>()
  for (const part of inParts(ids))
    for (const row of await read
      .select({ id: projects.id, slug: projects.slug, name: projects.name })
      .from(projects)
      .where(inTenant(projects, tenantId, inArray(projects.id, part))))
      found.set(row.id, row)
  const [person = { email: '', emailVerifiedAt: null }] = await read
    .select({ email: users.email, emailVerifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.id, userId))
  return { names: found, waiting: await waitingOf(read, tenantId), person }
}

const ruleOf = ({ type, projects: ids, tags }: StoredRule, { names: known }: Around): NotificationRule => ({
  type,
  projects: ids === null ? null : ids.flatMap((id) => known.get(id) ?? []),
  tags: tags === null ? null : [...tags],
})

function shown(row: TargetRow, around: Around): NotificationTarget {
  const { kind, userId } = row
  const isMail = kind === 'email'
  return {
    id: kind === 'chat' ? row.id : kind,
    kind,
    owner: userId === null ? 'organization' : 'me',
    name: kind === 'chat' ? (row.name ?? '') : names[kind],
    rules: row.rules
      .toSorted((a, b) => notificationTypes.indexOf(a.type) - notificationTypes.indexOf(b.type))
      .map((rule) => ruleOf(rule, around)),
    schedule: isMail ? (row.schedule ?? usualSchedule) : null,
    address: isMail ? around.person.email : null,
    confirmed: isMail ? isConfirmed(row, around.person) : null,
    service: row.service,
    host: row.host,
    active: row.active,
    stopped: row.stopped,
    waiting: around.waiting.get(row.id) ?? 0,
    last_at: row.lastAt,
    last_error: row.lastError,
  }
}

const present = async (read: Reader, owner: Owner, row: TargetRow): Promise<NotificationTarget> =>
  shown(row, await aroundOf(read, owner, [row]))

/** The caller's bell, e-mail and chats, then the chats of the organization. */
export async function listTargets(deps: Deps, grant: Grant) {
  const owner = ownerOf(grant)
  const { read } = deps.db
  const rows = await rowsFor(read, owner)
  const now = deps.clock.iso()
  const own = (kind: 'bell' | 'email') => rows.find((row) => row.kind === kind) ?? usualTarget(owner, kind, now)
  const chats = rows.filter(({ kind }) => kind === 'chat')
  const all = [
    own('bell'),
    own('email'),
    ...chats.filter(({ userId }) => userId !== null),
    ...chats.filter(({ userId }) => userId === null),
  ]
  const around = await aroundOf(read, owner, all)
  return {
    items: all.map((row) => shown(row, around)),
    mail: { available: deps.mail !== null, from: deps.mail?.from ?? null },
  }
}

function assertMayChange(grant: Grant, userId: string | null): void {
  const permission = 'webhooks:edit'
  if (userId === null && !grant.permissions.has(permission)) throw new SvcError('permission-denied', { permission })
}

/** Changes of the chats of an organization are recorded; what people choose for themselves concerns them alone. */
async function recordShared(
  deps: Deps,
  grant: Grant,
  tx: Transaction,
  action: 'chat.created' | 'chat.updated' | 'chat.deleted',
  row: TargetRow,
): Promise<void> {
  if (row.userId !== null) return
  const { tenantId, id: targetId, name } = row
  await recordAudit(tx, {
    tenantId,
    actor: grant.principal,
    action,
    targetId,
    detail: { name: name ?? '' },
    at: deps.clock.iso(),
  })
}

/** @throws SvcError `chat-url-invalid` */
function readChatUrl(text: string): URL {
  const refuse = (reason: string): never => {
    throw new SvcError('chat-url-invalid', { reason })
  }
  try {
    const url = checkUrl(text)
    return url.protocol === 'https:' ? url : refuse('it must begin with https://')
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'egress-denied') throw error
    return refuse(String((error.detail as { readonly reason?: unknown }).reason))
  }
}

const sealUrl = async (deps: Deps, tx: Transaction, tenantId: string, text: string) => {
  const { host } = readChatUrl(text.trim())
  const { id } = await deps.vault.seal(tx, { tenantId, purpose: 'chat-webhook', secret: text.trim() })
  return { secretId: id, host }
}

/**
 * Adds a channel of a chat; nothing goes there before it has rules.
 * @throws SvcError `permission-denied`, `chat-url-invalid`, `too-many-chats`, `secret-key-missing`
 */
export async function createChat(
  deps: Deps,
  grant: Grant,
  given: {
    readonly name: string
    readonly service: ChatService
    readonly url: string
    readonly owner?: 'me' | 'organization'
  },
): Promise<NotificationTarget> {
  const owner = ownerOf(grant)
  const userId = given.owner === 'organization' ? null : owner.userId
  assertMayChange(grant, userId)
  const { tenantId } = owner
  const row = await deps.db.inTransaction(async (tx) => {
    await lockTargets(tx, tenantId, userId)
    const ofOwner = userId === null ? isNull(notificationTargets.userId) : eq(notificationTargets.userId, userId)
    const used = await tx.$count(
      notificationTargets,
      inTenant(notificationTargets, tenantId, and(ofOwner, eq(notificationTargets.kind, 'chat'))),
    )
    if (used >= mostChats) throw new SvcError('too-many-chats', { max: mostChats })
    const made: TargetRow = {
      ...usualTarget(owner, 'bell', deps.clock.iso()),
      userId,
      kind: 'chat',
      rules: [],
      name: given.name.trim(),
      service: given.service,
      ...(await sealUrl(deps, tx, tenantId, given.url)),
    }
    await tx.insert(notificationTargets).values(made)
    await recordShared(deps, grant, tx, 'chat.created', made)
    return made
  })
  return present(deps.db.read, owner, row)
}

/** Changes a target in one transaction, which others wait for. */
async function change(
  deps: Deps,
  grant: Grant,
  ref: string,
  work: (tx: Transaction, row: TargetRow) => Promise<Partial<TargetRow>>,
): Promise<NotificationTarget> {
  const owner = ownerOf(grant)
  const now = deps.clock.iso()
  const row = await deps.db.inTransaction(async (tx) => {
    await lockTargets(tx, owner.tenantId, owner.userId)
    const before = await findTarget(tx, owner, ref, now)
    assertMayChange(grant, before.userId)
    if (before.userId === null) await lockTargets(tx, owner.tenantId, null)
    const saved = await saveTarget(tx, before, { ...(await work(tx, before)), updatedAt: now })
    await recordShared(deps, grant, tx, 'chat.updated', saved)
    return saved
  })
  return present(deps.db.read, owner, row)
}

export interface TargetChange extends Partial<DigestSchedule> {
  readonly name?: string
  readonly url?: string
  readonly active?: boolean
}

const scheduleFields = ['frequency', 'at', 'weekday', 'time_zone'] as const

function assertFits(row: TargetRow, { name, url, active, ...when }: TargetChange): void {
  const isScheduled = scheduleFields.some((field) => when[field] !== undefined)
  if (row.kind !== 'chat' && (name !== undefined || url !== undefined))
    throw unfit(row.kind, 'only a chat has a name and an address')
  if (row.kind !== 'email' && isScheduled) throw unfit(row.name ?? row.kind, 'only e-mail is sent at times')
  if (row.kind === 'bell' && active === false)
    throw unfit('bell', 'the bell cannot be switched off; remove rules instead')
  const { time_zone: zone } = when
  if (zone !== undefined && !isTimeZone(zone)) throw new SvcError('time-zone-unknown', { time_zone: zone })
}

/**
 * Changes when e-mail is sent, the name or address of a chat, or switches a target on or off. What waits follows the new times; of a target that
 * is switched off nothing waits any more.
 * @throws SvcError `notification-target-not-found`, `notification-target-unfit`, `permission-denied`, `chat-url-invalid`, `time-zone-unknown`
 */
export const updateTarget = (deps: Deps, grant: Grant, ref: string, given: TargetChange): Promise<NotificationTarget> =>
  change(deps, grant, ref, async (tx, row) => {
    assertFits(row, given)
    const { name, url, active, ...when } = given
    const set: Partial<TargetRow> = {}
    if (name !== undefined) set.name = name.trim()
    if (url !== undefined) {
      Object.assign(set, await sealUrl(deps, tx, row.tenantId, url), { failures: 0 })
      if (row.secretId !== null) await deps.vault.remove(tx, row.tenantId, row.secretId)
    }
    if (active !== undefined) Object.assign(set, { active, stopped: null, failures: 0 })
    if (active === false) await dropWaiting(tx, row)
    if (row.kind === 'email') {
      set.schedule = { ...(row.schedule ?? usualSchedule), ...when }
      const waits = await tx.$count(
        notificationSends,
        inTenant(notificationSends, row.tenantId, eq(notificationSends.targetId, row.id)),
      )
      if (waits > 0)
        await schedule(tx, 'news.send', {
          subjectId: row.id,
          tenantId: row.tenantId,
          at: nextDigest(set.schedule, deps.clock.now()),
        })
    }
    return set
  })

async function dropWaiting(tx: Transaction, { tenantId, id }: TargetRow): Promise<void> {
  await tx.delete(notificationSends).where(inTenant(notificationSends, tenantId, eq(notificationSends.targetId, id)))
  await unschedule(tx, 'news.send', id)
}

/** @throws SvcError `notification-target-not-found`, `notification-target-unfit`, `permission-denied` */
export async function removeTarget(deps: Deps, grant: Grant, ref: string): Promise<void> {
  const owner = ownerOf(grant)
  await deps.db.inTransaction(async (tx) => {
    const row = await findTarget(tx, owner, ref, deps.clock.iso())
    if (row.kind !== 'chat') throw unfit(ref, 'only a chat can be removed; remove the rules of the others')
    assertMayChange(grant, row.userId)
    await dropWaiting(tx, row)
    await tx
      .delete(notificationTargets)
      .where(inTenant(notificationTargets, row.tenantId, eq(notificationTargets.id, row.id)))
    if (row.secretId !== null) await deps.vault.remove(tx, row.tenantId, row.secretId)
    await recordShared(deps, grant, tx, 'chat.deleted', row)
  })
}

function assertRuleFits(row: TargetRow, type: NotificationType): void {
  if (row.userId === null && personalTypes.has(type))
    throw unfit(row.name ?? '', 'mentions and news of an account are of one person, never of an organization')
  if (row.kind === 'bell' && alwaysInBell.has(type)) throw unfit('bell', 'news of your account always reach the bell')
}

/**
 * Lets news of a type go to a target, of all projects or of some.
 * @throws SvcError `notification-target-not-found`, `notification-target-unfit`, `permission-denied`, `mail-unavailable`, `project-not-found`
 */
export const setRule = (
  deps: Deps,
  grant: Grant,
  ref: string,
  type: NotificationType,
  given: { readonly projects?: readonly string[]; readonly tags?: readonly string[] },
): Promise<NotificationTarget> =>
  change(deps, grant, ref, async (tx, row) => {
    assertRuleFits(row, type)
    if (row.kind === 'email' && deps.mail === null) throw new SvcError('mail-unavailable')
    const ids: string[] = []
    for (const project of given.projects ?? []) ids.push((await findProject(tx, row.tenantId, project)).id)
    const rule: StoredRule = {
      type,
      projects: ids.length === 0 ? null : [...new Set(ids)],
      tags: given.tags === undefined || given.tags.length === 0 ? null : [...given.tags],
    }
    return { rules: [...row.rules.filter((one) => one.type !== type), rule] }
  })

/** @throws SvcError `notification-target-not-found`, `notification-target-unfit`, `permission-denied` */
export const removeRule = (
  deps: Deps,
  grant: Grant,
  ref: string,
  type: NotificationType,
): Promise<NotificationTarget> =>
  change(deps, grant, ref, async (_, row) => {
    if (row.kind === 'bell') assertRuleFits(row, type)
    return { rules: row.rules.filter((one) => one.type !== type) }
  })
