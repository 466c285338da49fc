import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseNetworks } from '../../../server/egress/address.ts'
import { isImportable, listFiles, packFiles, unpackFiles } from '../../../server/hosting/listing.ts'
import { Mirrors } from '../../../server/hosting/mirrors.ts'
import { resolveRef } from '../../../server/hosting/refs.ts'
import type { Remote } from '../../../server/hosting/remote-git.ts'
import { makeRepositories, serveGitOverHttp } from '../sources/git-server.ts'

const repositories = makeRepositories()
const folder = mkdtempSync(join(tmpdir(), 'svc-mirrors-test-'))
const token = 'planted-token'
const authorization = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`
const served = serveGitOverHttp(
  repositories.root,
  (path, given) => !path.startsWith('/private') || given === authorization,
)
const allow = parseNetworks('127.0.0.0/8')
const mirrors = new Mirrors({ allow, folder, quotaBytes: 1024 ** 3 })
const signal = AbortSignal.timeout(100_000)
const remoteOf = (name: string, more: Partial<Remote> = {}): Remote => ({
  tenantId: 't',
  url: `${served.url}/${name}/.git`,
  authorization: null,
  ...more,
})
const openapi = 'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\npaths: {}\n'

beforeAll(() => {
  repositories.create('shop', {
    'openapi.yaml': openapi,
    'specs/pet.schema.json': '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}',
    'specs/flow.yaml': 'arazzo: 1.0.1\ninfo: {}\n',
    'quoted.yaml': '"openapi": "3.0.3"\ninfo: {}\n',
    'flow.yaml': '{openapi: 3.1.0, info: {}}\n',
    'specs/old.json': '{ "info": {"openapi": "3.0.0"}, "swagger": "2.0" }',
    'server.json': '{"$schema":"https://static.modelcontextprotocol.io/schemas/server.json","name":"x"}',
    'package.json': '{"openapi":"3.1.0"}',
    'notes.yaml': 'title: no document\n',
    'large.yaml': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
    'README.md': 'openapi: 3.1.0\n',
    '.github/api.yaml': openapi,
    'vendor/api.yaml': `${openapi}tags: []\n`,
    'Twin.yaml': openapi,
    'twin.yaml': openapi,
    'new\nline.yaml': openapi,
    'link.yaml': { link: 'openapi.yaml' },
  })
  repositories.git('shop', 'tag', 'main')
  repositories.git('shop', 'tag', '-a', 'v1', '-m', 'v1')
  repositories.git('shop', 'update-ref', 'refs/pull/1/head', 'HEAD')
  repositories.create('private', { 'api.yaml': openapi })
})
afterAll(async () => {
  await served.stop()
  repositories.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('refs are branches and tags; a branch goes before a tag of its name; what anyone can push to is not listed', async () => {
  const head = repositories.git('shop', 'rev-parse', 'HEAD')
  const refs = await mirrors.refs(remoteOf('shop'), signal)
  expect(refs).toEqual({
    head: 'main',
    branches: new Map([['main', head]]),
    tags: new Map([
      ['main', head],
      ['v1', head],
    ]),
  })
  const full = (ref: string | null) => {
    try {
      return resolveRef(refs, ref, 'it').full
    } catch (error) {
      return (error as { code?: string }).code
    }
  }
  expect([null, 'main', 'refs/tags/main', 'v1', 'refs/heads/v1', 'pull/1/head', 'refs/pull/1/head'].map(full)).toEqual([
    'refs/heads/main',
    'refs/heads/main',
    'refs/tags/main',
    'refs/tags/v1',
    'ref-not-found',
    'ref-not-found',
    'ref-not-found',
  ])
})

test('files are listed with their kinds, and only what may be a document is fetched', async () => {
  const commit = repositories.git('shop', 'rev-parse', 'HEAD')
  const { files, isTruncated } = await mirrors.use(remoteOf('shop'), signal, async (mirror) => {
    expect(await mirror.fetch(commit)).toBe(true)
    return listFiles(mirror, commit)
  })
  expect(isTruncated).toBe(false)
  expect(files.map((it) => [it.path, it.kind, it.reason, isImportable(it), it.size === null])).toEqual([
    ['.github/api.yaml', 'openapi', null, true, false],
    ['README.md', null, null, false, true],
    ['Twin.yaml', 'openapi', 'case-twin', true, false],
    ['flow.yaml', 'openapi', null, true, false],
    ['large.yaml', null, 'lfs-pointer', false, false],
    ['link.yaml', null, 'symlink', false, true],
    ['new\nline.yaml', 'openapi', null, true, false],
    ['notes.yaml', null, null, false, false],
    ['openapi.yaml', 'openapi', null, true, false],
    ['package.json', null, null, false, true],
    ['quoted.yaml', 'openapi', null, true, false],
    ['server.json', 'mcp', null, true, false],
    ['specs/flow.yaml', 'arazzo', null, true, false],
    ['specs/old.json', 'swagger', null, true, false],
    ['specs/pet.schema.json', 'json-schema', null, true, false],
    ['twin.yaml', 'openapi', 'case-twin', true, false],
    ['vendor/api.yaml', null, null, true, true],
  ])
  expect(await unpackFiles(await packFiles(files))).toEqual(files)
})

test('a commit that the remote does not have is no failure; changed paths are those of the trees', async () => {
  const from = repositories.git('shop', 'rev-parse', 'HEAD')
  repositories.git('shop', 'mv', 'notes.yaml', 'moved.yaml')
  writeFileSync(join(repositories.root, 'shop', 'openapi.yaml'), `${openapi}tags: []\n`)
  repositories.git('shop', 'commit', '-qam', 'two')
  const to = repositories.git('shop', 'rev-parse', 'HEAD')
  await mirrors.use(remoteOf('shop'), signal, async (mirror, refs) => {
    expect(refs.branches.get('main')).toBe(to)
    expect(await mirror.fetch('1'.repeat(40))).toBe(false)
    expect([await mirror.fetch(from), await mirror.fetch(to), await mirror.fetch(to, true)]).toEqual([true, true, true])
    expect(await mirror.changed(from, to)).toEqual(['moved.yaml', 'notes.yaml', 'openapi.yaml'])
    const entry = (await mirror.tree(to)).find(({ path }) => path === 'openapi.yaml')
    const blobs = await mirror.blobs([entry?.oid ?? ''], 1000)
    expect(new TextDecoder().decode(blobs?.get(entry?.oid ?? ''))).toBe(`${openapi}tags: []\n`)
    expect(await mirror.blobs([entry?.oid ?? ''], 10)).toBeNull()
    expect(Date.parse((await mirror.committedAt(to)) ?? '')).toBeGreaterThan(Date.now() - 86_400_000)
  })
})

test('the token is sent to its origin, and is in no argument, file or message', async () => {
  const remote = remoteOf('private', { authorization })
  const failure = await mirrors.refs(remoteOf('private'), signal).catch((error: Error) => error.message)
  expect(failure).toContain('cannot be read without credentials')
  const wrong = `Basic ${Buffer.from('x:wrong-token').toString('base64')}`
  const message = await mirrors
    .refs(remoteOf('private', { authorization: wrong }), signal)
    .catch((error: Error) => error.message)
  expect(String(message)).not.toContain('wrong-token')
  const commit = repositories.git('private', 'rev-parse', 'HEAD')
  await mirrors.use(remote, signal, async (mirror) => {
    await mirror.fetch(commit)
    expect((await listFiles(mirror, commit)).files.map(({ kind }) => kind)).toEqual(['openapi'])
  })
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile())
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) {
    const text = readFileSync(join(file.parentPath, file.name), 'latin1')
    expect(text.includes(token) || text.includes(authorization)).toBe(false)
  }
})

test('a mirror that is broken or was removed is made again', async () => {
  const remote = remoteOf('shop')
  const commit = repositories.git('shop', 'rev-parse', 'HEAD')
  const paths = () =>
    mirrors.use(remote, signal, async (mirror) => {
      await mirror.fetch(commit)
      return (await mirror.tree(commit)).length
    })
  const count = await paths()
  for (const name of readdirSync(folder)) {
    rmSync(join(folder, name, 'objects'), { recursive: true })
    mkdirSync(join(folder, name, 'objects'))
  }
  expect(await paths()).toBe(count)
  rmSync(folder, { recursive: true })
  expect(await paths()).toBe(count)
})

test('mirrors over the quota are removed, those that were not read for longest first; organizations share none', async () => {
  const small = new Mirrors({ allow, folder, quotaBytes: 1 })
  const commit = repositories.git('shop', 'rev-parse', 'HEAD')
  const use = (tenantId: string) => small.use(remoteOf('shop', { tenantId }), signal, (mirror) => mirror.fetch(commit))
  await use('one')
  await use('two')
  expect(readdirSync(folder)).toEqual([])
  const large = new Mirrors({ allow, folder, quotaBytes: 1024 ** 3 })
  for (const tenantId of ['one', 'two'])
    await large.use(remoteOf('shop', { tenantId }), signal, (mirror) => mirror.fetch(commit))
  expect(readdirSync(folder).length).toBe(2)
})

test('work on one mirror is done one after the other, also of two processes', async () => {
  const other = new Mirrors({ allow, folder, quotaBytes: 1024 ** 3 })
  let running = 0
  let most = 0
  const use = (mirrors: Mirrors) =>
    mirrors.use(remoteOf('shop'), signal, async () => {
      most = Math.max(most, ++running)
      await Bun.sleep(20)
      running--
    })
  await Promise.all([use(mirrors), use(other), use(mirrors), use(other)])
  expect(most).toBe(1)
  expect(existsSync(folder) && readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([])
})

test('only https and http are read', async () => {
  const refused = await mirrors
    .refs(remoteOf('x', { url: 'git@127.0.0.1:shop.git' }), signal)
    .catch((error: { code: string }) => error.code)
  const denied = await new Mirrors({ allow: [], folder, quotaBytes: 1 })
    .refs(remoteOf('shop'), signal)
    .catch((error: { code: string }) => error.code)
  expect([refused, denied]).toEqual(['source-refused', 'egress-denied'])
})
