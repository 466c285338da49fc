/** What an agent cannot do with `svc mcp --design`: break an API unnoticed, lose the edit of another, reach outside. */
import { afterAll, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../../src/kernel/json.ts'
import { Repository } from '../../../cli/mcp/design/repository.ts'
import { findProjectFile } from '../../../cli/project-file/find.ts'
import { connectDesign, designFolder, type DesignClient } from '../../fixtures/design-client.ts'

const examples = join(import.meta.dir, '../../../node_modules/@readme/oas-examples/3.0/json')
const petstore = readFileSync(join(examples, 'petstore.json'), 'utf8')
const folders: { remove: () => void }[] = []
afterAll(() => {
  for (const it of folders) it.remove()
})
const folderOf = (files: Record<string, string>): string => {
  const made = designFolder(files)
  folders.push(made)
  return made.path
}

interface Edit {
  readonly path: string
  readonly op?: string
  readonly value?: unknown
}

type Items = Record<string, Record<string, { parameters?: { required?: boolean; in: string; name: string }[] }>>
type Schemas = Record<string, { properties?: Record<string, { type?: string; enum?: unknown }> }>

const token = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1')

/** Edits of the petstore that break a client each. */
function breakingEdits(): Edit[] {
  const { paths, components } = JSON.parse(petstore) as { paths: Items; components: { schemas: Schemas } }
  const edits: Edit[] = []
  for (const [path, item] of Object.entries(paths)) {
    // Without /user/logout its requests are still answered, by /user/{username}.
    if (path === '/user/logout') continue
    edits.push({ path: `/paths/${token(path)}` })
    for (const [method, operation] of Object.entries(item)) {
      const at = `/paths/${token(path)}/${method}`
      edits.push({ path: at })
      const added = { name: 'tenant', in: 'query', required: true, schema: { type: 'string' } }
      edits.push(
        operation.parameters === undefined
          ? { path: `${at}/parameters`, value: [added] }
          : { path: `${at}/parameters/-`, value: added },
      )
      for (const [index, it] of (operation.parameters ?? []).entries())
        if (it.in === 'path')
          edits.push({ path: `${at}/parameters/${index}/schema`, value: { type: 'string', enum: ['only-this'] } })
    }
  }
  for (const [name, { properties = {} }] of Object.entries(components.schemas))
    for (const [property, { type }] of Object.entries(properties))
      if (name === 'Pet' || name === 'Order')
        edits.push({
          path: `/components/schemas/${name}/properties/${property}`,
          value: { type: type === 'string' ? 'boolean' : 'string' },
        })
  return edits
}

const shop = 'apis:\n  shop: { root: openapi.json }\n'

test('60 planted breaking edits: none is written in a dry run, all are refused without acceptance, one is written with it', async () => {
  const folder = folderOf({ 'svc.yaml': shop, 'openapi.json': petstore })
  const client = await connectDesign(folder)
  const edits = breakingEdits().slice(0, 60)
  expect(edits.length).toBe(60)
  const read = (): string => readFileSync(join(folder, 'openapi.json'), 'utf8')
  let last: Record<string, unknown> = {}
  for (const edit of edits) {
    const asked = { file: 'shop', edits: [edit], max_tokens: 20_000 }
    const { value: dry } = await client.call('edit', asked)
    expect([edit, dry.written, dry.verdict]).toEqual([edit, false, 'breaking'])
    const fingerprints = dry.not_accepted as string[]
    expect(fingerprints.length).toBeGreaterThan(0)
    const real = { ...asked, dry_run: false, expected_digest: dry.digest }
    const { value: refused } = await client.call('edit', real)
    expect([edit, refused.written, refused.not_accepted]).toEqual([edit, false, fingerprints])
    // Others than its own, and all but one of its own, accept nothing.
    const { value: other } = await client.call('edit', { ...real, accept: ['0'.repeat(32), ...fingerprints.slice(1)] })
    expect([edit, other.written]).toEqual([edit, false])
    last = { ...real, accept: fingerprints }
  }
  expect(read()).toBe(petstore)
  const { value: written } = await client.call('edit', last)
  expect(written.written).toBe(true)
  expect(read()).not.toBe(petstore)
  await client.close()
}, 120_000)

test('what differed from the older side before the edit is not asked for again, and the version counts all of it', async () => {
  const folder = folderOf({
    'svc.yaml': 'apis:\n  shop: { root: openapi.json, compareWith: git:HEAD }\n',
    'openapi.json': petstore,
  })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.email=a@b.test', '-c', 'user.name=a', ...args], { cwd: folder, stdio: 'ignore' })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'first')
  const client = await connectDesign(folder)
  const removed = { file: 'shop', edits: [{ path: '/paths/~1store~1inventory' }] }
  const { value: dry } = await client.call('edit', removed)
  const { value: done } = await client.call('edit', {
    ...removed,
    dry_run: false,
    expected_digest: dry.digest,
    accept: dry.not_accepted,
  })
  expect(done).toMatchObject({ written: true, compared_with: 'HEAD:openapi.json', next_version: '2.0.0' })
  const { value: next } = await client.call('edit', { file: 'shop', edits: [{ path: '/info/title', value: 'Store' }] })
  expect(next).toMatchObject({ verdict: 'safe', not_accepted: [], next_version: '2.0.0' })
  // What is not published yet may change.
  const added = {
    file: 'shop',
    dry_run: false,
    edits: [{ path: '/paths/~1new', value: { get: { responses: { 200: { description: 'ok' } } } } }],
  }
  const { value: new1 } = await client.call('edit', { ...added, expected_digest: next.digest })
  expect(new1).toMatchObject({ written: true, verdict: 'safe' })
  const { value: gone } = await client.call('edit', {
    file: 'shop',
    dry_run: false,
    edits: [{ path: '/paths/~1new' }],
    expected_digest: new1.digest,
  })
  expect(gone).toMatchObject({ written: true, verdict: 'safe' })
  await client.close()
}, 60_000)

test('200 random edits by two clients at once: each is written once, and nothing is lost', async () => {
  const document = JSON.parse(petstore) as Record<string, Json>
  const folder = folderOf({ 'svc.yaml': shop, 'openapi.json': JSON.stringify({ ...document, 'x-log': {} }, null, 2) })
  const clients = [await connectDesign(folder, 'new'), await connectDesign(folder, 'old')]
  let outdated = 0
  const editing = async (client: DesignClient, who: number): Promise<void> => {
    const { value: first } = await client.call('edit', { file: 'shop', edits: [{ path: '/info/title', value: 'x' }] })
    let digest = first.digest
    for (let number = 0; number < 100;) {
      const edit = { path: `/x-log/${who}-${number}`, value: number % 3 === 0 ? { number } : `of client ${who}` }
      const { value } = await client.call('edit', {
        file: 'shop',
        edits: [edit],
        dry_run: false,
        expected_digest: digest,
      })
      if (value.code === 'edit-outdated') {
        outdated++
        digest = /sha256:[0-9a-f]{64}/.exec(String(value.message))?.[0]
        continue
      }
      expect(value).toMatchObject({ written: true, verdict: 'safe' })
      digest = value.digest
      number++
    }
  }
  await Promise.all(clients.map(editing))
  const text = readFileSync(join(folder, 'openapi.json'), 'utf8')
  const log = (JSON.parse(text) as { 'x-log': object })['x-log']
  expect(Object.keys(log).length).toBe(200)
  expect(new Set(Object.keys(log)).size).toBe(200)
  expect(outdated).toBeGreaterThan(0)
  await Promise.all(clients.map((it) => it.close()))
}, 170_000)

// What requests are checked by is one of two schemas that are the same at first.
const spare = 'Used: { type: object }\nSpare: { type: object } # of no request\n'
const orders = `openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
paths:
  /orders:
    post:
      requestBody: { content: { application/json: { schema: { $ref: 'parts.yaml#/Used' } } } }
      responses: { '204': { description: Taken } }
`

test('two edits of two files that break only together: one is written, whichever is first, and the other is refused', async () => {
  const files = { 'svc.yaml': 'apis:\n  shop: { root: orders.yaml }\n', 'orders.yaml': orders, 'parts.yaml': spare }
  const folder = folderOf(files)
  const clients = [await connectDesign(folder), await connectDesign(folder)] as const
  const schema = '/paths/~1orders/post/requestBody/content/application~1json/schema/$ref'
  const edits = [
    { file: 'orders.yaml', edits: [{ path: schema, value: 'parts.yaml#/Spare' }] },
    { file: 'parts.yaml', edits: [{ path: '/Spare/required', value: ['id'] }] },
  ] as const
  for (let round = 0; round < 4; round++) {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const asked = await Promise.all(
      clients.map(async (client, at) => {
        const { value: dry } = await client.call('edit', edits[at] ?? {})
        expect([dry.verdict, dry.not_accepted]).toEqual(['safe', []])
        return { ...edits[at], dry_run: false, expected_digest: dry.digest }
      }),
    )
    const answers = await Promise.all(
      clients.map(async (client, at) => (await client.call('edit', asked[at] ?? {})).value),
    )
    expect(answers.filter((it) => it.written === true).length).toBe(1)
    const refused = answers.find((it) => it.written === false)
    expect(refused).toMatchObject({ verdict: 'breaking', not_accepted: [expect.any(String)] })
  }
  await Promise.all(clients.map((it) => it.close()))
}, 100_000)

test('a file is not replaced where one that decided changed since it was evaluated', async () => {
  const folder = folderOf({ 'svc.yaml': shop, 'openapi.json': petstore, 'parts.yaml': spare })
  const file = await findProjectFile(folder)
  if (file === null) throw new Error('there is no svc.yaml')
  const repository = new Repository(file, join(folder, 'locks'))
  const opened = await repository.open('openapi.json')
  const beside = new Map([[join(folder, 'parts.yaml'), spare]])
  writeFileSync(join(folder, 'parts.yaml'), `${spare}More: {}\n`)
  expect(await repository.replace(opened, '{}', beside)).toEqual({ changed: join(folder, 'parts.yaml') })
  expect(readFileSync(join(folder, 'openapi.json'), 'utf8')).toBe(petstore)
  writeFileSync(join(folder, 'parts.yaml'), spare)
  expect(await repository.replace(opened, '{}', beside)).toEqual({ digest: expect.stringMatching(/^sha256:/) })
  expect(readFileSync(join(folder, 'openapi.json'), 'utf8')).toBe('{}')
})

test('a hostile repository: links, "..", devices, pipes and huge files are refused by name, and nothing outside is changed', async () => {
  const outside = folderOf({ 'victim.json': petstore, 'secret.yaml': 'password: hunter2\n' })
  const folder = folderOf({
    'svc.yaml': 'apis:\n  shop: { root: openapi.json }\n  out: { root: ../x.json }\n',
    'openapi.json': petstore,
  })
  symlinkSync(join(outside, 'victim.json'), join(folder, 'link.json'))
  symlinkSync(outside, join(folder, 'linked'))
  symlinkSync('/dev/zero', join(folder, 'device.json'))
  symlinkSync('link.json', join(folder, 'chain.json'))
  execFileSync('mkfifo', [join(folder, 'pipe.json')])
  writeFileSync(join(folder, 'huge.json'), '')
  truncateSync(join(folder, 'huge.json'), 17 * 1024 * 1024)
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, '.git/config.json'), petstore)
  symlinkSync('.git/config.json', join(folder, 'inner.json'))
  const client = await connectDesign(folder)
  const names = [
    'link.json',
    'linked/victim.json',
    'linked/secret.yaml',
    'device.json',
    'chain.json',
    'pipe.json',
    'huge.json',
    '../victim.json',
    'a/../../x.json',
    '/etc/passwd',
    '/dev/zero',
    'file:///etc/passwd',
    'http://127.0.0.1:1/x.json',
    String.raw`..\victim.json`,
    '.git/config.json',
    '.GIT/config.json',
    'inner.json',
    'out',
    'openapi.json\0',
  ]
  for (const tool of ['edit', 'bundle', 'convert', 'example', 'stub'])
    for (const name of names) {
      const more = {
        edit: {
          edits: [{ path: '/info/title', value: 'x' }],
          dry_run: false,
          expected_digest: createHash('sha256').update(petstore).digest('hex'),
        },
        bundle: {},
        convert: { to: 'openapi-3.1' },
        example: { operation: 'GET /pet' },
        stub: { operation: 'GET /pet' },
      }[tool]
      const { isError, value } = await client.call(tool, { file: name, ...more })
      expect([tool, name, isError, value.code]).toEqual([tool, name, true, 'file-refused'])
      expect(String(value.message)).toContain(
        JSON.stringify(name).slice(1, -1).replaceAll('\\\\', '\\').split('\0')[0]?.replace('\\u0000', '') ?? '',
      )
      expect(JSON.stringify(value)).not.toContain('hunter2')
    }
  expect(readFileSync(join(outside, 'victim.json'), 'utf8')).toBe(petstore)
  expect(readFileSync(join(folder, '.git/config.json'), 'utf8')).toBe(petstore)
  await client.close()
}, 60_000)
