/** Rulesets in JavaScript that change the formats of Spectral's own rules while they are loaded. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-changed-formats-'))
afterAll(() => rmSync(folder, { recursive: true }))
symlinkSync(join(import.meta.dir, '../../../node_modules'), join(folder, 'node_modules'))
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)

const changing = `const { oas3 } = require('@stoplight/spectral-formats')
const { oas } = require('@stoplight/spectral-rulesets')
oas.rules['no-$ref-siblings'].formats = [oas3]
module.exports = { extends: oas }
`
const plain = `const { oas } = require('@stoplight/spectral-rulesets')
module.exports = { extends: oas }
`
const siblings = 'type: object, properties: { b: { $ref: "#/PLACE/B", description: D } } }\n'
const of = (head: string, place: string, schemas: string): string =>
  `${head}\ninfo: { title: T, version: "1" }\npaths: {}\n${schemas}    A: { ${siblings.replace('PLACE', place)}    B: { type: string }\n`

write('3.1.yaml', of('openapi: 3.1.0', 'components/schemas', 'components:\n  schemas:\n'))
write(
  '2.0.yaml',
  of('swagger: "2.0"', 'definitions', 'definitions:\n').replaceAll('    A:', '  A:').replaceAll('    B:', '  B:'),
)
write('changing.js', changing)
write('plain.js', plain)
write('extending.yaml', 'extends: [./changing.js]\n')

const found = async (guide: string, document: string): Promise<number> => {
  const line = ['lint', document, '--guide', guide, '--allow-functions', '--no-cache', '--fail-on', 'none', '--json']
  const { stdout } = await runCommand(line, registry, { cwd: folder, env: { SVC_WORKSPACE: join(folder, 'w') } })
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly code: string }[] }
  return findings.filter((it) => it.code === 'no-$ref-siblings').length
}

test('the changed formats hold for that ruleset and for what extends it, and for no other', async () => {
  const all: [string, number, number][] = []
  for (const guide of ['plain.js', 'changing.js', 'extending.yaml', 'plain.js', 'changing.js'])
    all.push([guide, await found(guide, '2.0.yaml'), await found(guide, '3.1.yaml')])
  expect(all).toEqual([
    ['plain.js', 1, 0],
    ['changing.js', 0, 1],
    ['extending.yaml', 0, 1],
    ['plain.js', 1, 0],
    ['changing.js', 0, 1],
  ])
})
