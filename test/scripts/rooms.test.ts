/** The rooms of `src` and `server`: rooms.json is what the imports are, without circles, and each room has its README. */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { levelsOf, readNeighbours, reduced } from '../../scripts/house/imports.ts'
import { problemOf, type Neighbours } from '../../scripts/house/neighbours.ts'

const root = join(import.meta.dir, '../..')
const allowed = (await Bun.file(join(root, 'rooms.json')).json()) as Neighbours

describe('rooms.json', () => {
  test('lists every room with exactly the rooms that it imports', async () => {
    expect(allowed).toEqual(await readNeighbours(root))
  })

  test('has no circle', () => {
    for (const rooms of Object.values(allowed))
      expect(levelsOf(rooms).flat().toSorted()).toEqual(Object.keys(rooms).toSorted())
  })
})

test('every room tells a stranger what it is', async () => {
  const wrong: string[] = []
  for (const [top, rooms] of Object.entries(allowed))
    for (const [room, neighbours] of Object.entries(rooms)) {
      const path = `${top}/${room}/README.md`
      const file = Bun.file(join(root, path))
      const text = (await file.exists()) ? await file.text() : ''
      const may = neighbours.length === 0 ? 'no other room' : neighbours.map((one) => `[${one}](../${one})`).join(', ')
      const begin = /^Begin with `([^`]+)`/m.exec(text)?.[1]
      if (!text.startsWith(`# ${room}\n`)) wrong.push(`${path} does not begin with its name`)
      if (!text.includes(`\nMay use: ${may}.\n`)) wrong.push(`${path} does not say what it may use`)
      if (begin === undefined || !(await isThere(join(root, top, room, begin))))
        wrong.push(`${path} does not name where to begin`)
      if (text.split('\n').length > 15) wrong.push(`${path} is longer than a page`)
    }
  expect(wrong).toEqual([])
})

const isThere = async (path: string): Promise<boolean> =>
  path.endsWith('/')
    ? (await Array.fromAsync(new Bun.Glob('*').scan({ cwd: path, onlyFiles: false }))).length > 0
    : Bun.file(path).exists()

describe('the rule of the linter', () => {
  const rooms: Neighbours = { src: { kernel: [], lint: ['kernel'] }, server: { kit: [], types: ['kit'] } }
  test.each([
    ['src/lint/rules/info.ts', '../../kernel/json.ts', true],
    ['src/lint/lint.ts', './rule.ts', true],
    ['src/lint/lint.ts', '../errors.ts', true],
    ['src/kernel/json.ts', '../lint/lint.ts', false],
    ['src/report/report.ts', '../kernel/json.ts', false],
    ['server/types/routes.ts', '../kit/door.ts', true],
    ['server/types/routes.ts', '../kit/deps.ts', false],
    ['server/types/deep/routes.ts', '../../kit/door.ts', true],
    ['server/kit/deps.ts', '../types/door.ts', false],
    ['server/kit/deps.ts', '../core.ts', false],
    ['server/core.ts', './types/routes.ts', true],
    ['server/types/routes.ts', '../../src/lint/lint.ts', true],
    ['cli/run.ts', '../server/types/routes.ts', true],
    ['server/types/routes.ts', 'node:path', true],
  ])('%s may import %s: %p', (importer, specifier, isAllowed) => {
    expect(problemOf(importer, specifier, rooms) === null).toBe(isAllowed)
  })
})

test('a picture leaves out arrows that a path says, and a circle is named', () => {
  expect(reduced({ a: ['b', 'c'], b: ['c'], c: [] })).toEqual({ a: ['b'], b: ['c'], c: [] })
  expect(levelsOf({ a: ['b', 'c'], b: ['c'], c: [] })).toEqual([['c'], ['b'], ['a']])
  expect(() => levelsOf({ a: ['b'], b: ['a'] })).toThrow('a → b → a')
})
