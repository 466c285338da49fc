/** A directory sends users and groups as Okta and Entra ID do; who has left loses access at once. */
import { expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { auditEvents, memberships, scimTokens, scimUsers, users } from '../../../db/tables.gen.ts'
import { joinDirectories } from '../../../server/role-rules/directory.ts'
import { accountOf } from '../../../server/sign-in/provision.ts'
import { addMember, addTenant, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { brief, startIdentityService } from '../../fixtures/identity-service.ts'

const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const media = { 'content-type': 'application/scim+json' }

onBothEngines('directories', (makeDb) => {
  const setUp = async () => {
    const service = startIdentityService(await makeDb(), { publicUrl: () => 'https://svc.example' })
    const { db, ask, browser, clock } = service
    const acme = await addTenant(db, 'acme')
    const boss = await addUser(db, 'boss')
    await addMember(db, acme, boss, 'owner')
    const headers = await browser(boss)
    const made = await ask('POST /v1/tenants/acme/scim-tokens', { headers, body: { name: 'okta' } })
    const bearer = { authorization: `Bearer ${made.body.token}` }
    const scim = (line: string, body?: unknown, more: Readonly<Record<string, string>> = {}) => {
      const [method = '', path = ''] = line.split(' ')
      return ask(`${method} /scim/v2${path}`, {
        headers: { ...bearer, ...media, ...more },
        ...(body === undefined ? {} : { body }),
      })
    }
    const addScimUser = async (name: string, more: object = {}): Promise<string> => {
      const body = { schemas: [userUrn], userName: `${name}@example.com`, active: true, ...more }
      const answer = await scim('POST /Users', body)
      expect(answer.status).toBe(201)
      return answer.body.id
    }
    const patch = (path: string, ...Operations: object[]) => scim(`PATCH ${path}`, { schemas: [patchUrn], Operations })
    /** What a sign-in at the identity provider does with a person. */
    const signIn = async (id: string): Promise<void> => {
      const [user] = await db.read.select().from(users).where(eq(users.id, id))
      if (user !== undefined) await joinDirectories(service.identity, user)
    }
    const roleOf = async (id: string) => {
      const [row] = await db.read
        .select()
        .from(memberships)
        .where(and(eq(memberships.tenantId, acme), eq(memberships.userId, id)))
      return row === undefined ? null : `${row.role}${row.managed ? ' managed' : ''}`
    }
    const rule = (value: string, role: string) =>
      ask('POST /v1/tenants/acme/role-rules', { headers, body: { value, role, issuer: 'scim' } })
    return { ...service, acme, boss, headers, made, scim, addScimUser, patch, signIn, roleOf, rule, bearer, clock }
  }

  test('a token is shown once, expires, can be deleted, and opens nothing else', async () => {
    const { made, ask, headers, db, clock, scim, bearer } = await setUp()
    expect([made.status, made.body.url, /^svs_\w{38}$/.test(made.body.token)]).toEqual([
      201,
      'https://svc.example/scim/v2',
      true,
    ])
    const [row] = await db.read.select().from(scimTokens)
    expect(JSON.stringify(row).includes(made.body.token)).toBe(false)
    expect(brief(await ask('GET /v1/tenants/acme/members', { headers: bearer }))).toEqual([401, 'credentials-invalid'])
    expect((await scim('GET /Users')).status).toBe(200)
    const again = await ask('POST /v1/tenants/acme/scim-tokens', { headers, body: { name: 'okta' } })
    expect(brief(again)).toEqual([409, 'scim-token-taken'])
    const refused = async (authorization: string) => {
      const answer = await ask('GET /scim/v2/Users', { headers: { authorization } })
      return [answer.status, answer.headers.get('content-type'), answer.body]
    }
    expect(await refused('Bearer x')).toEqual([
      401,
      'application/scim+json',
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '401',
        detail:
          'The token of the directory is not accepted: it is no token of a directory, or incomplete. An administrator creates a token with POST /v1/tenants/{tenant}/scim-tokens.',
      },
    ])
    clock.value += 366 * 86_400_000
    expect((await refused(bearer.authorization))[0]).toBe(401)
    clock.value -= 366 * 86_400_000
    expect((await ask(`DELETE /v1/tenants/acme/scim-tokens/${made.body.id}`, { headers })).status).toBe(204)
    expect((await scim('GET /Users')).status).toBe(401)
  })

  test('as Okta provisions: search, create, put, deactivate; the membership follows the groups', async () => {
    const { scim, patch, signIn, roleOf, rule, db, acme, addScimUser, ask, headers } = await setUp()
    const ann = await addUser(db, 'ann')
    await rule('API team', 'editor')
    expect(
      (await scim('GET /Users?filter=userName%20eq%20%22ann%40example.com%22&startIndex=1&count=100')).body,
    ).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    })
    const made = await scim('POST /Users', {
      schemas: [userUrn],
      userName: 'ann@example.com',
      name: { givenName: 'Ann', familyName: 'Lee' },
      emails: [{ primary: true, value: 'ann@example.com', type: 'work' }],
      displayName: 'Ann Lee',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    })
    const { id } = made.body
    expect([made.status, made.headers.get('location'), made.body.password, made.body.meta.resourceType]).toEqual([
      201,
      `https://svc.example/scim/v2/Users/${id}`,
      undefined,
      'User',
    ])
    // Who has an account elsewhere shows nowhere before that person signs in.
    expect(await roleOf(ann)).toBe(null)
    const group = await scim('POST /Groups', { displayName: 'API team', members: [{ value: id, display: 'ann' }] })
    expect([group.status, group.body.members[0].value]).toEqual([201, id])
    expect((await ask('GET /v1/tenants/acme/role-rule-sources', { headers })).body).toEqual({
      issuer: null,
      operator_only: false,
      operator_rules: [],
      directory: { url: 'https://svc.example/scim/v2', users: 1, groups: 1 },
    })
    await signIn(ann)
    expect(await roleOf(ann)).toBe('editor managed')
    expect((await scim(`GET /Users/${id}`)).body.groups[0].display).toBe('API team')
    await patch(`/Groups/${group.body.id}`, { op: 'remove', path: `members[value eq "${id}"]` })
    expect(await roleOf(ann)).toBe(null)
    await patch(`/Groups/${group.body.id}`, { op: 'add', path: 'members', value: [{ value: id, display: 'ann' }] })
    expect(await roleOf(ann)).toBe('editor managed')
    expect((await scim(`PUT /Users/${id}`, { ...made.body, active: false })).body.active).toBe(false)
    expect(await roleOf(ann)).toBe(null)
    await patch(`/Users/${id}`, { op: 'replace', value: { active: true } })
    expect(await roleOf(ann)).toBe('editor managed')
    expect((await scim(`DELETE /Users/${id}`)).status).toBe(204)
    expect([await roleOf(ann), (await scim(`GET /Users/${id}`)).status]).toEqual([null, 404])
    const other = await addScimUser('zoe')
    expect(
      brief(await patch(`/Groups/${group.body.id}`, { op: 'add', path: 'members', value: [{ value: other }] })),
    ).toEqual([200, expect.objectContaining({ displayName: 'API team' })])
    const trail = await db.read.select().from(auditEvents).where(eq(auditEvents.tenantId, acme)).orderBy(auditEvents.id)
    expect(trail.map((it) => it.action).filter((it) => it.startsWith('member.'))).toEqual([
      'member.added-by-rule',
      'member.removed-by-rule',
      'member.added-by-rule',
      'member.removed-by-directory',
      'member.added-by-rule',
      'member.removed-by-directory',
    ])
  })

  test('as Entra ID provisions: text for booleans, and groups without members', async () => {
    const { scim, patch, addScimUser } = await setUp()
    expect((await scim('GET /Users?filter=externalId%20eq%20%22none%22')).body.totalResults).toBe(0)
    const id = await addScimUser('bob', { externalId: 'b0b', emails: [{ value: 'bob@example.com', type: 'work' }] })
    const changed = await patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'displayName', value: 'Bob' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'bobby@example.com' },
      { op: 'Replace', path: 'active', value: 'False' },
    )
    expect([changed.status, changed.body.displayName, changed.body.emails, changed.body.active]).toEqual([
      200,
      'Bob',
      [{ value: 'bobby@example.com', type: 'work' }],
      false,
    ])
    const group = await scim('POST /Groups', { displayName: 'G', externalId: '8aa1', members: [{ value: id }] })
    const found = await scim('GET /Groups?excludedAttributes=members&filter=displayName%20eq%20%22g%22')
    expect([found.body.totalResults, found.body.Resources[0].members]).toEqual([1, undefined])
    const removed = await patch(`/Groups/${group.body.id}`, { op: 'Remove', path: 'members', value: [{ value: id }] })
    expect(removed.body.members).toBe(undefined)
    expect(
      brief(await patch(`/Groups/${group.body.id}`, { op: 'Add', path: 'members', value: [{ value: 'nobody' }] })),
    ).toEqual([400, expect.objectContaining({ status: '400', scimType: 'invalidValue' })])
  })

  test('deactivation also ends a membership that was given by hand; the last Owner stays', async () => {
    const { addScimUser, patch, roleOf, db, acme, boss } = await setUp()
    const ann = await addUser(db, 'ann')
    await addMember(db, acme, ann, 'admin')
    // A member whose address is proven is known at once; one whose address anybody typed is not.
    const eve = await addUser(db, 'eve', null, { emailVerifiedAt: null })
    await addMember(db, acme, eve, 'viewer')
    for (const name of ['ann', 'eve', 'boss'])
      await patch(`/Users/${await addScimUser(name)}`, { op: 'replace', value: { active: false } })
    expect([await roleOf(ann), await roleOf(eve), await roleOf(boss)]).toEqual([null, 'viewer', 'owner'])
  })

  test('an account is made at the first sign-in of whom the directory lists, and only for a proven address', async () => {
    const { addScimUser, identity, db } = await setUp()
    await addScimUser('new')
    const rule = { provision: 'none', allowedDomains: [] } as const
    const person = { issuer: 'https://id.example', subject: 's1', name: 'New', verifiedEmail: 'New@example.com' }
    expect((await accountOf(identity, person, rule)).email).toBe('New@example.com')
    const other = { ...person, subject: 's2', verifiedEmail: null }
    expect(await accountOf(identity, other, rule).catch((error: { code: string }) => error.code)).toBe(
      'oidc-account-unknown',
    )
    expect((await db.read.select().from(scimUsers)).map((it) => it.userId)).toEqual([null])
  })

  test('lists in pages, attributes, conflicts, and what is wrong as errors of SCIM', async () => {
    const { scim, addScimUser } = await setUp()
    for (const name of ['a', 'b', 'c', 'd']) await addScimUser(name)
    const page = await scim('GET /Users?startIndex=2&count=2&attributes=userName')
    expect([page.headers.get('content-type'), page.body]).toEqual([
      'application/scim+json',
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 4,
        startIndex: 2,
        itemsPerPage: 2,
        Resources: [
          { schemas: [userUrn], id: expect.any(String), userName: 'b@example.com' },
          { schemas: [userUrn], id: expect.any(String), userName: 'c@example.com' },
        ],
      },
    ])
    expect((await scim('GET /Users?count=0')).body).toMatchObject({ totalResults: 4, itemsPerPage: 0, Resources: [] })
    const problems = [
      await scim('POST /Users', { userName: 'A@example.com' }),
      await scim('POST /Users', { active: true }),
      await scim('POST /Users', []),
      await scim('GET /Users?filter=nothing'),
      await scim('GET /Users/none'),
      await scim('POST /Bulk', {}),
      await scim('DELETE /Users'),
      await scim('GET /Users?count=many'),
      await scim('POST /Users', 'x', { 'content-type': 'text/plain' }),
    ]
    expect(problems.map(({ status, body }) => [status, body.status, body.scimType])).toEqual([
      [409, '409', 'uniqueness'],
      [400, '400', 'invalidValue'],
      [400, '400', 'invalidSyntax'],
      [400, '400', 'invalidFilter'],
      [404, '404', undefined],
      [404, '404', undefined],
      [405, '405', undefined],
      [400, '400', 'invalidSyntax'],
      [415, '415', undefined],
    ])
  })

  test('what describes the interface', async () => {
    const { scim } = await setUp()
    const [config, types, schemas, one] = await Promise.all(
      ['ServiceProviderConfig', 'ResourceTypes', 'Schemas', `Schemas/${userUrn}`].map((it) => scim(`GET /${it}`)),
    )
    expect([config?.body.patch, config?.body.bulk.supported, config?.body.etag]).toEqual([
      { supported: true },
      false,
      { supported: false },
    ])
    expect(types?.body.Resources.map((it: { endpoint: string }) => it.endpoint)).toEqual(['/Users', '/Groups'])
    expect(schemas?.body.Resources.map((it: { name: string }) => it.name)).toEqual(['User', 'Group', 'EnterpriseUser'])
    expect(one?.body.attributes.map((it: { name: string }) => it.name)).toContain('userName')
  })

  test('nothing of one directory is visible to another', async () => {
    const { scim, addScimUser, db, browser, ask, bearer } = await setUp()
    const id = await addScimUser('ann')
    const group = await scim('POST /Groups', { displayName: 'G', members: [{ value: id }] })
    const other = await addTenant(db, 'other')
    const eve = await addUser(db, 'eve')
    await addMember(db, other, eve, 'owner')
    const headers = await browser(eve)
    const made = await ask('POST /v1/tenants/other/scim-tokens', { headers, body: { name: 'eve' } })
    const foreign = { authorization: `Bearer ${made.body.token}`, ...media }
    const asEve = (line: string, body?: unknown) => {
      const [method = '', path = ''] = line.split(' ')
      return ask(`${method} /scim/v2${path}`, { headers: foreign, ...(body === undefined ? {} : { body }) })
    }
    const Operations = [{ op: 'replace', value: { displayName: 'eve' } }]
    const answers = [
      await asEve(`GET /Users/${id}`),
      await asEve(`PATCH /Users/${id}`, { Operations }),
      await asEve(`PUT /Users/${id}`, { userName: 'eve' }),
      await asEve(`DELETE /Users/${id}`),
      await asEve(`GET /Groups/${group.body.id}`),
      await asEve(`PATCH /Groups/${group.body.id}`, { Operations }),
      await asEve(`DELETE /Groups/${group.body.id}`),
    ]
    expect(answers.map((it) => it.status)).toEqual([404, 404, 404, 404, 404, 404, 404])
    expect((await asEve('GET /Users')).body.totalResults).toBe(0)
    expect((await asEve('POST /Groups', { displayName: 'E', members: [{ value: id }] })).status).toBe(400)
    expect((await asEve('POST /Users', { userName: 'ann@example.com' })).status).toBe(201)
    expect((await ask('GET /v1/tenants/other/scim-tokens', { headers: bearer })).status).toBe(401)
    expect((await scim('GET /Users')).body.totalResults).toBe(1)
  })
})
