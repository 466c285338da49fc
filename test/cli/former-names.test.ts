import { expect, test } from 'bun:test'
import { formerNames, presentName } from '../../cli/former-names.ts'
import { commandGroups } from '../../cli/groups.ts'
import { children, renderHelp } from '../../cli/help.ts'
import { registry } from '../../cli/registry.gen.ts'
import { resolveCommand } from '../../cli/tree.ts'

const isNamed = (name: string): boolean =>
  Object.hasOwn(registry, name) && (registry[name]?.load !== null || children(registry, name).length > 0)

test('a former name is the present command, with what follows it, and is shown nowhere', async () => {
  for (const [former, present] of Object.entries(formerNames)) {
    const words = former.split(' ')
    expect(await resolveCommand([...words, 'x', '--json'], registry)).toMatchObject({
      name: present,
      rest: ['x', '--json'],
    })
    expect([isNamed(present), Object.hasOwn(registry, former), presentName(former)]).toEqual([true, false, present])
    const above = words.slice(0, -1).join(' ')
    expect(children(registry, above).map(([word]) => word)).not.toContain(words.at(-1))
  }
})

test('the commands below a former noun are those of the present one', async () => {
  const reached = async (line: string) => (await resolveCommand(line.split(' '), registry)).name
  expect(await reached('api-key create ci')).toBe('key api create')
  expect(await reached('--tenant acme mcp-key --json delete x')).toBe('key mcp delete')
  expect(await reached('agent-key revoke x')).toBe('key agent delete')
  expect(await reached('agent-key lsit')).toBe('key agent')
  expect([presentName('agent-key revoke'), presentName('lint')]).toEqual(['key agent delete', 'lint'])
})

test('each command of the program is in one group of the help, and the first group is short', () => {
  const grouped = commandGroups.flatMap(({ words }) => words)
  expect(grouped.toSorted()).toEqual(children(registry, '').map(([word]) => word))
  expect(commandGroups[0]?.words.length).toBeLessThanOrEqual(9)
  const titles = renderHelp(registry, '', null, 80).match(/^[A-Z][a-z ]+(?=:$)/gm)
  expect(titles).toEqual(['Usage', ...commandGroups.map(({ title }) => title), 'Options of every command'])
})

test('a command in no group comes last', () => {
  const more = { ...registry, zebra: { summary: 'Show stripes', load: null } }
  expect(renderHelp(more, '', null, 80)).toContain('\nOther commands:\n  zebra  Show stripes\n')
})
