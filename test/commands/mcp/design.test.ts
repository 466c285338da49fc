import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sizeOf } from '../../../mcp/budget.ts'
import { connectDesign, designFolder, useDesign } from '../../fixtures/design-client.ts'

const petstore = readFileSync(
  join(import.meta.dir, '../../../node_modules/@readme/oas-examples/3.0/json/petstore.json'),
  'utf8',
)
const yaml = `# The shop.
openapi: 3.1.0
info: { title: Shop, version: 1.4.0 } # shown on the page
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 100 } }
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { $ref: 'parts/pet.yaml' }
`
const part = `type: object
required: [name]
properties:
  name: { type: string } # what it is called
  age: { type: integer, minimum: 0 }
`
const design = useDesign({
  'svc.yaml': 'apis:\n  shop: { root: shop.yaml }\n  pets: { root: petstore.json }\n',
  'shop.yaml': yaml,
  'parts/pet.yaml': part,
  'petstore.json': petstore,
  'notes.json': '{ "a": 1 }',
})
const read = (name: string): string => readFileSync(join(design.path, name), 'utf8')
const edit = async (args: object) => (await design.call('edit', args)).value as Record<string, never>
const designNames = ['bundle', 'convert', 'edit', 'example', 'stub']

test('the design tools stand beside those that read only, in at most 1,500 tokens, for both generations of clients', async () => {
  for (const generation of ['new', 'old'] as const) {
    const one = await connectDesign(design.path, generation)
    const tools = await one.list()
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
    expect(names).toEqual(expect.arrayContaining([...designNames, 'lint.check', 'spec.describe']))
    const own = tools.filter(({ name }) => designNames.includes(name))
    expect(sizeOf(own)).toBeLessThanOrEqual(1500 * 4)
    for (const tool of tools as { name: string; annotations?: { readOnlyHint: boolean } }[])
      expect([tool.name, tool.annotations?.readOnlyHint]).toEqual([tool.name, tool.name !== 'edit'])
    const answered = await one.call('edit', { file: 'shop', edits: [{ path: '/info/title', value: 'Store' }] })
    expect(answered.value).toMatchObject({ written: false, verdict: 'safe', next_version: '1.4.1' })
    await one.close()
  }
}, 60_000)

test('an edit is a dry run first, and then written where the digest is still that of the file', async () => {
  const change = { file: 'shop.yaml', edits: [{ path: '/info/title', value: 'Store' }] }
  const dry = await edit(change)
  expect(dry).toMatchObject({
    written: false,
    verdict: 'safe',
    not_accepted: [],
    compared_with: 'the file before the edit',
    diff: `--- shop.yaml
+++ shop.yaml
@@ -1,6 +1,6 @@
 # The shop.
 openapi: 3.1.0
-info: { title: Shop, version: 1.4.0 } # shown on the page
+info: { title: Store, version: 1.4.0 } # shown on the page
 paths:
   /pets:
     get:
`,
  })
  expect(read('shop.yaml')).toBe(yaml)
  expect(await edit({ ...change, dry_run: false })).toMatchObject({ code: 'usage' })
  const wrong = { ...change, dry_run: false, expected_digest: `sha256:${'0'.repeat(64)}` }
  expect(await edit(wrong)).toMatchObject({ code: 'edit-outdated', message: expect.stringContaining(dry.digest ?? '') })
  const done = await edit({ ...change, dry_run: false, expected_digest: dry.digest })
  expect(done).toMatchObject({ written: true, verdict: 'safe' })
  expect(read('shop.yaml')).toBe(yaml.replace('Shop,', 'Store,'))
  // The digest of the last answer goes on.
  const back = { file: 'shop.yaml', edits: [{ anchor: '#info/title', value: 'Shop' }], dry_run: false }
  expect(await edit({ ...back, expected_digest: String(done.digest).replace('sha256:', '') })).toMatchObject({
    written: true,
  })
  expect(read('shop.yaml')).toBe(yaml)
})

test('a part of an API is judged with everything that refers to it, and a breaking edit needs its fingerprints', async () => {
  const change = { file: 'parts/pet.yaml', edits: [{ path: '/properties/name', value: { type: 'integer' } }] }
  const dry = await edit(change)
  expect(dry.verdict).toBe('breaking' as never)
  const changes = dry.changes as unknown as { fingerprint: string; operation: string; witness?: { value: unknown } }[]
  expect(changes[0]).toMatchObject({ operation: 'GET /pets', witness: { value: { name: 0 } } })
  expect(dry.not_accepted as unknown).toEqual(changes.map((it) => it.fingerprint))
  const real = { ...change, dry_run: false, expected_digest: dry.digest }
  expect(await edit(real)).toMatchObject({ written: false, verdict: 'breaking', not_accepted: dry.not_accepted })
  expect(read('parts/pet.yaml')).toBe(part)
  expect(await edit({ ...real, accept: dry.not_accepted })).toMatchObject({ written: true, not_accepted: [] })
  expect(read('parts/pet.yaml')).toContain('name: {"type":"integer"} # what it is called')
})

test('an overlay is another way to say an edit, as text or as an object, and is checked like one', async () => {
  const overlay = {
    overlay: '1.0.0',
    info: { title: 'Renames', version: '1' },
    actions: [{ target: '$.info', update: { title: 'Market' } }],
  }
  const asText = await edit({ file: 'shop.yaml', overlay: JSON.stringify(overlay) })
  expect(asText).toMatchObject({ written: false, verdict: 'safe', next_version: '1.4.1' })
  expect(String(asText.diff)).toContain('+info: { title: Market, version: 1.4.0 } # shown on the page')
  const removed = { ...overlay, actions: [{ target: '$.paths["/pets"].get', remove: true }] }
  const broken = await edit({ file: 'shop.yaml', overlay: removed, dry_run: false, expected_digest: asText.digest })
  expect(broken).toMatchObject({ written: false, verdict: 'breaking' })
  expect((broken.not_accepted as unknown as string[]).length).toBeGreaterThan(0)
  expect(await edit({ file: 'shop.yaml', overlay, edits: [{ path: '/info/title', value: 'x' }] })).toMatchObject({
    code: 'usage',
  })
  expect(await edit({ file: 'shop.yaml', overlay: { overlay: '1.0.0' } })).toMatchObject({
    code: expect.stringContaining('overlay'),
  })
  expect(read('shop.yaml')).toBe(yaml)
})

test('an edit is written as an overlay where a file for it is named, and the document stays', async () => {
  const change = { file: 'shop.yaml', edits: [{ path: '/info/title', value: 'Store' }], into: 'ours.yaml' }
  const dry = await edit(change)
  const overlay = `overlay: 1.1.0
info:
  title: Edits of shop.yaml
  version: 1.0.0
extends: "./shop.yaml"
actions:
  - target: $.info
    update:
      title: Store
`
  expect(dry).toMatchObject({ written: false, verdict: 'safe', overlay })
  expect(dry.diff).toBeUndefined()
  const real = { ...change, dry_run: false, expected_digest: dry.digest }
  expect(await edit(real)).toMatchObject({
    written: true,
    digest: dry.digest,
    notes: [expect.stringContaining('ours.yaml')],
  })
  expect([read('shop.yaml'), read('ours.yaml')]).toEqual([yaml, overlay])
  for (const into of ['ours.yaml', '../x.yaml', 'none/x.yaml', 'x.txt', '.git/x.yaml'])
    expect(await edit({ ...real, into })).toMatchObject({ code: 'file-refused' })
})

test('an API with overlays is judged with them, also where an overlay is edited', async () => {
  const hide = `overlay: 1.1.0
info: { title: Public, version: 1.0.0 }
actions:
  - { target: "$.paths['/pets']", update: { x-public: true } }
  - { target: "$.paths['/gone']", remove: true }
`
  const laid = designFolder({
    'svc.yaml': 'apis:\n  shop: { root: shop.yaml, overlays: [hide.yaml] }\n',
    'shop.yaml': `${yaml.replace("{ $ref: 'parts/pet.yaml' }", '{ type: object }')}  /gone: { get: { responses: { '200': { description: ok } } } }\n`,
    'hide.yaml': hide,
  })
  const one = await connectDesign(laid.path)
  const ask = async (args: object) => (await one.call('edit', args)).value as Record<string, never>
  // The overlay removes it: nobody sees that it goes.
  expect(await ask({ file: 'shop', edits: [{ path: '/paths/~1gone' }] })).toMatchObject({
    verdict: 'safe',
    changes: [],
    new_findings: [expect.objectContaining({ code: 'overlay-unmatched', file: 'hide.yaml' })],
  })
  const shown = await ask({
    file: 'hide.yaml',
    edits: [{ path: '/actions/0', value: { target: "$.paths['/pets']", remove: true } }],
  })
  expect(shown).toMatchObject({ written: false, verdict: 'breaking' })
  const broken = await ask({ file: 'hide.yaml', edits: [{ path: '/actions/0/target', value: 'paths' }] })
  expect(broken.notes as unknown).toEqual([expect.stringContaining('shop is compared without its overlays after it')])
  await one.close()
  laid.remove()
})

test('findings that come and go are told with their places', async () => {
  const gone = await edit({ file: 'petstore.json', edits: [{ anchor: 'GET /pet/{petId}#operationId' }] })
  const codes = (list: unknown) => (list as { code: string }[]).map(({ code }) => code)
  expect(codes(gone.new_findings)).toContain('operation-operationId')
  const named = await edit({ file: 'petstore.json', edits: [{ path: '/info/contact/name', value: 'The team' }] })
  expect(codes(named.new_findings)).toEqual([])
})

test('what cannot be edited is refused by name', async () => {
  const refused = async (file: string, edits: object[] = [{ path: '/a', value: 1 }]) =>
    (await edit({ file, edits })) as object
  expect(await refused('notes.json')).toMatchObject({
    code: 'file-refused',
    message: expect.stringContaining('notes.json'),
  })
  expect(await refused('missing.yaml')).toMatchObject({ code: 'file-not-found' })
  expect(await refused('shop.yaml', [{ path: '/nowhere/else', value: 1 }])).toMatchObject({ code: 'edit-refused' })
  expect(await refused('shop.yaml', [{ anchor: 'GET /cats#summary', value: 'x' }])).toMatchObject({
    code: 'edit-refused',
  })
  expect(await refused('shop.yaml', [{ value: 'x' }])).toMatchObject({ code: 'edit-refused' })
  expect(await refused('shop.yaml', [])).toMatchObject({ code: 'arguments-invalid' })
  expect(await refused('svc.yaml', [{ path: '/apis/shop/root', value: 'x.yaml' }])).toMatchObject({
    code: 'file-refused',
  })
})

test('bundle and convert answer texts in pages, and stub and example what one operation needs', async () => {
  const pages: string[] = []
  let cursor: unknown
  do {
    const { value } = await design.call('bundle', { file: 'pets', max_tokens: 3000, ...(cursor ? { cursor } : {}) })
    expect(sizeOf(value) * 2).toBeLessThanOrEqual(3000 * 4 * 1.2)
    pages.push(String(value.text))
    cursor = value.next_cursor
  } while (cursor)
  expect(pages.length).toBeGreaterThan(3)
  expect(pages.join('')).toBe(petstore)
  const converted = await design.call('convert', { file: 'shop', to: 'openapi-3.0' })
  expect(converted.value).toMatchObject({ truncated: false, lost: 0 })
  expect(String(converted.value.text)).toStartWith('# The shop.\nopenapi: 3.0.3\n')
  expect((await design.call('convert', { file: 'shop', to: 'raml' })).value).toMatchObject({ code: 'usage' })
  const { value: stub } = await design.call('stub', { file: 'pets', operation: 'updatePet' })
  expect(sizeOf(stub)).toBeLessThanOrEqual(800 * 4)
  expect(stub).toEqual({
    operation: 'PUT /pet',
    text: `type Body = Pet
type Failure = void
type Pet = { id?: number; category?: Category; name: string; photoUrls: string[]; tags?: Tag[]; status?: "available" | "pending" | "sold" }
type Category = { id?: number; name?: string }
type Tag = { id?: number; name?: string }
`,
    omitted: [],
  })
  expect((await design.call('example', { file: 'shop', operation: 'listPets' })).value).toMatchObject({
    request: { method: 'GET', path: '/pets' },
    answer: { status: '200', body: { media_type: 'application/json' } },
    unsolved: [],
  })
})
