import { expect, test } from 'bun:test'
import { Engine } from '../../../cli/lsp/engine.ts'
import { Guides } from '../../../cli/lsp/guides.ts'
import type { Checked, Pass, TextChange } from '../../../cli/lsp/wire.ts'
import { globalOptions } from '../../../cli/globals.ts'
import { processIo } from '../../../cli/io.ts'

const around = {
  cwd: '/',
  io: processIo({}),
  env: {},
  signal: new AbortController().signal,
  globals: {
    ...globalOptions,
    baseUrl: undefined,
    tenant: undefined,
    apiKey: undefined,
    workspace: undefined,
  } as never,
  connection: () => Promise.reject(new Error('no connection')),
}
const uri = 'untitled:Untitled-1'

/** An engine with one text, and edits of it by what they replace. */
class Edited {
  readonly engine = new Engine(new Guides(around, { name: 'svc:recommended', runsFunctions: false, folder: '/' }))
  text: string
  #version = 1
  constructor(text: string) {
    this.text = text
    this.engine.open({ uri, languageId: 'yaml', version: 1, text })
  }
  replace(old: string, put: string): void {
    const start = this.text.indexOf(old)
    if (start === -1) throw new Error(`no ${old}`)
    this.change({ start, end: start + old.length, text: put })
  }
  change(change: TextChange): void {
    this.text = this.text.slice(0, change.start) + change.text + this.text.slice(change.end)
    this.engine.edit({ uri, version: ++this.#version, changes: [change] })
  }
  async told(pass: Pass): Promise<string[]> {
    const { published } = await this.engine.check(uri, pass, () => {})
    return toldIn(published)
  }
}

const toldIn = (published: Checked['published']): string[] =>
  published.flatMap(({ diagnostics }) =>
    diagnostics.map(
      ({ code, range: { start, end } }) => `${code} ${start.line}:${start.character}-${end.line}:${end.character}`,
    ),
  )

const operation = (name: string): string =>
  `  /${name}:\n    get:\n      operationId: ${name}\n      tags: [${name}]\n      summary: S\n      description: Some text\n      responses: { '200': { description: Fine } }\n`
const names = ['pets', 'toys', 'cats', 'dogs']
const api = `openapi: 3.1.0
info: { title: Pets, version: '1', description: D, contact: { name: N } }
servers: [{ url: https://api.pets.test }]
tags: [${names.map((it) => `{ name: ${it}, description: D }`).join(', ')}]
paths:
${names.map(operation).join('')}components:
  schemas:
    Unused: { type: string }
    Wrong: { type: objekt, enum: [1, 1] }
`

test('a quick look sees what was edited and carries the rest along, and the full one agrees', async () => {
  const edited = new Edited(api)
  const first = await edited.told('full')
  expect(first.map((it) => it.split(' ')[0])).toEqual([
    'oas3-unused-component',
    'oas3-unused-component',
    'oas3-schema',
    'duplicated-entry-in-enum',
    'typed-enum',
    'typed-enum',
  ])
  for (const [old, put] of [
    [
      "summary: S\n      description: Some text\n      responses: { '200': { description: Fine } }\n  /toys",
      "description: Some text\n      responses: { '200': { description: Fine } }\n  /toys",
    ],
    ['tags: [cats]', 'tags: []'],
    ['type: objekt', 'type: object'],
    ['# x', '# x'],
    ['enum: [1, 1]', 'enum: [1, 2]'],
    ['description: Some text', 'description: "<script>"'],
    ["'200': { description: Fine }", "'200': {}"],
    ['tags: []', 'tags: [cats]'],
    ['description: "<script>"', 'description: Other\n      x-more: 1'],
  ] as const) {
    if (!edited.text.includes(old)) edited.replace('openapi: 3.1.0\n', 'openapi: 3.1.0\n# x\n')
    edited.replace(old, put)
    const quick = await edited.told('quick')
    const full = await edited.told('full')
    expect([put, quick.toSorted()]).toEqual([put, full.toSorted()])
  }
})

test('a text that cannot be read shows why at once, keeps the rest, and recovers', async () => {
  const edited = new Edited(api)
  const first = await edited.told('full')
  const before = edited.text
  edited.replace('operationId: cats', 'operationId: "cats')
  const broken = await edited.told('quick')
  expect(broken.filter((it) => !it.startsWith('parser'))).toEqual(first)
  expect(broken.filter((it) => it.startsWith('parser'))).toHaveLength(1)
  expect((await edited.told('full')).filter((it) => !it.startsWith('parser'))).toEqual(first)
  edited.replace('"cats', 'cats')
  expect(edited.text).toBe(before)
  expect(await edited.told('quick')).toEqual(first)
  expect(await edited.told('full')).toEqual(first)
})

test('edits in any order and number end with what a new text has', async () => {
  let seed = 5
  const below = (n: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return (seed >> 8) % n
  }
  const snippets = ['x', '\n', ' ', '"', '{', '#', 'tags: []', ': ', '- ']
  const edited = new Edited(api)
  for (let round = 0; round < 25; round++) {
    const start = below(edited.text.length)
    const isUndone = below(2) === 0
    const [before, text] = [edited.text, snippets[below(snippets.length)] ?? '']
    edited.change({ start, end: start, text })
    if (below(2) === 0) await edited.told('quick')
    if (isUndone) {
      edited.change({ start, end: start + text.length, text: '' })
      expect(edited.text).toBe(before)
    } else if (below(2) === 0) edited.change({ start: 0, end: edited.text.length, text: api })
    await edited.told('quick')
    const parsed = edited.engine.store.open.get(uri)?.document
    const fresh = new Edited(edited.text)
    expect(parsed?.value).toEqual(fresh.engine.store.open.get(uri)?.document.value as never)
    if (parsed?.value !== null) expect(await edited.told('full')).toEqual(await fresh.told('full'))
  }
})
