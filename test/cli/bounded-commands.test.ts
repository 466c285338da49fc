/** Every command that reads a document in its own process has a deadline and a memory limit: a new one is found by its sources. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { type Declaration, wayTo } from '../fixtures/reachable.ts'

const generated = join(import.meta.dir, '../../cli/registry.gen.ts')

/** What reads the texts of others, whatever the format. */
const reader = 'src/document/parse.ts'
const isReader = ({ file, name }: Declaration): boolean => file === reader && name !== 'plainText'
/** The service has limits of its own, and commands that describe commands do not run them. */
const isOutside = (file: string): boolean =>
  /^(?:server|db|mcp)\//.test(file) || file === 'cli/connection/connect.ts' || file === 'cli/registry.gen.ts'

/** Commands whose documents are read elsewhere under limits. */
const apart: Readonly<Record<string, string>> = {
  mcp: 'each call of a tool that reads files has its deadline (cli/mcp/design/design.ts); the server itself waits for days',
  lsp: 'documents are read in a process of its own, which is ended at its deadline (cli/lsp/engine-client.ts)',
}

/** Where the registry finds each command. */
function* declarations(): Generator<readonly [string, Declaration]> {
  const line = /^ {2}'([^']+)':.*\(await import\('\.\.\/([^']+)'\)\)\.([^ ]+) \},$/gm
  for (const [, name = '', file = '', export_ = ''] of readFileSync(generated, 'utf8').matchAll(line))
    yield [name, { file, name: export_.replaceAll(/\['([^']+)'\]/g, '.$1') }]
}

test('a command that reads a document is bounded', async () => {
  const places = [...declarations()]
  expect(places.length).toBe(Object.values(registry).filter((it) => it.load !== null).length)
  const unbounded: string[] = []
  const readers: string[] = []
  for (const [name, place] of places) {
    const way = wayTo(place, isReader, isOutside)
    if (way === null) continue
    readers.push(name)
    const it = await registry[name]?.load?.()
    if (it?.isBounded === true || it?.endsAtOnce === true || apart[name] !== undefined) continue
    unbounded.push(`${name}: ${way.map((at) => `${at.file} ${at.name}`).join(' > ')}`)
  }
  expect(unbounded).toEqual([])
  // Some of each kind: one that has its own file, a row of a noun, one whose value is read from a file, one that loads what it needs.
  for (const name of ['lint', 'watch', 'gateway compile', 'version document', 'thread create', 'import openapi'])
    expect(readers).toContain(name)
  expect(readers).not.toContain('project list')
  expect(Object.keys(apart).filter((it) => !readers.includes(it))).toEqual([])
})
