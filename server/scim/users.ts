/** Users of a directory: kept as they were sent, and settled as members. */
import { asc, eq, inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { scimGroups, scimMembers, scimUsers } from '../../db/tables.gen.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import { SvcError } from '../../src/errors.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { maxResources, selected } from '../../src/scim/answer.ts'
import { exactText, parseFilter } from '../../src/scim/filter.ts'
import { patchResource } from '../../src/scim/patch.ts'
import { addressOfUser, enterpriseUrn, readResource, userSchema, userUrn } from '../../src/scim/resource.ts'
import { inParts, recordAudit } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { leaveDirectory, type RuleDeps, settleDirectory } from '../role-rules/door.ts'
import { answerList, type AnswerTo, fitting, type ListQuery, pageOf } from './listing.ts'
import { fullOf, notFound, orInvalid } from './refusals.ts'
import type { Directory } from './tokens.ts'

/** What operations on a directory work with. */
export type ScimDeps = Deps & RuleDeps

type UserRow = typeof scimUsers.$inferSelect
type Groups = ReadonlyMap<string, readonly { readonly id: string; readonly name: string }[]>

/** The groups of users of a directory. */
async function groupsOf(read: Reader, tenantId: string, rows: readonly UserRow[]): Promise<Groups> {
  const found = new Map<string, { id: string; name: string }[]>()
  for (const part of inParts(rows.map(({ id }) => id))) {
    const memberOf = await read
      .select({ userId: scimMembers.userId, id: scimGroups.id, name: scimGroups.displayName })
      .from(scimMembers)
      .innerJoin(scimGroups, eq(scimGroups.id, scimMembers.groupId))
      .where(inTenant(scimMembers, tenantId, inArray(scimMembers.userId, part)))
      .orderBy(asc(scimGroups.displayName), asc(scimGroups.id))
    for (const { userId, id, name } of memberOf) found.set(userId, [...(found.get(userId) ?? []), { id, name }])
  }
  return found
}

function resourceOf(row: UserRow, groups: Groups, base: string): JsonObject {
  const own = groups.get(row.id) ?? []
  return {
    schemas: row.attributes[enterpriseUrn] === undefined ? [userUrn] : [userUrn, enterpriseUrn],
    id: row.id,
    ...row.attributes,
    active: row.active,
    ...(own.length === 0
      ? {}
      : { groups: own.map(({ id, name }) => ({ value: id, display: name, $ref: `${base}/Groups/${id}` })) }),
    meta: {
      resourceType: 'User',
      created: row.createdAt,
      lastModified: row.updatedAt,
      location: `${base}/Users/${row.id}`,
    },
  }
}

async function answerOf(read: Reader, row: UserRow, { base, selection }: AnswerTo): Promise<JsonObject> {
  return selected(userSchema, resourceOf(row, await groupsOf(read, row.tenantId, [row]), base), selection)
}

async function findUser(read: Reader, tenantId: string, id: string): Promise<UserRow> {
  const [row] = await read
    .select()
    .from(scimUsers)
    .where(inTenant(scimUsers, tenantId, eq(scimUsers.id, id)))
  if (row === undefined) throw notFound('user', id)
  return row
}

/**
 * The users that fit a filter, the oldest first.
 * @throws SvcError `scim-invalid`
 */
export async function listUsers(deps: ScimDeps, { tenantId }: Directory, query: ListQuery, base: string) {
  const { read } = deps.db
  const text = query.filter?.trim() ?? ''
  const filter = text === '' ? null : orInvalid(() => parseFilter(userSchema, text))
  const name = filter === null ? null : exactText(filter, 'userName')
  const externalId = filter === null ? null : exactText(filter, 'externalId')
  const isNamed = name === null ? undefined : eq(scimUsers.userName, name.toLowerCase())
  const isExternal = externalId === null ? undefined : eq(scimUsers.externalId, externalId)
  const rows = await read
    .select()
    .from(scimUsers)
    .where(inTenant(scimUsers, tenantId, isNamed, isExternal))
    .orderBy(asc(scimUsers.createdAt), asc(scimUsers.id))
  const asksGroups = filter !== null && JSON.stringify(filter).includes('"name":"groups"')
  const all: Groups = asksGroups ? await groupsOf(read, tenantId, rows) : new Map()
  const page = pageOf(await fitting(rows, filter, (row) => resourceOf(row, all, base)), query)
  const groups = await groupsOf(read, tenantId, page.items)
  const resources = page.items.map((row) => resourceOf(row, groups, base))
  return answerList(userSchema, page, resources, query)
}

/** @throws SvcError `scim-not-found` */
export const getUser = async (deps: ScimDeps, { tenantId }: Directory, id: string, to: AnswerTo) =>
  answerOf(deps.db.read, await findUser(deps.db.read, tenantId, id), to)

/** What is kept of a user beside what was sent. */
const columnsOf = (attributes: JsonObject) => ({
  attributes,
  userName: String(attributes['userName']).toLowerCase(),
  externalId: typeof attributes['externalId'] === 'string' ? attributes['externalId'] : null,
  email: addressOfUser(attributes),
  active: attributes['active'] !== false,
})

/** @throws SvcError `scim-taken` */
async function assertFree(tx: Transaction, { tenantId, userName, id }: UserRow): Promise<void> {
  const [same] = await tx
    .select({ id: scimUsers.id })
    .from(scimUsers)
    .where(inTenant(scimUsers, tenantId, eq(scimUsers.userName, userName)))
  if (same !== undefined && same.id !== id) throw new SvcError('scim-taken', { user: userName })
}

async function note(tx: Transaction, { token }: Directory, action: AuditAction, row: UserRow, at: string) {
  const detail = { user: row.userName, token }
  await recordAudit(tx, { tenantId: row.tenantId, actor: null, action, targetId: row.userId ?? row.id, detail, at })
}

/**
 * Adds a user. Whose account it is shows when a person signs in who has proven the address.
 * @throws SvcError `scim-invalid`, `scim-taken`
 */
export function createUser(deps: ScimDeps, directory: Directory, body: unknown, to: AnswerTo): Promise<JsonObject> {
  const { tenantId } = directory
  const attributes = orInvalid(() => readResource(userSchema, body))
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const at = deps.clock.iso()
    const row: UserRow = { id: newId(), tenantId, userId: null, ...columnsOf(attributes), createdAt: at, updatedAt: at }
    await assertFree(tx, row)
    if ((await tx.$count(scimUsers, inTenant(scimUsers, tenantId))) >= maxResources) throw fullOf('users')
    await tx.insert(scimUsers).values(row)
    await note(tx, directory, 'directory.user-created', row, at)
    await settleDirectory(tx, deps, tenantId, new Set([row.id]))
    return answerOf(tx, row, to)
  })
}

async function changeUser(
  deps: ScimDeps,
  directory: Directory,
  id: string,
  change: (before: UserRow) => JsonObject,
  to: AnswerTo,
): Promise<JsonObject> {
  const { tenantId } = directory
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const before = await findUser(tx, tenantId, id)
    const at = deps.clock.iso()
    const row = { ...before, ...columnsOf(orInvalid(() => change(before))), updatedAt: at }
    await assertFree(tx, row)
    await tx
      .update(scimUsers)
      .set(row)
      .where(inTenant(scimUsers, tenantId, eq(scimUsers.id, id)))
    if (before.active !== row.active)
      await note(tx, directory, row.active ? 'directory.user-activated' : 'directory.user-deactivated', row, at)
    await settleDirectory(tx, deps, tenantId, new Set([id]))
    return answerOf(tx, row, to)
  })
}

/** @throws SvcError `scim-not-found`, `scim-invalid`, `scim-taken` */
export const replaceUser = (deps: ScimDeps, directory: Directory, id: string, body: unknown, to: AnswerTo) =>
  changeUser(deps, directory, id, () => readResource(userSchema, body), to)

/** @throws SvcError `scim-not-found`, `scim-invalid`, `scim-taken` */
export function patchUser(deps: ScimDeps, directory: Directory, id: string, body: unknown, to: AnswerTo) {
  const change = ({ attributes, active }: UserRow) => patchResource(userSchema, { ...attributes, active }, body)
  return changeUser(deps, directory, id, change, to)
}

/**
 * Deletes a user, who loses the membership at once.
 * @throws SvcError `scim-not-found`
 */
export async function removeUser(deps: ScimDeps, directory: Directory, id: string): Promise<void> {
  const { tenantId } = directory
  await deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const row = await findUser(tx, tenantId, id)
    await leaveDirectory(tx, deps, row)
    await tx.delete(scimUsers).where(inTenant(scimUsers, tenantId, eq(scimUsers.id, id)))
    await note(tx, directory, 'directory.user-deleted', row, deps.clock.iso())
  })
}
