/** What the editor shows of an API with overlays: each finding where it was written. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { globalOptions } from '../../../cli/globals.ts'
import { processIo } from '../../../cli/io.ts'
import { Engine } from '../../../cli/lsp/engine.ts'
import { Guides } from '../../../cli/lsp/guides.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-lsp-overlays-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href

const globals = {
  ...globalOptions,
  baseUrl: undefined,
  tenant: undefined,
  apiKey: undefined,
  workspace: undefined,
  root: undefined,
  given: [],
}
const around = {
  cwd: folder,
  io: processIo({}),
  env: {},
  signal: new AbortController().signal,
  globals: globals as never,
  connection: () => Promise.reject(new Error('no connection')),
}
const api = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /internal:
    get: { responses: { '200': { description: ok } } }
  /pets:
    get: { responses: { '200': { description: ok } } }
`
const hide = `overlay: 1.1.0
info: { title: Public, version: 1.0.0 }
actions:
  - { target: "$.paths['/internal']", remove: true }
`
const pens = `overlay: 1.1.0
info: { title: Pens, version: 1.0.0 }
actions:
  - target: $.paths
    update:
      /pens: { get: { responses: { '200': { description: ok } } } }
`
const rules = `rules:
  named: { given: '$.paths[*][*]', then: { field: operationId, function: truthy }, message: 'no id at {{path}}' }
`
const engine = new Engine(new Guides(around, { name: null, runsFunctions: false, folder }))

beforeAll(() => {
  for (const [name, text] of Object.entries({
    'openapi.yaml': api,
    'hide.yaml': hide,
    'pens.yaml': pens,
    'rules.yaml': rules,
  }))
    write(name, text)
  write(
    'old.yaml',
    api.replace('  /pets:', '  /toys:\n    get: { responses: { default: { description: ok } } }\n  /pets:'),
  )
  write(
    'svc.yaml',
    'version: 1\nguide: rules.yaml\napis:\n  shop: { root: openapi.yaml, overlays: [hide.yaml, pens.yaml], compareWith: old.yaml }\n',
  )
  engine.open({ uri: uriOf('openapi.yaml'), languageId: 'yaml', version: 1, text: api })
})

const shown = async (pass: 'full' | 'quick' | 'compare' = 'full') => {
  const { published, notes } = await engine.check(uriOf('openapi.yaml'), pass, () => {})
  expect(notes).toEqual([])
  return published
    .flatMap(({ uri, diagnostics }) =>
      diagnostics.map((it) => `${uri.split('/').at(-1)}:${it.range.start.line + 1} ${it.code}`),
    )
    .toSorted()
}

test('a finding is in the file or in the overlay, and what is removed has none', async () => {
  expect(await shown()).toEqual(['openapi.yaml:7 named', 'pens.yaml:6 named'])
})

test('what the API breaks is that of the document with its overlays', async () => {
  expect((await shown('compare')).filter((it) => !it.endsWith(' named'))).toEqual([
    'openapi.yaml:3 operation-removed',
    'openapi.yaml:3 operation-removed',
  ])
})

test('an overlay that is open counts as it is typed, and brings the API to be checked again', async () => {
  const text = pens.replace('/pens: ', '/pens: ').replace('- target: $.paths', '- target: $.nothing')
  engine.open({ uri: uriOf('pens.yaml'), languageId: 'yaml', version: 1, text })
  expect((await engine.check(uriOf('pens.yaml'), 'full', () => {})).referrers).toEqual([uriOf('openapi.yaml')])
  expect((await shown()).filter((it) => !it.startsWith('openapi.yaml:3 '))).toEqual([
    'openapi.yaml:7 named',
    'pens.yaml:4 overlay-unmatched',
  ])
})

test('an overlay that cannot be applied is a finding in it', async () => {
  const edit = (text: string) => {
    engine.close(uriOf('pens.yaml'))
    engine.open({ uri: uriOf('pens.yaml'), languageId: 'yaml', version: 1, text })
    return shown()
  }
  expect(await edit(pens.replace('$.paths', '$.info.title'))).toContain('pens.yaml:4 overlay-failed')
  expect(await edit(pens.replace('$.paths', 'paths'))).toContain('pens.yaml:4 structure-value')
})
