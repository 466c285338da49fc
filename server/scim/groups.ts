/** Groups of a directory and who is in them: what rules compare. */
import { asc, eq, inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { scimGroups, scimMembers, scimUsers } from '../../db/tables.gen.ts'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import { SvcError } from '../../src/errors.ts'
import { isObject, type JsonObject } from '../../src/kernel/json.ts'
import { maxResources, selected } from '../../src/scim/answer.ts'
import { exactText, parseFilter } from '../../src/scim/filter.ts'
import { patchResource } from '../../src/scim/patch.ts'
import { groupSchema, groupUrn, readResource } from '../../src/scim/resource.ts'
import { inParts, recordAudit } from '../auth/door.ts'
import { settleDirectory } from '../role-rules/door.ts'
import { answerList, type AnswerTo, fitting, type ListQuery, pageOf } from './listing.ts'
import { fullOf, notFound, orInvalid } from './refusals.ts'
import type { Directory } from './tokens.ts'
import type { ScimDeps } from './users.ts'

type GroupRow = typeof scimGroups.$inferSelect
interface Listed {
  readonly id: string
  readonly name: string
}
type Members = ReadonlyMap<string, readonly Listed[]>

async function membersOf(read: Reader, tenantId: string, groups: readonly GroupRow[]): Promise<Members> {
  const found = new Map<string, Listed[]>()
  for (const part of inParts(groups.map(({ id }) => id))) {
    const rows = await read
      .select({ groupId: scimMembers.groupId, id: scimUsers.id, name: scimUsers.userName })
      .from(scimMembers)
      .innerJoin(scimUsers, eq(scimUsers.id, scimMembers.userId))
      .where(inTenant(scimMembers, tenantId, inArray(scimMembers.groupId, part)))
      .orderBy(asc(scimUsers.userName))
    for (const { groupId, id, name } of rows) {
      const own = found.get(groupId) ?? []
      own.push({ id, name })
      found.set(groupId, own)
    }
  }
  return found
}

/** What a PATCH changes: the attributes of a group with its members. */
const attributesOf = (row: GroupRow, members: readonly Listed[]): JsonObject => ({
  displayName: row.displayName,
  ...(row.externalId === null ? {} : { externalId: row.externalId }),
  ...(members.length === 0
    ? {}
    : { members: members.map(({ id, name }) => ({ value: id, display: name, type: 'User' })) }),
})

function resourceOf(row: GroupRow, members: readonly Listed[], base: string): JsonObject {
  const attributes = attributesOf(row, members)
  const listed = Array.isArray(attributes['members']) ? attributes['members'].filter(isObject) : []
  const links = listed.map((it) => ({ ...it, $ref: `${base}/Users/${String(it['value'])}` }))
  return {
    schemas: [groupUrn],
    id: row.id,
    ...attributes,
    ...(links.length === 0 ? {} : { members: links }),
    meta: {
      resourceType: 'Group',
      created: row.createdAt,
      lastModified: row.updatedAt,
      location: `${base}/Groups/${row.id}`,
    },
  }
}

async function answerOf(read: Reader, row: GroupRow, { base, selection }: AnswerTo): Promise<JsonObject> {
  const members = (await membersOf(read, row.tenantId, [row])).get(row.id) ?? []
  return selected(groupSchema, resourceOf(row, members, base), selection)
}

async function findGroup(read: Reader, tenantId: string, id: string): Promise<GroupRow> {
  const [row] = await read
    .select()
    .from(scimGroups)
    .where(inTenant(scimGroups, tenantId, eq(scimGroups.id, id)))
  if (row === undefined) throw notFound('group', id)
  return row
}

/**
 * The groups that fit a filter, the oldest first.
 * @throws SvcError `scim-invalid`
 */
export async function listGroups(deps: ScimDeps, { tenantId }: Directory, query: ListQuery, base: string) {
  const { read } = deps.db
  const text = query.filter?.trim() ?? ''
  const filter = text === '' ? null : orInvalid(() => parseFilter(groupSchema, text))
  const externalId = filter === null ? null : exactText(filter, 'externalId')
  const rows = await read
    .select()
    .from(scimGroups)
    .where(inTenant(scimGroups, tenantId, externalId === null ? undefined : eq(scimGroups.externalId, externalId)))
    .orderBy(asc(scimGroups.createdAt), asc(scimGroups.id))
  const asksMembers = filter !== null && JSON.stringify(filter).includes('"name":"members"')
  const all: Members = asksMembers ? await membersOf(read, tenantId, rows) : new Map()
  const page = pageOf(await fitting(rows, filter, (row) => resourceOf(row, all.get(row.id) ?? [], base)), query)
  // A group may have thousands of members: Entra ID asks for groups without them.
  const isShort = /(?:^|,)\s*members\s*(?:,|$)/i.test(query.excludedAttributes ?? '')
  const members: Members = isShort ? new Map() : await membersOf(read, tenantId, page.items)
  const resources = page.items.map((row) => resourceOf(row, members.get(row.id) ?? [], base))
  return answerList(groupSchema, page, resources, query)
}

/** @throws SvcError `scim-not-found` */
export const getGroup = async (deps: ScimDeps, { tenantId }: Directory, id: string, to: AnswerTo) =>
  answerOf(deps.db.read, await findGroup(deps.db.read, tenantId, id), to)

/** The ids that a resource names as members. */
function memberIds(attributes: JsonObject): ReadonlySet<string> {
  const listed = Array.isArray(attributes['members']) ? attributes['members'] : []
  return new Set(listed.flatMap((it) => (isObject(it) && typeof it['value'] === 'string' ? [it['value']] : [])))
}

/** @throws SvcError `scim-invalid` for who is no user of the directory */
async function assertUsers(tx: Transaction, tenantId: string, ids: ReadonlySet<string>): Promise<void> {
  for (const part of inParts([...ids])) {
    const rows = await tx
      .select({ id: scimUsers.id })
      .from(scimUsers)
      .where(inTenant(scimUsers, tenantId, inArray(scimUsers.id, part)))
    const known = new Set(rows.map((it) => it.id))
    const unknown = part.find((id) => !known.has(id))
    if (unknown === undefined) continue
    const reason = `the directory has no user "${unknown.slice(0, 100)}"; groups in groups are not supported`
    throw new SvcError('scim-invalid', { scim_type: 'invalidValue', reason })
  }
}

/** Makes the members of a group those ids; gives who came or went. */
async function setMembers(tx: Transaction, row: GroupRow, wanted: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const { tenantId, id: groupId } = row
  const ofGroup = eq(scimMembers.groupId, groupId)
  const rows = await tx
    .select({ id: scimMembers.userId })
    .from(scimMembers)
    .where(inTenant(scimMembers, tenantId, ofGroup))
  const before = new Set(rows.map((it) => it.id))
  const [added, gone] = [wanted.difference(before), before.difference(wanted)]
  await assertUsers(tx, tenantId, added)
  for (const part of inParts([...gone]))
    await tx.delete(scimMembers).where(inTenant(scimMembers, tenantId, ofGroup, inArray(scimMembers.userId, part)))
  for (const part of inParts([...added]))
    await tx.insert(scimMembers).values(part.map((userId) => ({ tenantId, groupId, userId })))
  return added.union(gone)
}

async function note(
  tx: Transaction,
  { token }: Directory,
  action: AuditAction,
  row: GroupRow,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const detail = { group: row.displayName, token, ...more }
  await recordAudit(tx, { tenantId: row.tenantId, actor: null, action, targetId: row.id, detail, at: row.updatedAt })
}

const columnsOf = (attributes: JsonObject) => ({
  displayName: String(attributes['displayName']),
  externalId: typeof attributes['externalId'] === 'string' ? attributes['externalId'] : null,
})

/** @throws SvcError `scim-invalid` */
export function createGroup(deps: ScimDeps, directory: Directory, body: unknown, to: AnswerTo): Promise<JsonObject> {
  const { tenantId } = directory
  const attributes = orInvalid(() => readResource(groupSchema, body))
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const at = deps.clock.iso()
    const row: GroupRow = { id: newId(), tenantId, ...columnsOf(attributes), createdAt: at, updatedAt: at }
    if ((await tx.$count(scimGroups, inTenant(scimGroups, tenantId))) >= maxResources) throw fullOf('groups')
    await tx.insert(scimGroups).values(row)
    await note(tx, directory, 'directory.group-created', row)
    await settleDirectory(tx, deps, tenantId, await setMembers(tx, row, memberIds(attributes)))
    return answerOf(tx, row, to)
  })
}

async function changeGroup(
  deps: ScimDeps,
  directory: Directory,
  id: string,
  change: (before: JsonObject) => JsonObject,
  to: AnswerTo,
): Promise<JsonObject> {
  const { tenantId } = directory
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const before = await findGroup(tx, tenantId, id)
    const members = (await membersOf(tx, tenantId, [before])).get(id) ?? []
    const attributes = orInvalid(() => change(attributesOf(before, members)))
    const row = { ...before, ...columnsOf(attributes), updatedAt: deps.clock.iso() }
    await tx
      .update(scimGroups)
      .set(row)
      .where(inTenant(scimGroups, tenantId, eq(scimGroups.id, id)))
    const wanted = memberIds(attributes)
    const changed = await setMembers(tx, row, wanted)
    const isRenamed = row.displayName !== before.displayName
    if (isRenamed) await note(tx, directory, 'directory.group-renamed', row, { from: before.displayName })
    if (changed.size > 0)
      await note(tx, directory, 'directory.group-members-changed', row, { members: wanted.size, changed: changed.size })
    // A new name may fit other rules, for everybody in the group.
    await settleDirectory(tx, deps, tenantId, isRenamed ? changed.union(wanted) : changed)
    return answerOf(tx, row, to)
  })
}

/** @throws SvcError `scim-not-found`, `scim-invalid` */
export const replaceGroup = (deps: ScimDeps, directory: Directory, id: string, body: unknown, to: AnswerTo) =>
  changeGroup(deps, directory, id, () => readResource(groupSchema, body), to)

/** @throws SvcError `scim-not-found`, `scim-invalid` */
export const patchGroup = (deps: ScimDeps, directory: Directory, id: string, body: unknown, to: AnswerTo) =>
  changeGroup(deps, directory, id, (before) => patchResource(groupSchema, before, body), to)

/**
 * Deletes a group: what it gave its members by rules ends at once.
 * @throws SvcError `scim-not-found`
 */
export async function removeGroup(deps: ScimDeps, directory: Directory, id: string): Promise<void> {
  const { tenantId } = directory
  await deps.db.inTransaction(async (tx) => {
    await tx.lock(`members:${tenantId}`)
    const row = await findGroup(tx, tenantId, id)
    const members = await setMembers(tx, row, new Set())
    await tx.delete(scimGroups).where(inTenant(scimGroups, tenantId, eq(scimGroups.id, id)))
    await note(tx, directory, 'directory.group-deleted', { ...row, updatedAt: deps.clock.iso() })
    await settleDirectory(tx, deps, tenantId, members)
  })
}
