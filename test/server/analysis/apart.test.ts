import { expect, test } from 'bun:test'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dir, '../../..')

/** What reads, judges or compares documents: only tasks of analysis processes may come to it. */
const readers = [
  'src/document/parse.ts',
  'src/document/trusted.ts',
  'src/diff/diff.ts',
  'src/lint/lint.ts',
  'src/lint/read-ruleset.ts',
  'src/import/importer.ts',
  'src/import/bundle/bundle.ts',
  'src/render/render.ts',
  'src/reader/pack.ts',
  'src/contracts/impact.ts',
  'src/contracts/pact.ts',
  'src/contracts/specification.ts',
  'src/migration/propose.ts',
  'src/spec/part.ts',
  'src/spec/overview.ts',
]

/** Rules are listed with the fixes that they bring along; these run only where lint does. */
const fixes = 'src/lint/fix/fixers.ts'

/** What an operator writes on the machine of the service is read where it is used: when the service starts, and when it changes. */
const ofOperators = new Set(['server/role-rules/file.ts'])

/** Where the server calls tasks: in processes of their own, or where it has none. */
const doors = new Set(['server/analysis/tasks/registry.ts', 'server/analysis/service.ts'])

/** The modules that are loaded with one, at once or later, and by which module; analysis processes are not included. */
async function loadedWith(entry: string): Promise<ReadonlyMap<string, string | null>> {
  const transpiler = new Bun.Transpiler({ loader: 'ts' })
  const found = new Map<string, string | null>([[entry, null]])
  for (const path of found.keys()) {
    if (!path.endsWith('.ts') || path === fixes) continue
    const imports = transpiler.scanImports(await Bun.file(join(root, path)).text())
    for (const { kind, path: target } of imports) {
      if (!target.startsWith('.') || (kind === 'dynamic-import' && doors.has(path))) continue
      const at = relative(root, join(root, dirname(path), target))
      if (ofOperators.has(path) && at === 'src/document/parse.ts') continue
      if (!found.has(at)) found.set(at, path)
    }
  }
  return found
}

test('nothing that a server loads reads documents: its thread only moves bytes', async () => {
  const loaded = await loadedWith('server/app.ts')
  expect(loaded.size).toBeGreaterThan(300)
  expect(readers.filter((it) => loaded.has(it)).map((it) => `${loaded.get(it)} -> ${it}`)).toEqual([])
})

test('the same walk finds them where an analysis process begins', async () => {
  expect((await loadedWith('server/analysis/engine.ts')).has('src/diff/diff.ts')).toBe(true)
  expect((await loadedWith('server/analysis/tasks/render.ts')).has('src/render/render.ts')).toBe(true)
})
