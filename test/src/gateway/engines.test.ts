/** An engine is one record: no other file asks which engine it is, and each record is whole. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dialectNames, dialectOf, dialects } from '../../../src/gateway/dialects/index.ts'
import { engineKinds, engineNamed, engineNames, engineOfKind, engines } from '../../../src/gateway/engines/index.ts'

const root = join(import.meta.dir, '../../..')

/** Code without its comments: what a record says to people may be repeated to people. */
const codeOf = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')

/** The files of the gateway that know no engine. */
function otherFiles(): string[] {
  const patterns = [
    'src/gateway/**/*.ts',
    'src/gateway-policy/**/*.ts',
    'src/api/*.ts',
    'server/**/*.ts',
    'cli/gateway/**/*.ts',
    'commands/gateway/**/*.ts',
    'db/**/*.ts',
    'web/src/features/gateway/**/*.{ts,tsx}',
  ]
  const found = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })])
  return found.filter((path) => !/^src\/gateway\/(?:engines|dialects)\//.test(path))
}

/** Where a file says a name as a whole text or as a key; sentences and examples of commands may have it. */
function mentionsIn(path: string, names: readonly string[]): string[] {
  const code = codeOf(readFileSync(join(root, path), 'utf8')).replaceAll(/'[^'\n]*[ /][^'\n]*'/g, '')
  return names
    .filter((name) => new RegExp(`(['"\`])${name}\\1|\\b${name}:\\s`).test(code))
    .map((name) => `${path}: ${name}`)
}

test('no other file names an engine or a dialect, so that adding one needs its record and the list', () => {
  const files = otherFiles()
  expect(files.length).toBeGreaterThan(200)
  // "export" and "wasm" are words of other things outside of the gateway.
  const distinct = new Set([...engineKinds, ...dialectNames].filter((name) => name !== 'export'))
  const inGateway = files.filter((path) => /gateway/.test(path))
  expect([
    ...files.flatMap((path) => mentionsIn(path, [...distinct])),
    ...inGateway.flatMap((path) => mentionsIn(path, engineNames)),
  ]).toEqual([])
})

test('names are unique, and each finds its record', () => {
  for (const names of [engineKinds, engineNames, dialectNames, engines.map(({ title }) => title)])
    expect(new Set<string>(names).size).toBe(names.length)
  expect(engineKinds.map((kind) => engineOfKind(kind))).toEqual([...engines])
  expect(engineNames.map((name) => engineNamed(name).name)).toEqual([...engineNames])
  expect(engineNames.toSorted()).toEqual(engines.map(({ name }) => name).toSorted())
  expect(dialectNames.map((name) => dialectOf(name))).toEqual([...dialects])
  expect(() => engineNamed('apache' as 'nginx')).toThrow(RangeError)
})

test('every dialect is read by an engine, and says which program is asked or why none is', () => {
  for (const dialect of dialects) {
    const readers = engines.filter((engine) => engine.dialect.name === dialect.name)
    expect(readers.length).toBeGreaterThan(0)
    expect([dialect.name, readers.some(({ check }) => check !== null)]).toEqual([
      dialect.name,
      dialect.notAsked === null,
    ])
  }
})

test('who is asked for the release in use can be asked, and a configuration of a check names the release', () => {
  for (const { name, probes, reload, check, note } of engines) {
    expect([name, !probes || reload !== null]).toEqual([name, true])
    expect(note).toMatch(/\.$/)
    if (check === null) continue
    expect(check.text('/srv/releases/1')).toContain('/srv/releases/1/svc.conf')
    expect(check.words('FILE')).toContain('FILE')
  }
})
