import { expect, test } from 'bun:test'
import { registry } from '../../cli/registry.gen.ts'
import { inCommandWords, wordByName } from '../../cli/request-words.ts'
import { ValidationError } from '../../src/api/wire.ts'
import { runCommand } from '../fixtures/run-command.ts'

const command = {
  arguments: [{ name: 'project', summary: 'the project' }],
  options: {
    'expires-in': { type: 'integer', summary: 'days' },
    tool: { type: 'string', placeholder: 'NAME', summary: 'a tool' },
  },
} as const

const said = (...loc: (string | number)[]): string =>
  inCommandWords(new ValidationError([{ loc, msg: 'This property is required.', type: 'missing' }]), (field) =>
    wordByName(field, command),
  ).message

test('a refused field is named as the option or argument that gives it', () => {
  expect(said('body', 'expiresIn')).toBe('--expires-in: This property is required.')
  expect(said('body', 'expires_in')).toBe('--expires-in: This property is required.')
  expect(said('path', 'project_ref')).toBe('PROJECT: This property is required.')
  expect(said('query', 'tool', 2)).toBe('--tool.2: This property is required.')
  expect(said('body', 'gates', 'foo')).toBe('"gates.foo": This property is required.')
  expect(said('body')).toBe('body: This property is required.')
})

test('a command says which option is wrong, and where to read of it', async () => {
  const { exit, stderr } = await runCommand(['project', 'create', 'Shop', '--slug', 'A b'], registry, {
    env: { SVC_DATA_DIR: ':memory:' },
  })
  expect([exit, stderr.split('\n').slice(0, 2)]).toEqual([
    2,
    [
      'error: --slug: The text must match the pattern ^[a-z0-9]+(?:[.-][a-z0-9]+)*$.',
      'hint: Run "svc project create --help" for arguments and options.',
    ],
  ])
})
