/** A ruleset in a file of the name of the package that it extends. */
import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRuleset } from '../../../cli/guide/rulesets.ts'
import { registry } from '../../../cli/registry.gen.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-same-name-'))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'node_modules/house'), { recursive: true })
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
write('house.yaml', 'extends: [house]\n')
write('node_modules/house/package.json', '{ "name": "house", "main": "rules.yaml" }')
write(
  'node_modules/house/rules.yaml',
  'rules: { no-title: { given: $.info, then: { field: title, function: falsy } } }\n',
)
write('api.yaml', 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: {}\n')

test('it means the package, not itself', async () => {
  expect(await findRuleset('house', join(folder, 'house.yaml'))).toEqual({
    path: join(folder, 'node_modules/house/rules.yaml'),
  })
  expect(await findRuleset('./house', join(folder, 'other.yaml'))).toEqual({ path: join(folder, 'house.yaml') })
  const { stdout } = await runCommand(['lint', 'api.yaml', '--guide', 'house.yaml', '--json', '--no-cache'], registry, {
    cwd: folder,
    env: { SVC_WORKSPACE: join(folder, 'w') },
  })
  expect((JSON.parse(stdout) as { findings: { code: string }[] }).findings.map((it) => it.code)).toEqual(['no-title'])
})
