import { eq } from 'drizzle-orm'
import { agentKeys, apiKeys, mcpKeys, memberships, tenants } from '../../db/tables.gen.ts'
import { applicationApi, type SessionRecord } from '../../src/api/application.ts'
import { authApi, type Identity as IdentityRecord } from '../../src/api/auth.ts'
import { keyPermissions, readPermissions, rolePermissions } from '../../src/api/permissions.ts'
import { SvcError } from '../../src/errors.ts'
import { acceptInvitation, describeInvitation } from '../members/invitations.ts'
import { apiKeyHandlers } from '../keys/handlers.ts'
import { type Context, routesOf, type Route } from '../mount.ts'
import { Reply } from '../reply.ts'
import { userOf, userRecord, type UserRow } from '../users/find.ts'
import { isClaimed } from '../users/service.ts'
import { addressOf } from './address.ts'
import { personOf } from './person.ts'
import type { Identity } from './identity.ts'
import type { Principal } from './principal.ts'
import { endSignIn } from './refresh.ts'
import { openSession } from './open-session.ts'
import { csrfTokenOf, endedCookie, endSession, sessionTokenOf } from './session.ts'
import { claimWithToken } from './setup.ts'
import { beginSignIn, changePassword, checkPassword, refreshSignIn } from './sign-in.ts'

const keyTables = { 'api-key': apiKeys, 'agent-key': agentKeys, 'mcp-key': mcpKeys } as const

async function describeKey(
  identity: Identity,
  principal: Exclude<Principal, { kind: 'user' }>,
): Promise<IdentityRecord> {
  const { db } = identity
  const table = keyTables[principal.kind]
  const [key] = await db.read.select().from(table).where(eq(table.id, principal.keyId))
  const [tenant] = await db.read.select().from(tenants).where(eq(tenants.id, principal.tenantId))
  if (key === undefined || tenant === undefined)
    throw new SvcError('credentials-invalid', { reason: 'there is no such key' })
  const full = principal.kind === 'api-key' && principal.scopes.includes('*')
  return {
    kind: principal.kind,
    user: null,
    key: {
      id: key.id,
      prefix: key.prefix,
      name: 'name' in key ? key.name : key.label,
      scopes: 'scopes' in key ? [...key.scopes] : [],
      expires_at: 'expiresAt' in key ? key.expiresAt : null,
    },
    memberships: [
      {
        tenant_id: tenant.id,
        slug: tenant.slug,
        name: tenant.name,
        role: 'member',
        status: 'active',
        permissions: [...(full ? keyPermissions : readPermissions)].sort(),
      },
    ],
  }
}

/** Who a principal is, with every membership and what it allows. */
async function describe(identity: Identity, principal: Principal): Promise<IdentityRecord> {
  if (principal.kind !== 'user') return describeKey(identity, principal)
  const rows = await identity.db.read
    .select({ tenant: tenants, role: memberships.role, status: memberships.status })
    .from(memberships)
    .innerJoin(tenants, eq(tenants.id, memberships.tenantId))
    .where(eq(memberships.userId, principal.userId))
    .orderBy(tenants.slug)
  return {
    kind: 'user',
    user: userRecord(await userOf(identity.db.read, principal.userId)),
    key: null,
    memberships: rows.map(({ tenant, role, status }) => ({
      tenant_id: tenant.id,
      slug: tenant.slug,
      name: tenant.name,
      role,
      status,
      permissions: status === 'active' ? [...rolePermissions[role]].sort() : [],
    })),
  }
}

/** A form of another site could sign a visitor in as somebody else; browsers say where a request comes from. */
function assertOwnPage(request: Request): void {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw new SvcError('cross-site-request')
}

const sessionReply = async (identity: Identity, user: UserRow, request: Request, status?: number): Promise<Reply> => {
  const { record, cookie } = await openSession(identity, user, request)
  return Reply.json(record, { 'set-cookie': cookie }, status)
}

/** The routes of signing in and out for programs. */
export const authRoutes = (identity: Identity): Route[] =>
  routesOf(authApi, {
    login: async ({ body }, { request }) =>
      beginSignIn(identity, await checkPassword(identity, { ...body, address: addressOf(request) })),
    refresh: ({ body }, { request }) => refreshSignIn(identity, body.refresh_token, addressOf(request)),
    logout: async ({ body }) => {
      await endSignIn(identity.db, body.refresh_token, identity.now())
      return null
    },
    password: async ({ body }, { grant, request }) => {
      await changePassword(identity, personOf(grant), {
        current: body.current_password,
        next: body.new_password,
        address: addressOf(request),
        keepSession: sessionTokenOf(request),
      })
      return null
    },
    me: (_, { grant }) => {
      if (grant.principal === null) throw new SvcError('credentials-missing')
      return describe(identity, grant.principal)
    },
  })

async function currentSession(identity: Identity, { grant, request }: Context): Promise<SessionRecord> {
  const claimed = await isClaimed(identity.db.read)
  const { principal } = grant
  const token = sessionTokenOf(request)
  if (principal?.kind !== 'user' || principal.via !== 'session' || token === null)
    return { claimed, user: null, csrf_token: null }
  const user = await userOf(identity.db.read, principal.userId)
  return { claimed, user: userRecord(user), csrf_token: csrfTokenOf(token) }
}

/** The routes that only the application calls. */
export const applicationRoutes = (identity: Identity): Route[] =>
  routesOf(applicationApi, {
    session: (_, context) => currentSession(identity, context),
    claim: async ({ body }, { request }) => {
      assertOwnPage(request)
      return sessionReply(
        identity,
        await claimWithToken(identity, { ...body, address: addressOf(request) }),
        request,
        201,
      )
    },
    login: async ({ body }, { request }) => {
      assertOwnPage(request)
      return sessionReply(identity, await checkPassword(identity, { ...body, address: addressOf(request) }), request)
    },
    logout: async (_, { request }) => {
      const token = sessionTokenOf(request)
      if (token !== null) await identity.db.inTransaction((tx) => endSession(tx, token))
      return new Reply({ status: 204, headers: { 'set-cookie': endedCookie(identity.secureCookies) }, body: null })
    },
    invitation: ({ body }, { request }) => describeInvitation(identity, body.token, addressOf(request)),
    acceptInvitation: async ({ body }, { request }) => {
      assertOwnPage(request)
      const user = await acceptInvitation(identity, { ...body, address: addressOf(request) })
      return sessionReply(identity, user, request, 201)
    },
    ...apiKeyHandlers(identity),
  })
