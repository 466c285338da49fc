/** Groups become roles at each sign-in, at a real issuer in a process of its own. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { clockOf } from '../../../db/clock.ts'
import { auditEvents, licenses, memberships, roleMatches, tenants, users } from '../../../db/tables.gen.ts'
import type { Role } from '../../../src/api/permissions.ts'
import { noteAddress } from '../../../server/auth/address.ts'
import { parseNetworks } from '../../../server/egress/address.ts'
import { rulesProblem } from '../../../server/role-rules/file.ts'
import { addMember, addTenant, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { brief, startIdentityService } from '../../fixtures/identity-service.ts'
import { type IssuerProcess, startIssuer, Visitor } from '../sign-in/issuer.ts'

let issuer: IssuerProcess
let server: Bun.Server<undefined>
let handle: (request: Request) => Promise<Response>
let base = ''
const folder = mkdtempSync(join(tmpdir(), 'svc-rules-'))
const file = join(folder, 'rules.yaml')

beforeAll(async () => {
  issuer = await startIssuer()
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => handle(request) })
  base = server.url.origin
  await issuer.register(`${base}/_app/oidc/callback`)
})
afterAll(async () => {
  await server.stop(true)
  await issuer.stop()
  rmSync(folder, { recursive: true, force: true })
})

onBothEngines('groups become roles', (makeDb) => {
  const setUp = async (rules: { readonly file?: string; readonly isFileOnly?: boolean } = {}) => {
    const failures: string[] = []
    const service = startIdentityService(await makeDb(), {
      publicUrl: () => base,
      oidc: {
        issuer: issuer.url,
        clientId: 'svc',
        clientSecret: 'a secret & more',
        scopes: 'openid email profile',
        name: 'Test issuer',
        allowedDomains: [],
        provision: 'all',
      },
      rules: { issuer: issuer.url, file: rules.file ?? null, isFileOnly: rules.isFileOnly ?? false },
      clock: clockOf(),
      egressAllow: parseNetworks('127.0.0.0/8'),
      onIssuerFailure: (_, reason) => failures.push(reason),
    })
    const { db, ask, bearer } = service
    let address = 0
    handle = (request) => service.handle(noteAddress(request, `10.1.0.${++address}`))
    const acme = await addTenant(db, 'acme')
    const boss = await addUser(db, 'boss')
    await addMember(db, acme, boss, 'owner')
    const headers = await bearer(boss)
    const add = (value: string, role: Role, more: object = {}, slug = 'acme') =>
      ask(`POST /v1/tenants/${slug}/role-rules`, { headers, body: { value, role, ...more } })
    const signIn = async (login: string, claims: Readonly<Record<string, unknown>>) => {
      await issuer.say(login, claims)
      const visitor = new Visitor()
      const start = Visitor.next(await visitor.visit(`${base}/_app/oidc/start`), base)
      const done = await visitor.visit(await visitor.passIssuer(start, login, base))
      return { to: done.headers.get('location'), visitor }
    }
    const standing = async (login: string, tenantId = acme) => {
      const [row] = await db.read
        .select({ role: memberships.role, status: memberships.status, managed: memberships.managed })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(and(eq(memberships.tenantId, tenantId), eq(users.email, `${login}@example.com`)))
      return row === undefined ? null : `${row.role} ${row.status}${row.managed ? ' managed' : ''}`
    }
    const trail = async () =>
      (await db.read.select().from(auditEvents).where(eq(auditEvents.tenantId, acme)).orderBy(auditEvents.id))
        .filter((it) => it.action.startsWith('member.'))
        .map(({ action, detail }) => {
          const { email: _, ...facts } = detail as Record<string, unknown>
          const inOrder = Object.fromEntries(Object.entries(facts).toSorted(([a], [b]) => (a < b ? -1 : 1)))
          return [action, JSON.stringify(inOrder).replaceAll(issuer.url, 'ISSUER')]
        })
    return { ...service, acme, boss, headers, add, signIn, standing, trail, failures }
  }

  test('a sign-in adds, raises, lowers and removes, and the trail says which rule did it', async () => {
    const { add, signIn, standing, trail, db } = await setUp()
    await add('svc-*', 'viewer')
    await add('svc-admins', 'admin')
    expect((await signIn('ann', { groups: ['users'] })).to).toBe('/app/')
    expect(await standing('ann')).toBe(null)
    await signIn('ann', { groups: ['users', 'svc-readers'] })
    expect(await standing('ann')).toBe('viewer active managed')
    await signIn('ann', { groups: ['svc-readers', 'svc-admins'] })
    expect(await standing('ann')).toBe('admin active managed')
    await signIn('ann', { groups: ['svc-readers'] })
    expect(await standing('ann')).toBe('viewer active managed')
    const { visitor } = await signIn('ann', { groups: [] })
    expect([await standing('ann'), await db.read.select().from(roleMatches)]).toEqual([null, []])
    expect((await visitor.visit(`${base}/v1/tenants/acme/members`)).status).toBe(403)
    expect(await trail()).toEqual([
      ['member.added-by-rule', '{"role":"viewer","rule":"group svc-* of ISSUER"}'],
      [
        'member.role-changed-by-rule',
        '{"from":"viewer","rule":"group svc-* of ISSUER; group svc-admins of ISSUER","to":"admin"}',
      ],
      ['member.role-changed-by-rule', '{"from":"admin","rule":"group svc-* of ISSUER","to":"viewer"}'],
      ['member.removed-by-rule', '{"role":"viewer","rule":"no rule of ISSUER fits any more"}'],
    ])
  })

  test('a claim that is absent removes nobody, and the trail says so; strangers leave no trace', async () => {
    const { add, signIn, standing, trail } = await setUp()
    await add('svc', 'editor')
    await signIn('ann', { groups: ['svc'] })
    await signIn('ann', { groups: undefined })
    await signIn('bob', { groups: undefined })
    expect([await standing('ann'), await standing('bob')]).toEqual(['editor active managed', null])
    expect((await trail()).slice(1)).toEqual([
      ['member.rules-undecided', '{"issuer":"ISSUER","reason":"the claim \\"groups\\" is absent"}'],
    ])
  })

  test('what was given by hand stays: a membership, an invitation, a suspension, a change of the role', async () => {
    const { add, signIn, standing, db, acme, ask, headers } = await setUp()
    await add('svc', 'admin')
    const people = { ann: await addUser(db, 'ann'), bob: await addUser(db, 'bob'), eve: await addUser(db, 'eve') }
    await addMember(db, acme, people.ann, 'viewer')
    await addMember(db, acme, people.bob, 'viewer', 'pending')
    for (const login of Object.keys(people)) await signIn(login, { groups: ['svc'] })
    expect([await standing('ann'), await standing('bob'), await standing('eve')]).toEqual([
      'viewer active',
      'viewer pending',
      'admin active managed',
    ])
    const change = (body: object, who = people.eve) => ask(`PATCH /v1/tenants/acme/members/${who}`, { headers, body })
    expect((await change({ status: 'suspended' })).body.managed).toBe(true)
    await signIn('eve', { groups: [] })
    expect(await standing('eve')).toBe('admin suspended managed')
    expect((await change({ status: 'active', role: 'editor' })).body).toMatchObject({ role: 'editor', managed: false })
    await signIn('eve', { groups: [] })
    expect(await standing('eve')).toBe('editor active')
    // Left to the rules, they decide from the next sign-in on.
    expect((await change({ managed: true }, people.ann)).body.managed).toBe(true)
    await signIn('ann', { groups: ['svc'] })
    expect(await standing('ann')).toBe('admin active managed')
  })

  test('a rule of Owners must be meant, and the last Owner stays', async () => {
    const { add, signIn, standing, db, acme, boss, ask, headers, trail } = await setUp()
    expect(brief(await add('bosses', 'owner'))).toEqual([400, 'role-rule-invalid'])
    expect((await add('bosses', 'owner', { allow_owner: true })).status).toBe(201)
    await signIn('ann', { groups: ['bosses'] })
    expect(await standing('ann')).toBe('owner active managed')
    await db.inTransaction((tx) => tx.delete(memberships).where(eq(memberships.userId, boss)))
    await signIn('ann', { groups: [] })
    expect(await standing('ann')).toBe('owner active managed')
    expect((await trail()).at(-1)).toEqual(['member.kept-as-last-owner', '{"rule":"no rule of ISSUER fits any more"}'])
    await addMember(db, acme, boss, 'admin')
    const rules = await ask('GET /v1/tenants/acme/role-rules', { headers })
    expect(brief(await ask(`DELETE /v1/tenants/acme/role-rules/${rules.body.items[0].id}`, { headers }))).toEqual([
      403,
      'owner-required',
    ])
    expect(brief(await add('others', 'owner', { allow_owner: true }))).toEqual([403, 'owner-required'])
  })

  test('removing a rule takes at once what it alone gave', async () => {
    const { add, signIn, standing, ask, headers, trail } = await setUp()
    const low = await add('readers', 'viewer')
    const high = await add('admins', 'admin')
    await signIn('ann', { groups: ['readers', 'admins'] })
    await signIn('bob', { groups: ['readers'] })
    const listed = await ask('GET /v1/tenants/acme/role-rules', { headers })
    expect(
      listed.body.items.map((it: { value: string; members: number }) => [it.value, it.members]).toSorted(),
    ).toEqual([
      ['admins', 1],
      ['readers', 2],
    ])
    const remove = (id: string) => ask(`DELETE /v1/tenants/acme/role-rules/${id}`, { headers })
    expect((await remove(high.body.id)).status).toBe(204)
    expect([await standing('ann'), await standing('bob')]).toEqual(['viewer active managed', 'viewer active managed'])
    expect((await remove(low.body.id)).status).toBe(204)
    expect([await standing('ann'), await standing('bob')]).toEqual([null, null])
    expect(brief(await remove(low.body.id))).toEqual([404, 'role-rule-not-found'])
    expect((await trail()).at(-1)).toEqual([
      'member.removed-by-rule',
      '{"role":"viewer","rule":"the rule was removed: group readers of ISSUER"}',
    ])
  })

  test('a plan without a free seat keeps a person out, and lets them sign in', async () => {
    const { add, signIn, standing, trail, db, acme } = await setUp()
    await db.inTransaction((tx) => tx.update(licenses).set({ plan: 'free' }).where(eq(licenses.tenantId, acme)))
    for (const name of ['b', 'c', 'd', 'e']) await addMember(db, acme, await addUser(db, name), 'viewer')
    await add('svc', 'editor')
    expect([(await signIn('ann', { groups: ['svc'] })).to, await standing('ann')]).toEqual(['/app/', null])
    expect(await trail()).toEqual([
      [
        'member.not-added-by-rule',
        '{"reason":"the plan has no free seat","role":"editor","rule":"group svc of ISSUER"}',
      ],
    ])
  })

  test('the file of the operator gives roles in any organization, and is read again when it changes', async () => {
    writeFileSync(file, 'rules:\n  - { organization: acme, value: "*", role: viewer }\n')
    const { add, signIn, standing, db, failures, ask, headers } = await setUp({ file, isFileOnly: true })
    expect(brief(await add('svc', 'admin'))).toEqual([400, 'role-rule-invalid'])
    await signIn('ann', { groups: ['anything'] })
    expect(await standing('ann')).toBe('viewer active managed')
    const trial = await ask('POST /v1/tenants/acme/role-rule-trials', { headers, body: { claims: { groups: ['x'] } } })
    expect(trial.body).toEqual({
      issuer: issuer.url,
      role: 'viewer',
      undecided: false,
      rules: [{ id: null, claim: 'groups', value: '*', role: 'viewer', verdict: 'fits', reason: '"groups" has "x"' }],
    })
    await addTenant(db, 'other')
    writeFileSync(
      file,
      `rules:
  - { organization: acme, value: "*", role: viewer }
  - { organization: acme, value: API team, role: editor, issuer: scim }
  - { organization: other, value: secret, role: admin }
`,
    )
    utimesSync(file, 3, 3)
    expect((await ask('GET /v1/tenants/acme/role-rule-sources', { headers })).body).toEqual({
      issuer: issuer.url,
      operator_only: true,
      operator_rules: [
        { issuer: issuer.url, claim: 'groups', value: '*', role: 'viewer' },
        { issuer: 'scim', claim: 'groups', value: 'API team', role: 'editor' },
      ],
      directory: { url: `${base}/scim/v2`, users: 0, groups: 0 },
    })
    // What is wrong keeps the last good rules.
    writeFileSync(file, 'rules:\n  - { organization: acme, value: "*", role: ruler }\n')
    utimesSync(file, 1, 1)
    await signIn('ann', { groups: ['anything'] })
    expect([await standing('ann'), failures[0]?.startsWith(`the rules of ${file} cannot be used: line 2: `)]).toEqual([
      'viewer active managed',
      true,
    ])
    writeFileSync(file, 'rules: []\n')
    utimesSync(file, 2, 2)
    await signIn('ann', { groups: ['anything'] })
    expect(await standing('ann')).toBe(null)
    expect((await db.read.select().from(tenants)).length).toBe(2)
  })

  test('only what concerns an organization reaches it, and a trial changes nothing', async () => {
    const { add, signIn, standing, db, ask, headers, trail } = await setUp()
    const other = await addTenant(db, 'other')
    await add('svc', 'editor')
    await add('readers', 'viewer', { claim: 'department' })
    await signIn('ann', { groups: ['svc'], department: 'x' })
    expect([await standing('ann'), await standing('ann', other)]).toEqual(['editor active managed', null])
    const before = await trail()
    const trial = await ask('POST /v1/tenants/acme/role-rule-trials', {
      headers,
      body: { claims: { groups: [] } },
    })
    expect([trial.body.role, trial.body.undecided]).toEqual([null, true])
    expect(await trail()).toEqual(before)
    for (const line of [
      'GET /v1/tenants/other/role-rules',
      'GET /v1/tenants/other/role-rule-sources',
      'POST /v1/tenants/other/role-rule-trials',
    ])
      expect((await ask(line, { headers, ...(line.startsWith('POST') ? { body: { claims: {} } } : {}) })).status).toBe(
        403,
      )
    expect(brief(await add('svc', 'viewer'))).toEqual([409, 'role-rule-taken'])
    expect(brief(await add('*', 'viewer'))).toEqual([400, 'role-rule-invalid'])
    expect(brief(await add('x', 'viewer', { issuer: 'https://other.example' }))).toEqual([400, 'role-rule-invalid'])
    expect((await add('*', 'viewer', { issuer: 'scim' })).status).toBe(201)
  })
})

test('the file of rules names what is wrong in it', () => {
  const problem = (text: string, from: string | null = 'https://id.example') => {
    const path = join(folder, `${Math.random()}.yaml`)
    writeFileSync(path, text)
    return rulesProblem(path, from)?.split('cannot be used: ')[1] ?? null
  }
  expect([
    problem('rules: []'),
    problem('rules:\n  - { organization: acme, value: a, role: owner }'),
    problem('rules:\n  - { organization: acme, value: a, role: owner, allow_owner: true }'),
    problem('rules:\n  - { organization: acme, value: a, role: editor }', null),
    problem('rules:\n  - { organization: acme, role: editor }'),
    problem('rules:\n  - { organisation: acme, value: a, role: editor }'),
    problem('a: ['),
    rulesProblem(join(folder, 'none.yaml'), null)?.includes('ENOENT'),
  ]).toMatchInlineSnapshot(`
    [
      null,
      "rule 1 gives owner: whoever manages "a" could then delete the organization. Add allow_owner: true if that is meant",
      null,
      "rule 1 names no issuer, and SVC_OIDC_ISSUER is not set",
      "line 2: rules.0.value is missing",
      "line 2: rules.0.organization is missing",
      "line 1: Invalid YAML: Flow sequence in block collection must be sufficiently indented and end with a ].",
      true,
    ]
  `)
})
