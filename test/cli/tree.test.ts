import { expect, test } from 'bun:test'
import { command, type Registry } from '../../cli/declare.ts'
import { resolveCommand } from '../../cli/tree.ts'

const make = (options: Record<string, { type: 'string'; placeholder: string; summary: string }> = {}) => {
  const it = command({ summary: 'Do it', examples: [], arguments: [], options, run: async () => {} })
  return { summary: 'Do it', load: async () => it }
}
const registry: Registry = {
  import: make({ as: { type: 'string', placeholder: 'KIND', summary: 'kind' } }),
  'import git': make(),
  'import old': make(),
  version: { summary: 'Versions', load: null },
  'version list': make(),
  'change-report template create': make(),
  lint: make(),
}

const cases: readonly (readonly [line: string, name: string, rest: string])[] = [
  ['', '', ''],
  ['lint', 'lint', ''],
  ['lint a.yaml --fix', 'lint', 'a.yaml --fix'],
  ['--tenant acme lint a.yaml', 'lint', 'a.yaml'],
  ['--tenant=acme lint a.yaml', 'lint', 'a.yaml'],
  ['--tenant lint', '', '--tenant lint'],
  ['--json version --tenant acme list -x', 'version list', '-x'],
  ['version', 'version', ''],
  ['version lsit', 'version', 'lsit'],
  ['version --help', 'version', '--help'],
  ['import', 'import', ''],
  ['import --as git git .', 'import git', '.'],
  ['import --list', 'import', '--list'],
  ['import old x', 'import old', 'x'],
  ['change-report template create f', 'change-report template create', 'f'],
  ['change-report add', 'change-report', 'add'],
  ['-- lint', '', '-- lint'],
  ['version -- list', 'version', '-- list'],
  ['--unknown lint', 'lint', ''],
  ['constructor', '', 'constructor'],
  ['__proto__ x', '', '__proto__ x'],
  ['version toString', 'version', 'toString'],
]

test.each(cases)('"svc %s" is the command "%s"', async (line, name, rest) => {
  const argv = line === '' ? [] : line.split(' ')
  const after = rest === '' ? [] : rest.split(' ')
  expect(await resolveCommand(argv, registry)).toEqual({
    name,
    ahead: argv.slice(0, argv.length - after.length),
    rest: after,
  })
})
