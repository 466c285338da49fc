/** Rules that cannot be used: reported by name, and accepted by name in svc.yaml. */
import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand } from '../fixtures/run-command.ts'

const api = "openapi: 3.0.0\ninfo: { title: T, version: '1' }\nservers: [{ url: https://a.test }]\npaths: {}\n"
const guide = `extends: [[vacuum:oas, off], [vacuum:owasp, off]]
rules:
  info-license: true
  duplicate-paths: true
  no-http-verbs-in-path: true
  owasp-no-http-basic: warn
  verbs: { given: $.paths, then: { function: noAmbiguousPaths } }
  owner:
    id: owner
    category: { id: information }
    given: $.info
    howToFix: Name the team that owns the API.
    then: { field: x-owner, function: truthy }
`

const lintWith = async (project: string | null, command = 'lint') => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-skipped-'))
  writeFileSync(join(folder, 'api.yaml'), api)
  writeFileSync(join(folder, 'rules.yaml'), guide)
  if (project !== null) writeFileSync(join(folder, 'svc.yaml'), project)
  const words =
    command === 'check' ? ['check'] : ['lint', 'api.yaml', ...(project === null ? ['--guide', 'rules.yaml'] : [])]
  const { exit, stdout } = await runCommand([...words, '--json', '--no-cache'], registry, { cwd: folder, env: {} })
  const { findings } = JSON.parse(stdout) as {
    findings: readonly { code: string; severity: string; message: string }[]
  }
  return { exit, findings: findings.map(({ code, severity, message }) => `${severity} ${code} ${message}`) }
}

const own = 'svc does not have this rule of vacuum'
const left = [
  'warning info-license Info object must have "license" object.',
  'warning owner "info.x-owner" property must be truthy',
]

test('rules of vacuum that svc has are applied, the others are skipped by name', async () => {
  const { exit, findings } = await lintWith(null)
  expect([exit, ...findings]).toEqual([
    2,
    `error skipped-rule The rule "duplicate-paths" was not applied: ${own}.`,
    `error skipped-rule The rule "owasp-no-http-basic" was not applied: ${own}; extend @stoplight/spectral-owasp-ruleset, which has rules for the same risks.`,
    'error skipped-rule The rule "verbs" was not applied: svc does not have the function "noAmbiguousPaths" of vacuum.',
    ...left,
  ])
})

const project = (allowed: string) =>
  `version: 1\nguide: rules.yaml\nallowSkipped: [${allowed}]\napis: { shop: api.yaml }\n`

test('allowSkipped accepts rules by name; one that it does not name still fails', async () => {
  const all = await lintWith(project('duplicate-paths, owasp-no-http-basic, verbs'))
  expect([all.exit, ...all.findings.map((it) => it.slice(0, 20))]).toEqual([
    0,
    'info skipped-rule Th',
    'info skipped-rule Th',
    'info skipped-rule Th',
    ...left.map((it) => it.slice(0, 20)),
  ])
  const some = await lintWith(project('duplicate-paths, verbs'))
  expect([some.exit, ...some.findings.slice(0, 3).map((it) => it.split(' ')[0])]).toEqual([2, 'info', 'error', 'info'])
  expect((await lintWith(project('duplicate-paths, owasp-no-http-basic, verbs'), 'check')).exit).toBe(0)
  expect((await lintWith(project('verbs'), 'check')).exit).toBe(2)
})

test('reports say what howToFix of a rule says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-skipped-'))
  writeFileSync(join(folder, 'api.yaml'), api)
  writeFileSync(join(folder, 'rules.yaml'), guide)
  const line = ['lint', 'api.yaml', '--guide', 'rules.yaml', '--allow-skipped', '--no-cache']
  const { stdout } = await runCommand(line, registry, { cwd: folder, env: {} })
  expect(stdout).toContain('help: Name the team that owns the API.')
})
