import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { designFolder } from '../../fixtures/design-client.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const shop = 'openapi: 3.1.0\ninfo: { title: Shop, version: 1.0.0 }\npaths: {}\n'
const skill = '.claude/skills/svc/SKILL.md'
const svc = (cwd: string, ...argv: string[]) => runCommand(argv, registry, { cwd, env: { HOME: cwd } })

test('svc init --agents writes a section of AGENTS.md and a skill, beside the svc.yaml that it makes or finds', async () => {
  const { path, remove } = designFolder({ 'shop.yaml': shop, 'AGENTS.md': '# House rules\n\nBe kind.' })
  const read = (name: string): string => readFileSync(join(path, name), 'utf8')
  expect((await svc(path, 'init', '--agents', '--dry-run')).stdout).toContain(`# ${skill}`)
  expect(existsSync(join(path, skill))).toBe(false)
  const { exit, stdout } = await svc(path, 'init', '--agents')
  expect([exit, stdout.includes(`Wrote AGENTS.md and ${skill} for agents.`)]).toEqual([0, true])
  const first = read('AGENTS.md')
  expect(first).toStartWith('# House rules\n\nBe kind.\n\n<!-- svc: begin -->\n## API descriptions\n')
  expect(first).toContain('- `shop`: `shop.yaml`\n')
  expect(read(skill)).toStartWith('---\nname: svc\ndescription: ')
  // Again: the section is replaced where it is, and what people wrote around it stays.
  writeFileSync(join(path, 'AGENTS.md'), `${first}\nMore.\n`)
  const own = `# mine\n${read('svc.yaml')}`
  writeFileSync(join(path, 'svc.yaml'), own.replace('shop:', 'store:'))
  expect((await svc(path, 'init', '--agents')).exit).toBe(0)
  expect(read('svc.yaml')).toStartWith('# mine\n')
  expect(read('AGENTS.md')).toBe(`${first.replace('`shop`:', '`store`:')}\nMore.\n`)
  writeFileSync(join(path, skill), '# Somebody else wrote this\n')
  expect((await svc(path, 'init', '--agents')).exit).toBe(2)
  expect(read(skill)).toBe('# Somebody else wrote this\n')
  remove()
})

test('every command that the skill names exists, with its options', async () => {
  const { path, remove } = designFolder({ 'shop.yaml': shop })
  await svc(path, 'init', '--agents')
  const text = readFileSync(join(path, skill), 'utf8')
  const lines = [...text.matchAll(/^svc (.+?)(?: {2,}#.*)?$/gm)].map(([, line = '']) => line)
  expect(lines.length).toBeGreaterThan(8)
  for (const line of lines) {
    const words = line.split(' ')
    const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((it) => registry[it]?.load) ?? ''
    const command = await registry[name]?.load?.()
    expect([line, command !== undefined]).toEqual([line, true])
    for (const [, option = ''] of line.matchAll(/--([a-z-]+)/g))
      expect([line, Object.keys(command?.options ?? {}).includes(option)]).toEqual([line, true])
  }
  remove()
})
