/** Attacks that go across features: framing, redirects, keys where they do not belong, time as a witness, races. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEvents, licenses, memberships, tenants } from '../../../db/tables.gen.ts'
import { noteAddress } from '../../../server/auth/address.ts'
import { makeKey, readKey } from '../../../server/auth/key-format.ts'
import { authenticateKey } from '../../../server/sign-in/authenticate.ts'
import { endpoints } from '../../../src/api/contracts.gen.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService as startWhole } from '../../fixtures/service.ts'
import { addApiKey, addTenant } from '../../fixtures/accounts.ts'
import { addPerson, startIdentityService } from '../../fixtures/identity-service.ts'

onBothEngines('attacks', (makeDb) => {
  test('no page can be framed, and none runs what another origin sends', async () => {
    const { service, get } = await startWhole(await makeDb())
    for (const path of ['/app/', '/app/sign-in', '/app/device', '/app/t/acme/-/keys']) {
      const { headers } = await get(path, { accept: 'text/html' })
      expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY'])
      const policy = headers.get('content-security-policy') ?? ''
      for (const part of ["frame-ancestors 'none'", "base-uri 'none'", "default-src 'none'"])
        expect([path, part, policy.includes(part)]).toEqual([path, part, true])
      expect([path, /script-src[^;]*'unsafe/.test(policy)]).toEqual([path, false])
    }
    await service.stop()
  })

  test('the root answers anybody: facts to programs, the application to browsers', async () => {
    const { service, get } = await startWhole(await makeDb())
    const facts = await get('/')
    expect([facts.status, await facts.json()]).toEqual([
      200,
      {
        service: 'svc',
        api_version: '1.204.2',
        contract: '/v1/openapi.json',
        application: '/app/',
        documentation: '/docs',
      },
    ])
    const page = await get('/', { accept: 'text/html' })
    expect([page.status, page.headers.get('location')]).toEqual([302, '/app/'])
    await service.stop()
  })

  test('nothing redirects elsewhere, whatever an address says', async () => {
    const { service, get } = await startWhole(await makeDb())
    const found: string[] = []
    for (const path of [
      '/?next=https://evil.example',
      '//evil.example/',
      '/app//evil.example/',
      '/app?to=https://evil.example',
      '/app/sign-in?to=https://evil.example',
      '/_app/oidc/start?return_to=https://evil.example',
      '/_app/oidc/callback?state=x&return_to=https://evil.example',
    ]) {
      const { headers } = await get(path, { accept: 'text/html', host: 'evil.example' })
      const location = headers.get('location')
      if (location !== null && !/^\/app\/(?!\/)/.test(location)) found.push(`${path} → ${location}`)
    }
    expect(found).toEqual([])
    await service.stop()
  })

  test('a key in an address opens nothing but documents, and no answer repeats it', async () => {
    const service = startIdentityService(await makeDb())
    const key = await addApiKey(service.db, await addTenant(service.db, 'acme'))
    const leaks: string[] = []
    for (const { method, path, access, query } of endpoints) {
      if (query?.properties.api_key !== undefined || access.anonymous === true) continue
      const target = `${path.replace('{tenant_slug}', 'acme').replaceAll(/\{\w+\}/g, 'x')}?api_key=${key}`
      const request = new Request(`http://localhost${target}`, { method })
      const response = await service.handle(noteAddress(request, '10.0.0.1'))
      const text = await response.text()
      if (response.status !== 401 && response.status !== 404) leaks.push(`${method} ${path}: ${response.status}`)
      if (text.includes(key)) leaks.push(`${method} ${path} repeats it`)
    }
    expect(leaks).toEqual([])
  })

  test('how close a guess is to a key does not show by its time: only digests are compared', async () => {
    const service = startIdentityService(await makeDb())
    const key = await addApiKey(service.db, await addTenant(service.db, 'acme'))
    const asked: string[] = []
    const { db } = service
    const watched = new Proxy(db, {
      get(target, name) {
        if (name !== 'read') return Reflect.get(target, name) as unknown
        return new Proxy(target.read, {
          get(read, method) {
            const found = Reflect.get(read, method) as unknown
            if (method !== 'select') return found
            return (...args: never[]) => {
              const builder = (
                found as (...args: never[]) => { from: (table: unknown) => { where: (it: unknown) => unknown } }
              ).apply(read, args)
              const from = builder.from.bind(builder)
              return Object.assign(builder, {
                from: (table: unknown) => {
                  const query = from(table)
                  const where = query.where.bind(query)
                  return Object.assign(query, {
                    where: (condition: unknown) => {
                      const done = where(condition) as { toSQL?: () => { params: unknown[] } }
                      asked.push(...(done.toSQL?.().params ?? []).map(String))
                      return done
                    },
                  })
                },
              })
            }
          },
        })
      },
    })
    const deps = { ...service.identity, db: watched }
    // A guess that shares all but its end with the key: its digest shares nothing with the stored one.
    const near = makeKey('api')
    for (const guess of [key, near]) await authenticateKey(deps, guess).catch(() => {})
    expect(asked).toContain(readKey(key)?.hash ?? '')
    expect(asked).toContain(readKey(near)?.hash ?? '')
    for (const guess of [key, near]) expect(asked.some((it) => it.includes(guess.slice(4)))).toBe(false)
  })

  test('two servers race for one slug: one gets it, the others are refused and leave no rows', async () => {
    const target = await makeDb.makeTarget()
    const [one, two] = [await makeDb.open(target), await makeDb.open(target)]
    const services = [startIdentityService(one), startIdentityService(two)]
    const people = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => addPerson(one, name)))
    for (const slug of ['acme', 'beta']) {
      const contenders = slug === 'acme' ? people.slice(0, 3) : people.slice(3)
      const answers = await Promise.all(
        contenders.map(async (id, n) => {
          const service = services[n % 2]
          const headers = (await service?.bearer(id)) ?? {}
          return service?.ask('POST /v1/onboarding/first-tenant', { headers, body: { name: slug } })
        }),
      )
      expect(answers.map((it) => String(it?.body.detail?.code ?? it?.status)).sort()).toEqual([
        '201',
        'tenant-slug-taken',
        'tenant-slug-taken',
      ])
      expect(await one.read.select().from(tenants).where(eq(tenants.slug, slug))).toHaveLength(1)
    }
    for (const table of [tenants, memberships, licenses, auditEvents]) expect(await one.read.$count(table)).toBe(2)
    expect(services.flatMap((it) => it.faults)).toEqual([])
  })
})
