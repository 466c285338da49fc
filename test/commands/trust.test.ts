/** `svc trust` as a pipeline and an administrator use it, against a service on loopback and an issuer of its own. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { registry } from '../../cli/registry.gen.ts'
import { openDatabase } from '../../db/open.ts'
import { parseNetworks } from '../../server/egress/address.ts'
import { noteAddress } from '../../server/auth/address.ts'
import { addMember, addTenant, addUser, start } from '../fixtures/accounts.ts'
import { type Service, startIdentityService } from '../fixtures/identity-service.ts'
import { runCommand } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-trust-'))
let service: Service
let key: CryptoKey
let issuer: Bun.Server<undefined>
let front: Bun.Server<undefined>
/** What the runner of GitHub Actions was asked. */
const asked: string[] = []

const sign = (repository: string): Promise<string> =>
  new SignJWT({ repository, ref: 'refs/heads/main' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .setIssuer(issuer.url.origin)
    .setAudience(front.url.origin)
    .setSubject(`repo:${repository}:ref:refs/heads/main`)
    .setExpirationTime(start / 1000 + 300)
    .sign(key)

beforeAll(async () => {
  const pair = await generateKeyPair('ES256')
  key = pair.privateKey
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256' }
  issuer = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async ({ url, headers }) => {
      const { pathname, searchParams, origin } = new URL(url)
      if (pathname === '/keys') return Response.json({ keys: [jwk] })
      if (pathname !== '/runner')
        return Response.json({ issuer: origin, jwks_uri: `${origin}/keys`, authorization_endpoint: `${origin}/a` })
      asked.push(`${headers.get('authorization')} ${searchParams.get('audience')}`)
      return Response.json({ value: await sign('acme/specs') })
    },
  })
  service = startIdentityService(await openDatabase({ kind: 'sqlite', path: join(folder, 'svc.db') }), {
    egressAllow: parseNetworks('127.0.0.0/8'),
    publicUrl: () => front.url.origin,
  })
  front = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => service.handle(noteAddress(request, '127.0.0.1')),
  })
})
afterAll(async () => {
  await Promise.all([issuer.stop(true), front.stop(true)])
  await service.db.close()
  rmSync(folder, { recursive: true })
})

test('an administrator trusts a pipeline, which gets access without a key', async () => {
  const ann = await addUser(service.db, 'ann')
  const acme = await addTenant(service.db, 'acme')
  await addMember(service.db, acme, ann, 'admin')
  const headers = await service.browser(ann)
  const add = await service.ask('POST /v1/tenants/acme/trusts', {
    headers,
    body: {
      name: 'specs',
      issuer: issuer.url.origin,
      conditions: { repository: 'acme/specs' },
      scopes: ['catalog:import'],
    },
  })
  expect(add.status).toBe(201)
  const at = ['--base-url', front.url.origin, '--tenant', 'acme', 'trust', 'exchange']
  const pipeline = (args: readonly string[], env: Record<string, string> = {}, stdin?: string) =>
    runCommand([...at, ...args], registry, { env: { HOME: folder, ...env }, cwd: folder, ...(stdin && { stdin }) })
  // GitHub Actions: the token is asked of the runner, for the address of the service.
  const runner = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.url.origin}/runner?api-version=2`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the job',
  }
  const onGithub = await pipeline([], runner)
  expect([onGithub.exit, onGithub.stderr, asked]).toEqual([0, '', [`Bearer of the job ${front.url.origin}`]])
  expect(onGithub.stdout).toMatch(/^svt_[0-9A-Za-z]{38}\n$/)
  const me = await service.ask('GET /v1/auth/me', { headers: { 'x-api-key': onGithub.stdout.trim() } })
  expect(me.body.key.name).toBe('specs')
  // GitLab and Buildkite: a variable; Kubernetes: a file; anything else: standard input.
  const token = await sign('acme/specs')
  writeFileSync(join(folder, 'token'), `${token}\n`)
  const ways = [
    await pipeline([], { SVC_ID_TOKEN: token }),
    await pipeline([], { SVC_ID_TOKEN_FILE: join(folder, 'token') }),
    await pipeline(['--token-stdin', '--trust', 'specs'], runner, `${token}\n`),
  ]
  expect(ways.map((it) => [it.exit, /^svt_\w{38}\n$/.test(it.stdout), it.stderr])).toEqual([
    [0, true, ''],
    [0, true, ''],
    [0, true, ''],
  ])
  expect(asked).toHaveLength(1)
  const stranger = await pipeline([], { SVC_ID_TOKEN: await sign('evil/specs') })
  expect([stranger.exit, stranger.stdout, stranger.stderr.split('\n')[0]]).toEqual([
    3,
    '',
    'error: The token of the pipeline is not accepted: its claims do not fit.',
  ])
  const missing = await pipeline([])
  expect([missing.exit, missing.stderr.split('\n')[0]]).toEqual([
    2,
    'error: Missing token: set SVC_ID_TOKEN, pipe it to --token-stdin, or give the job of GitHub Actions the permission id-token: write',
  ])
})
