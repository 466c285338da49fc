/**
 * Pipelines without keys: an issuer on loopback signs tokens of the shape that GitHub documents.
 * Longer than 400 lines: all tests share this issuer, its keys and the way it behaves.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  base64url,
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import type { Database } from '../../../db/database.ts'
import { auditEvents, tenants, trusts, trustTokens, users } from '../../../db/tables.gen.ts'
import { peopleBehind, namesBehind } from '../../../server/auth/authors.ts'
import { describeActors } from '../../../server/auth/people.ts'
import { parseNetworks } from '../../../server/egress/address.ts'
import { sweepIdentity } from '../../../server/sign-in/sweep.ts'
import { addMember, addTenant, addUser, start } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { brief, startIdentityService } from '../../fixtures/identity-service.ts'

// Each refusal is a request with a transaction of its own.
setDefaultTimeout(240_000)

interface Signer {
  readonly kid: string
  readonly alg: string
  readonly key: CryptoKey
  readonly jwk: JWK
  readonly pem: string
}

async function newSigner(kid: string, alg: string): Promise<Signer> {
  const pair = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' }
  return { kid, alg, key: pair.privateKey, jwk, pem: await exportSPKI(pair.publicKey) }
}

let server: Bun.Server<undefined>
let issuer = ''
let rsa: Signer
let ec: Signer
let ed: Signer
let next: Signer
let foreign: Signer
let weak: Signer
/** What the issuer publishes, how often it was asked, and how it behaves. */
const published = { keys: [] as JWK[], asked: 0, as: 'keys' as 'keys' | 'down' | 'redirect' | 'huge' | 'other' }

beforeAll(async () => {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      if (published.as === 'down') return new Response('down', { status: 500 })
      if (url.endsWith('/.well-known/openid-configuration'))
        return Response.json({
          issuer: published.as === 'other' ? 'https://other.example' : issuer,
          jwks_uri: `${issuer}/keys`,
          authorization_endpoint: `${issuer}/auth`,
        })
      published.asked += 1
      if (published.as === 'redirect' && url.endsWith('/keys')) return Response.redirect(`${issuer}/moved`, 302)
      if (published.as === 'huge') return new Response(`{"keys":[],"x":"${'x'.repeat(600 * 1024)}"}`)
      return Response.json({ keys: published.keys })
    },
  })
  issuer = server.url.origin
  ;[rsa, ec, ed, next, foreign, weak] = await Promise.all([
    newSigner('rsa-1', 'RS256'),
    newSigner('ec-1', 'ES256'),
    newSigner('ed-1', 'EdDSA'),
    newSigner('rsa-2', 'RS256'),
    newSigner('rsa-1', 'RS256'),
    newSigner('rs512', 'RS512'),
  ])
})
afterAll(() => server.stop(true))

const audience = 'https://svc.example'
const conditions = { repository: 'acme/specs', ref: 'refs/heads/*' }
const accepted = { expires_in: 900, scope: 'catalog:import', token_type: 'Bearer', trust: 'specs' }

onBothEngines('pipelines without keys', (makeDb) => {
  let shared: Database
  beforeAll(async () => {
    shared = await makeDb()
  }, 240_000)
  const setUp = async (egress = '127.0.0.0/8') => {
    Object.assign(published, { keys: [rsa.jwk, ec.jwk, ed.jwk], asked: 0, as: 'keys' })
    await shared.inTransaction(async (tx) => {
      await tx.delete(tenants)
      await tx.delete(users)
    })
    const service = startIdentityService(shared, {
      egressAllow: parseNetworks(egress),
      publicUrl: () => audience,
    })
    const { db, ask, browser } = service
    const ann = await addUser(db, 'ann')
    const acme = await addTenant(db, 'acme')
    await addMember(db, acme, ann, 'admin')
    const headers = await browser(ann)
    const add = (changes: object = {}, of = 'acme') =>
      ask(`POST /v1/tenants/${of}/trusts`, {
        headers,
        body: { name: 'specs', issuer, conditions, scopes: ['catalog:import'], ...changes },
      })
    /** A token of the claims that GitHub documents. */
    const sign = (
      changes: Readonly<Record<string, unknown>> = {},
      { signer = rsa, header = {} }: { readonly signer?: Signer; readonly header?: Record<string, unknown> } = {},
    ): Promise<string> => {
      const seconds = service.clock.now() / 1000
      return new SignJWT({
        iss: issuer,
        aud: audience,
        sub: 'repo:acme/specs:ref:refs/heads/main',
        jti: crypto.randomUUID(),
        repository: 'acme/specs',
        repository_owner: 'acme',
        repository_id: '74',
        ref: 'refs/heads/main',
        ref_type: 'branch',
        event_name: 'push',
        job_workflow_ref: 'acme/specs/.github/workflows/api.yml@refs/heads/main',
        run_attempt: '2',
        nbf: seconds - 5,
        iat: seconds,
        exp: seconds + 300,
        ...changes,
      })
        .setProtectedHeader({ alg: signer.alg, kid: signer.kid, typ: 'JWT', ...header })
        .sign(signer.key)
    }
    const exchange = (subject_token: string, more: object = {}, of = 'acme') =>
      ask(`POST /v1/tenants/${of}/token`, { body: { subject_token, ...more } })
    /** The reason of a refusal. */
    const refusal = async (subject_token: string, more: object = {}, of = 'acme') => {
      const { status, body } = await exchange(subject_token, more, of)
      return [status, body.detail.code, body.detail.reason ?? null]
    }
    return { ...service, ann, acme, headers, add, sign, exchange, refusal }
  }

  test('a token that fits gives access with the scopes of the trust, and each step is in the audit trail', async () => {
    const { db, ann, acme, headers, ask, add, sign, exchange, clock, faults } = await setUp()
    const made = await add()
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: made.body.id,
        name: 'specs',
        issuer,
        jwks_uri: null,
        audience,
        conditions,
        scopes: ['catalog:import'],
        lifetime_seconds: 900,
        single_use: false,
        created_by: ann,
        created_at: clock.iso(),
        last_used_at: null,
      },
    ])
    for (const signer of [rsa, ec, ed]) {
      const { status, body } = await exchange(await sign({}, { signer }))
      expect([status, body]).toMatchObject([200, accepted])
      expect(body.access_token).toMatch(/^svt_[0-9A-Za-z]{38}$/)
    }
    const { body } = await exchange(await sign())
    const token = body.access_token as string
    // As a key and as a bearer token, and never in an address.
    const whoami = (headers: Record<string, string>, query = '') => ask(`GET /v1/auth/me${query}`, { headers })
    for (const headers of [{ 'x-api-key': token }, { authorization: `Bearer ${token}` }])
      expect((await whoami(headers)).body).toMatchObject({
        kind: 'api-key',
        user: null,
        key: { id: made.body.id, prefix: 'svt_', name: 'specs', scopes: ['catalog:import'], expires_at: null },
        memberships: [{ slug: 'acme' }],
      })
    // It cannot make keys or trusts: what needs a person stays with people.
    expect(brief(await ask('GET /v1/tenants/acme/trusts', { headers: { 'x-api-key': token } }))).toEqual([
      403,
      'person-required',
    ])
    const rows = await db.read.select().from(trustTokens)
    expect([rows.length, JSON.stringify(rows).includes(token)]).toEqual([4, false])
    const trail = await db.read.select().from(auditEvents).where(eq(auditEvents.tenantId, acme))
    expect(
      trail
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, 2)
        .map(({ action, actorKind, actorId, targetId, detail }) => ({ action, actorKind, actorId, targetId, detail })),
    ).toEqual([
      {
        action: 'trust.created',
        actorKind: 'user',
        actorId: ann,
        targetId: made.body.id,
        detail: { name: 'specs', issuer, audience, conditions, scopes: ['catalog:import'], lifetime_seconds: 900 },
      },
      {
        action: 'trust.token-issued',
        actorKind: 'api-key',
        actorId: made.body.id,
        targetId: made.body.id,
        detail: {
          name: 'specs',
          subject: 'repo:acme/specs:ref:refs/heads/main',
          expires_at: new Date(start + 900_000).toISOString(),
        },
      },
    ])
    expect((await ask('GET /v1/tenants/acme/trusts/specs', { headers })).body.last_used_at).toBe(clock.iso())
    // Who added the trust is behind what its pipelines do.
    const actor = `api-key:${made.body.id}`
    expect([...(await peopleBehind(db.read, acme, [actor]))]).toEqual([ann])
    expect(await namesBehind(db.read, acme, actor)).toEqual([`user:${ann}`, actor])
    expect((await describeActors(db.read, acme, [actor])).get(actor)).toEqual({ id: actor, name: 'Pipeline "specs"' })
    expect(faults).toEqual([])
  })

  test('hostile tokens are refused by name, and no condition of the organization is told', async () => {
    const { add, sign, refusal, clock, db } = await setUp()
    await add()
    const seconds = clock.now() / 1000
    const hmac = async () => {
      const key = new TextEncoder().encode(rsa.pem)
      const claims = { iss: issuer, aud: audience, sub: 'x', repository: 'acme/specs', exp: seconds + 300 }
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: rsa.kid }).sign(key)
    }
    const good = await sign()
    const [head = '', , signature = ''] = good.split('.')
    const altered = base64url.encode(
      JSON.stringify({ iss: issuer, aud: audience, sub: 'repo:acme/specs:x', exp: seconds + 300 }),
    )
    const notSigned = 'it was not signed by a key of its issuer'
    const noTrust = (of: string) => `the organization has no trust for its issuer "${of}"`
    const cases: readonly (readonly [string, string | Promise<string>, string])[] = [
      ['no token', 'hello', 'it is not a signed token (JWT)'],
      [
        'none',
        new UnsecuredJWT({ iss: issuer, aud: audience, sub: 'x' }).encode(),
        'its algorithm "none" is not one of RS256, ES256, EdDSA',
      ],
      ['a public key as a shared secret', hmac(), 'its algorithm "HS256" is not one of RS256, ES256, EdDSA'],
      [
        'an algorithm that is not listed',
        sign({}, { signer: weak }),
        'its algorithm "RS512" is not one of RS256, ES256, EdDSA',
      ],
      ['another audience', sign({ aud: 'https://other.example' }), `its audience is not "${audience}"`],
      ['no audience', sign({ aud: undefined }), `its audience is not "${audience}"`],
      ['another issuer', sign({ iss: 'https://id.example' }), noTrust('https://id.example')],
      ['an issuer with a slash more', sign({ iss: `${issuer}/` }), noTrust(`${issuer}/`)],
      ['no issuer', sign({ iss: undefined }), noTrust('')],
      ['expired', sign({ exp: seconds - 31 }), 'it has expired'],
      ['without an end', sign({ exp: undefined }), 'its claim "exp" is missing or invalid'],
      ['not yet valid', sign({ nbf: seconds + 60 }), 'it is not valid yet'],
      ['without a subject', sign({ sub: undefined }), 'its claim "sub" is missing or invalid'],
      ['a key of a stranger under a known id', sign({}, { signer: foreign }), notSigned],
      ['the id of a key of another type', sign({}, { header: { kid: 'ec-1' } }), notSigned],
      [
        'a key that the token brings along',
        sign({}, { signer: foreign, header: { kid: 'mine', jwk: foreign.jwk } }),
        notSigned,
      ],
      [
        'an address of keys that the token brings along',
        sign({}, { signer: foreign, header: { kid: 'mine', jku: `${issuer}/mine` } }),
        notSigned,
      ],
      ['other claims under a good signature', `${head}.${altered}.${signature}`, notSigned],
      ['another repository', sign({ repository: 'acme/other' }), 'its claims do not fit'],
      ['a repository that begins alike', sign({ repository: 'acme/specs-evil' }), 'its claims do not fit'],
      ['a list', sign({ repository: ['acme/specs'] }), 'its claims do not fit'],
      ['a tag', sign({ ref: 'refs/tags/v1' }), 'its claims do not fit'],
    ]
    const found = []
    for (const [name, token] of cases) found.push([name, ...(await refusal(await token))])
    expect(found).toEqual(cases.map(([name, , reason]) => [name, 400, 'trust-refused', reason]))
    expect((await refusal(good, { trust: 'other' }))[2]).toBe(
      `the organization has no such trust for its issuer "${issuer}"`,
    )
    expect((await refusal(good, { grant_type: 'password' }))[2]).toBe(
      'grant_type must be urn:ietf:params:oauth:grant-type:token-exchange',
    )
    expect((await refusal(good, { subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' }))[2]).toBe(
      'a subject_token_type must be urn:ietf:params:oauth:token-type:jwt or urn:ietf:params:oauth:token-type:id_token',
    )
    expect(await db.read.select().from(trustTokens)).toEqual([])
  })

  test('a trust holds in its organization only', async () => {
    const { db, ann, headers, ask, add, sign, exchange, refusal } = await setUp()
    const other = await addTenant(db, 'other')
    await addMember(db, other, await addUser(db, 'bob'), 'admin')
    await add()
    const noTrust = `the organization has no trust for its issuer "${issuer}"`
    // An organization that there is not answers as one without a trust.
    expect(await refusal(await sign(), {}, 'other')).toEqual([400, 'trust-refused', noTrust])
    expect(await refusal(await sign(), {}, 'nobody')).toEqual([400, 'trust-refused', noTrust])
    expect(brief(await add({ name: 'mine' }, 'other'))).toEqual([403, 'tenant-access-denied'])
    const token = (await exchange(await sign())).body.access_token as string
    expect(brief(await ask('GET /v1/tenants/other', { headers: { 'x-api-key': token } }))).toEqual([
      403,
      'tenant-access-denied',
    ])
    // The same person in both: ids of one organization name nothing in the other.
    await addMember(db, other, ann, 'admin')
    const [row] = await db.read.select().from(trusts)
    for (const line of [`GET /v1/tenants/other/trusts/${row?.id}`, `DELETE /v1/tenants/other/trusts/${row?.id}`])
      expect(brief(await ask(line, { headers }))).toEqual([404, 'trust-not-found'])
    expect((await ask('GET /v1/tenants/other/trusts', { headers })).body).toMatchObject({ items: [], total: 0 })
    expect(
      (await ask('POST /v1/tenants/other/trust-trials', { headers, body: { token: await sign() } })).body.trusts,
    ).toEqual([])
  })

  test('keys that cannot be read give no access: down, redirected, huge, of another issuer, in a private network', async () => {
    const { add, sign, exchange, ask, headers, clock } = await setUp()
    await add()
    const body = { token: await sign({ exp: clock.now() / 1000 + 7200 }) }
    const unread = 'the keys of its issuer cannot be read: '
    const seen = []
    for (const as of ['down', 'redirect', 'huge', 'other'] as const) {
      published.as = as
      // The last answer serves for an hour, and a failure is not asked about again at once.
      clock.value += 61 * 60_000
      body.token = await sign()
      const reasons = (await ask('POST /v1/tenants/acme/trust-trials', { headers, body })).body.trusts[0]
        .reasons as string[]
      seen.push([as, brief(await exchange(body.token)), reasons[0]?.replace(issuer, 'ISSUER')])
    }
    expect(seen).toEqual([
      [
        'down',
        [503, 'issuer-unavailable'],
        `${unread}Cannot fetch ISSUER/.well-known/openid-configuration: it answered 500.`,
      ],
      ['redirect', [503, 'issuer-unavailable'], `${unread}its keys answer 302`],
      [
        'huge',
        [503, 'issuer-unavailable'],
        `${unread}Cannot fetch ISSUER/keys: its answer is larger than 524288 bytes.`,
      ],
      ['other', [503, 'issuer-unavailable'], `${unread}its discovery document names another issuer`],
    ])
    const closed = await setUp('')
    await closed.add()
    expect(brief(await closed.exchange(await closed.sign()))).toEqual([503, 'issuer-unavailable'])
    expect(published.asked).toBe(0)
  })

  test('a new key of the issuer is found, and unknown ones do not make it asked more than every half minute', async () => {
    const { add, sign, exchange, refusal, clock } = await setUp()
    await add()
    expect((await exchange(await sign())).status).toBe(200)
    published.keys = [next.jwk]
    expect((await exchange(await sign({}, { signer: next }))).status).toBe(200)
    expect((await refusal(await sign()))[2]).toBe('it was not signed by a key of its issuer')
    for (const kid of ['a', 'b', 'c']) await refusal(await sign({}, { header: { kid } }))
    expect(published.asked).toBe(2)
    clock.value += 30_000
    await refusal(await sign({}, { header: { kid: 'd' } }))
    expect(published.asked).toBe(3)
  })

  test('access ends with its time and with its trust, and ended rows are swept', async () => {
    const { db, ask, add, sign, exchange, headers, clock } = await setUp()
    await add({ lifetime_seconds: 60 })
    const take = async () => (await exchange(await sign())).body.access_token as string
    const use = async (token: string) => {
      const { status, body } = await ask('GET /v1/auth/me', { headers: { 'x-api-key': token } })
      return status === 200 ? 200 : [status, body.detail.code, body.detail.reason]
    }
    const first = await take()
    clock.value += 59_999
    expect(await use(first)).toBe(200)
    clock.value += 1
    expect(await use(first)).toEqual([401, 'credentials-invalid', 'the token of the pipeline has expired'])
    const second = await take()
    await sweepIdentity(db, clock.now() + 1)
    expect((await db.read.select().from(trustTokens)).length).toBe(1)
    expect(await use(second)).toBe(200)
    expect((await ask('DELETE /v1/tenants/acme/trusts/specs', { headers })).status).toBe(204)
    expect(await use(second)).toEqual([401, 'credentials-invalid', 'the token is unknown, or its trust was removed'])
    expect(await db.read.select().from(trustTokens)).toEqual([])
    expect(brief(await ask('DELETE /v1/tenants/acme/trusts/specs', { headers }))).toEqual([404, 'trust-not-found'])
  })

  test('a token may be exchanged again, unless its trust takes each once only', async () => {
    const { db, add, sign, exchange, refusal, clock } = await setUp()
    await add()
    const shared = await sign()
    expect([(await exchange(shared)).status, (await exchange(shared)).status]).toEqual([200, 200])
    await add({ name: 'once', single_use: true, lifetime_seconds: 60, conditions: { repository: 'acme/once' } })
    const once = await sign({ repository: 'acme/once', exp: clock.now() / 1000 + 3600 })
    expect((await exchange(once)).body.trust).toBe('once')
    const again = 'it was exchanged before, and its trust takes each token once only'
    expect((await refusal(once))[2]).toBe(again)
    // Also after what it was exchanged for has ended and the rows were swept.
    clock.value += 120_000
    await sweepIdentity(db, clock.now())
    expect((await refusal(once))[2]).toBe(again)
    expect((await refusal(await sign({ repository: 'acme/once', jti: undefined })))[2]).toBe(
      'it has no usable "jti", and is to be exchanged once only',
    )
    const racing = await sign({ repository: 'acme/once' })
    const statuses = await Promise.all([exchange(racing), exchange(racing), exchange(racing)])
    expect(statuses.map((it) => it.status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
  })

  test('of several trusts the first that fits takes the token, or the one that is named; forms are taken', async () => {
    const { handle, add, sign, exchange, clock } = await setUp()
    await add()
    clock.value += 1000
    await add({ name: 'publish', scopes: ['catalog:publish'] })
    expect((await exchange(await sign())).body.trust).toBe('specs')
    expect((await exchange(await sign(), { trust: 'publish' })).body).toMatchObject({
      trust: 'publish',
      scope: 'catalog:publish',
    })
    const form = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: await sign(),
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      audience: 'ignored',
    })
    const answer = await handle(new Request('http://localhost/v1/tenants/acme/token', { method: 'POST', body: form }))
    expect([answer.status, await answer.json()]).toMatchObject([200, accepted])
  })

  test('what cannot be trusted is refused when it is added', async () => {
    const { ask, add, headers } = await setUp()
    const reasonOf = async (changes: object) => {
      const { status, body } = await add(changes)
      return [status, body.detail.code ?? body.detail, body.detail.reason]
    }
    const invalid = (reason: string) => [400, 'trust-invalid', reason]
    expect(await reasonOf({ issuer: 'http://id.example' })).toEqual(
      invalid('"http://id.example" is not an https address'),
    )
    expect(await reasonOf({ issuer: 'id.example' })).toEqual(invalid('"id.example" is not an https address'))
    expect(await reasonOf({ issuer: 'https://id.example/?x' })).toEqual(
      invalid('"https://id.example/?x" must be without a query, a fragment and a password'),
    )
    expect(await reasonOf({ jwks_uri: 'ftp://id.example' })).toEqual(
      invalid('"ftp://id.example" is not an https address'),
    )
    expect(await reasonOf({ conditions: { sub: '*' } })).toEqual(
      invalid('a condition of wildcards alone takes every token of the issuer'),
    )
    expect((await add({ scopes: ['*', 'lint:read'] })).body.detail.code).toBe('scopes-invalid')
    expect((await add({ conditions: {} })).status).toBe(422)
    expect((await add({ lifetime_seconds: 3601 })).status).toBe(422)
    expect((await add()).status).toBe(201)
    expect(brief(await add())).toEqual([409, 'trust-name-taken'])
    const trial = async (token: string) =>
      (await ask('POST /v1/tenants/acme/trust-trials', { headers, body: { token } })).body
    expect(await trial('x')).toMatchObject({
      issuer: null,
      subject: null,
      trusts: [{ accepted: false, reasons: ['it is not a signed token (JWT)'] }],
    })
  })

  test('a trial names every condition that does not fit, and issues nothing', async () => {
    const { db, ask, add, sign, headers } = await setUp()
    await add()
    await add({ name: 'elsewhere', issuer: 'https://id.example', conditions: { sub: 'x' } })
    const trial = async (token: string) =>
      (await ask('POST /v1/tenants/acme/trust-trials', { headers, body: { token } })).body.trusts.map(
        (it: { name: string; accepted: boolean; reasons: string[] }) => [it.name, it.accepted, it.reasons],
      )
    const elsewhere = ['elsewhere', false, [`it is of the issuer "${issuer}", not "https://id.example"`]]
    expect(await trial(await sign())).toEqual([['specs', true, []], elsewhere])
    expect(await trial(await sign({ repository: 'acme/other', ref: 'refs/tags/v1' }))).toEqual([
      [
        'specs',
        false,
        [
          'its claim "ref" is "refs/tags/v1", not "refs/heads/*"',
          'its claim "repository" is "acme/other", not "acme/specs"',
        ],
      ],
      elsewhere,
    ])
    expect(await db.read.select().from(trustTokens)).toEqual([])
  })
})
