import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { command } from '../../cli/declare.ts'
import { registry } from '../../cli/registry.gen.ts'
import { envelopeSchema } from '../../commands/schema.ts'
import type { Change } from '../../src/diff/change.ts'
import { SvcError } from '../../src/errors.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { registryOf, runCommand } from '../fixtures/run-command.ts'

// Every command is asked.
setDefaultTimeout(60_000)

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } }
const finding: Finding = {
  code: 'rule',
  severity: 'warning',
  message: 'm',
  path: ['paths', 0],
  pointer: '/paths/0',
  source: 'a.yaml',
  range,
  fingerprint: 'f',
  documentationUrl: null,
  fix: null,
}
const change: Change = {
  id: 'rule',
  severity: 'breaking',
  classification: 'unknown',
  method: 'GET',
  path: '/a',
  direction: null,
  base: { pointer: '/a', range },
  head: null,
  before: { type: 'string' },
  after: null,
  message: 'm',
  witness: null,
  operations: [],
  consumers: [],
  fingerprint: 'f',
}

const declare = (envelope: 'data' | 'findings' | 'changes', how: 'works' | 'fails') =>
  command({
    summary: 'Answer',
    examples: [],
    arguments: [],
    options: {},
    envelope,
    dataSchema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
    run: async () => {
      if (how === 'fails') throw new SvcError('project-not-found', { project: 'p' })
      return { findings: { findings: [finding] }, changes: { changes: [change] }, data: { data: { n: 1 } } }[envelope]
    },
  })

for (const envelope of ['data', 'findings', 'changes'] as const) {
  for (const how of ['works', 'fails'] as const) {
    test(`the envelope of ${envelope} fits its schema when the command ${how}`, async () => {
      const it = declare(envelope, how)
      const { stdout } = await runCommand(['it', '--json'], registryOf({ it }))
      const validate = new Ajv2020({ allErrors: true }).compile(envelopeSchema('it', it))
      const answer = JSON.parse(stdout) as Record<string, unknown>
      expect([validate(answer), validate.errors]).toEqual([true, null])
      expect(validate({ ...answer, exitCode: 'none' })).toBe(false)
    })
  }
}

test('every command has a schema that is one, and a usage error fits it', async () => {
  for (const [name, entry] of Object.entries(registry)) {
    const it = await entry.load?.()
    if (!it) continue
    const ajv = new Ajv2020({ allErrors: true, strict: false })
    addFormats(ajv)
    const validate = ajv.compile(envelopeSchema(name, it))
    const { exit, stdout } = await runCommand([...name.split(' '), '--json', '--no-such-option'], registry)
    expect([name, exit, validate(JSON.parse(stdout)), validate.errors]).toEqual([name, 2, true, null])
  }
}, 180_000)

test('what svc explain answers fits what svc schema says', async () => {
  const schema = await runCommand(['schema', 'explain'], registry)
  expect(schema.exit).toBe(0)
  const validate = new Ajv2020().compile(JSON.parse(schema.stdout) as object)
  for (const line of [['explain', 'usage'], ['explain'], ['explain', 'nothing']]) {
    const { stdout } = await runCommand([...line, '--json'], registry)
    expect([line, validate(JSON.parse(stdout))]).toEqual([line, true])
  }
})

test('an unknown command is refused with the nearest one', async () => {
  const { exit, stdout, stderr } = await runCommand(['schema', 'config', 'prnt'], registry)
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toStartWith('error: Unknown command "svc config prnt"; did you mean "config print"?\n')
})

test('the schema of svc.yaml is the published one', async () => {
  const { exit, stdout } = await runCommand(['schema', 'project-file'], registry)
  expect(exit).toBe(0)
  expect(stdout).toBe(await Bun.file(join(import.meta.dir, '../..', 'docs/schemas/svc.schema.json')).text())
  const { stderr } = await runCommand(['schema', 'project-fil'], registry)
  expect(stderr).toStartWith('error: Unknown command "svc project-fil"; did you mean "project-file"?\n')
})

test('a file where the format is missing is meant for the command that detects it', async () => {
  const { stderr, exit } = await runCommand(['import', 'pets.yaml'], registry)
  expect(exit).toBe(2)
  expect(stderr).toStartWith(
    'error: Unknown command "svc import pets.yaml"; did you mean "svc import auto pets.yaml"?\n',
  )
})
