/** The rooms of the application import downwards only, and its features form a graph without circles. */
import { expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dir, '../../web/src')

/** Lower rooms first: a room imports rooms of its own rank and below. The folder `features` is looked at apart. */
const ranks: readonly (readonly string[])[] = [
  ['theme.ts', 'editor'],
  ['parts'],
  ['call.ts', 'query-client.ts'],
  ['session.ts'],
  ['routing'],
  ['features'],
  ['shell'],
  ['router.tsx', 'main.tsx'],
]

const imports = async (): Promise<readonly (readonly [from: string, to: string])[]> => {
  const found: [string, string][] = []
  for await (const path of new Bun.Glob('**/*.{ts,tsx}').scan(root)) {
    const text = await Bun.file(join(root, path)).text()
    for (const [, to = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const target = normalize(join(dirname(path), to))
      if (!target.startsWith('..')) found.push([path, target])
    }
  }
  return found
}

const rankOf = (path: string): number => ranks.findIndex((rank) => rank.includes(path.split('/')[0]!))

test('rooms import downwards only', async () => {
  const all = await imports()
  expect(all.filter(([from]) => rankOf(from) === -1)).toEqual([])
  expect(all.filter(([from, to]) => rankOf(from) < rankOf(to)).map((pair) => pair.join(' imports '))).toEqual([])
})

test('features import each other without circles', async () => {
  const graph = new Map<string, Set<string>>()
  for (const [from, to] of await imports()) {
    const [a, b] = [from, to].map((path) => path.split('/'))
    if (a?.[0] !== 'features' || b?.[0] !== 'features' || a[1] === b[1]) continue
    graph.set(a[1]!, (graph.get(a[1]!) ?? new Set()).add(b[1]!))
  }
  // Features that import no other are taken away until none is left, or each of the rest leads to a circle.
  for (;;) {
    const free = [...graph].filter(([, targets]) => [...targets].every((target) => !graph.has(target)))
    if (free.length === 0) break
    for (const [name] of free) graph.delete(name)
  }
  expect([...graph.keys()]).toEqual([])
})
