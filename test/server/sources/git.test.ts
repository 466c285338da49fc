import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SvcError } from '../../../src/errors.ts'
import { parseNetworks } from '../../../server/egress/address.ts'
import { checkRepository } from '../../../server/sources/git/address.ts'
import { repositoryOpener } from '../../../server/sources/git/repository.ts'
import { makeRepositories, type Repositories, serveGitOverHttp, serveGitOverSsh } from './git-server.ts'

const loopback = parseNetworks('127.0.0.1/32')
// Other tests run beside these: what they leave in the system's folder says nothing of this one.
const temporary = mkdtempSync(join(tmpdir(), 'svc-git-test-'))
const open = repositoryOpener({ allow: loopback, identity: 'none', temporary })
const signal = () => AbortSignal.timeout(30_000)

let repos: Repositories
let http: ReturnType<typeof serveGitOverHttp>
let ssh: Awaited<ReturnType<typeof serveGitOverSsh>>
let commit = ''

const noise = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64')

beforeAll(async () => {
  repos = makeRepositories()
  commit = repos.create('specs', {
    'api.yaml': 'openapi: 3.1.0\n',
    'schemas/pet.json': '{"type":"object"}',
    'link.yaml': { link: '/etc/passwd' },
    ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`assets/${n}.bin`, noise()])),
  })
  repos.git('specs', 'tag', '-a', 'v1', '-m', 'v1')
  http = serveGitOverHttp(repos.root)
  ssh = await serveGitOverSsh(repos.root)
})
afterAll(async () => {
  await http.stop()
  await ssh.stop()
  repos.remove()
  rmSync(temporary, { recursive: true, force: true })
})

const failure = async (url: string, ref?: string, from = open): Promise<[code: string, message: string]> => {
  try {
    const tree = await from({ url, ref }, signal())
    await tree.close()
    return ['read', '']
  } catch (error) {
    return error instanceof SvcError ? [error.code, error.message] : ['?', String(error)]
  }
}

test('over http: one commit, and of its files those that are read', async () => {
  http.seen.length = 0
  const tree = await open({ url: `${http.url}/specs` }, signal())
  expect([tree.commit, tree.paths.length, tree.paths.includes('link.yaml')]).toEqual([commit, 22, false])
  expect(new TextDecoder().decode(await tree.read('schemas/pet.json'))).toBe('{"type":"object"}')
  expect(await tree.read('link.yaml').catch((error: unknown) => (error as SvcError).code)).toBe('source-link')
  await tree.close()
  const asked = http.seen.map(({ body }) => body).join('')
  expect([asked.includes('deepen 1'), asked.includes('filter blob:none')]).toEqual([true, true])
  expect(http.seen.reduce((sum, one) => sum + one.answered, 0)).toBeLessThan(10_000)
})

test('by tag and by commit', async () => {
  for (const ref of ['v1', 'main', 'refs/heads/main', commit]) {
    const tree = await open({ url: `${http.url}/specs`, ref }, signal())
    expect([ref, tree.commit]).toEqual([ref, commit])
    await tree.close()
  }
})

test('a server that cannot leave files out sends them all', async () => {
  repos.create('plain', { 'api.yaml': 'openapi: 3.1.0\n' })
  repos.git('plain', 'config', 'uploadpack.allowFilter', 'false')
  const tree = await open({ url: `${http.url}/plain` }, signal())
  expect(new TextDecoder().decode(await tree.read('api.yaml'))).toBe('openapi: 3.1.0\n')
  await tree.close()
})

// A machine without an ssh client cannot read over ssh either: there is nothing to try.
test.skipIf(Bun.which('ssh') === null)('over ssh, through the guard', async () => {
  const tree = await open({ url: `ssh://git@127.0.0.1:${ssh.port}/specs`, ref: 'v1' }, signal())
  expect([tree.commit, new TextDecoder().decode(await tree.read('api.yaml'))]).toEqual([commit, 'openapi: 3.1.0\n'])
  await tree.close()
  expect([...new Set(ssh.commands)]).toEqual(["git-upload-pack '/specs'"])
})

test('what is refused, and why', async () => {
  const closed = repositoryOpener({ allow: [], identity: 'none' })
  expect((await failure(`${http.url}/specs`, undefined, closed))[0]).toBe('egress-denied')
  expect((await failure(`ssh://git@127.0.0.1:${ssh.port}/specs`, undefined, closed))[0]).toBe('egress-denied')
  expect(await failure(`${http.url}/nothing`)).toEqual([
    'git-failed',
    `Cannot read the repository ${http.url}/nothing: there is no repository.`,
  ])
  expect((await failure(`${http.url}/specs`, 'nope'))[1]).toContain('it has no branch, tag or commit "nope"')
  expect((await failure(`ssh://git@127.0.0.1:${ssh.port}/nothing`))[0]).toBe('git-failed')
  const elsewhere = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => Response.redirect(request.url.replace('127.0.0.1', '127.0.0.2')),
  })
  expect((await failure(`http://127.0.0.1:${elsewhere.port}/specs`))[0]).toBe('egress-denied')
  await elsewhere.stop(true)
})

test('addresses and refs that would be more than that', () => {
  const judge = (url: string, ref?: string): string => {
    try {
      checkRepository({ url, ref })
      return 'taken'
    } catch (error) {
      return error instanceof SvcError ? error.code : String(error)
    }
  }
  const sound = [
    'https://github.com/acme/specs.git',
    'http://[2001:db8::1]:8080/x',
    'ssh://git@example.com:2222/specs.git',
    'git@example.com:acme/specs.git',
    'example.com:specs',
  ]
  const unsound = [
    'ext::sh -c id',
    'ext::id',
    'file:///etc',
    '/srv/specs',
    './specs',
    'git://example.com/x',
    '-oProxyCommand=id',
    'ssh://-oProxyCommand=id/x',
    'ssh://git@-x/y',
    'ssh://-l@example.com/y',
    'ssh://%zz@example.com/y',
    'git@example.com:-x',
    'https://user:secret@example.com/x',
    'https://token@example.com/x',
    'ssh://git:secret@example.com/x',
    'https://example.com/x\n-x',
    'https://example.com/a b',
  ]
  expect(sound.map((url) => judge(url))).toEqual(sound.map(() => 'taken'))
  expect(unsound.map((url) => judge(url))).toEqual(unsound.map(() => 'source-refused'))
  const refs = [
    '--upload-pack=id',
    '-x',
    'a..b',
    'a:b',
    '+main',
    'a b',
    'a\nb',
    '^main',
    'main~1',
    'a*',
    '@{-1}',
    '',
    'x.lock',
    '.x',
  ]
  expect(refs.map((ref) => judge('https://example.com/x', ref))).toEqual(refs.map(() => 'source-refused'))
  expect(judge('https://example.com/x', 'release/2.x')).toBe('taken')
  const shown = (() => {
    try {
      checkRepository({ url: 'https://user:secret@example.com/x' })
    } catch (error) {
      return JSON.stringify((error as SvcError).detail) + (error as SvcError).message
    }
    return ''
  })()
  expect(shown).not.toContain('secret')
})

test('an import that is cancelled ends git, and nothing stays behind', async () => {
  const ending = new AbortController()
  let during: string[] = []
  const waiting = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => {
      during = readdirSync(temporary)
      ending.abort(new Error('cancelled'))
      return new Promise<Response>(() => {})
    },
  })
  const url = `http://127.0.0.1:${waiting.port}/specs`
  expect(await open({ url }, ending.signal).catch(() => 'ended')).toBe('ended')
  await waiting.stop(true)
  expect([during.length, readdirSync(temporary)]).toEqual([1, []])
})
