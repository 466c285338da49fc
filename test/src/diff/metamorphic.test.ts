import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { diff } from '../../../src/diff/diff.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { mutations, randomFrom } from './mutations.ts'

const examples = join(import.meta.dir, '../../../node_modules/@readme/oas-examples')
const documents = ['3.0/json', '3.1/json', '2.0/json'].flatMap((folder) =>
  readdirSync(join(examples, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const text = readFileSync(join(examples, folder, name), 'utf8')
      return { name: `${folder}/${name}`, text, base: parseDocument(text, { source: name }) }
    })
    .filter(({ text }) => text.length < 60_000),
)
const edited = (text: string, edit: (copy: { [key: string]: Json }) => boolean): string | null => {
  const copy = JSON.parse(text) as { [key: string]: Json }
  return edit(copy) ? JSON.stringify(copy) : null
}

describe('another spelling is no change', () => {
  for (const [kind, mutate] of Object.entries(mutations)) {
    test(kind, () => {
      const told: string[] = []
      let tried = 0
      for (const [i, { name, text, base }] of documents.entries()) {
        const random = randomFrom(i + 1)
        const other = edited(text, (copy) => mutate(copy, random))
        if (other === null) continue
        tried++
        const result = diff(base, parseDocument(other, { source: name }))
        if (result.maxSeverity !== null && result.maxSeverity !== 'docs-only')
          told.push(`${name}: ${result.changes[0]!.message}`)
      }
      expect(told).toEqual([])
      expect(tried).toBeGreaterThan(10)
    })
  }

  test('JSON and YAML twins are the same document', () => {
    for (const { text, base } of documents.slice(0, 12)) {
      const yaml = parseDocument(Bun.YAML.stringify(JSON.parse(text), null, 2), { source: 'api.yaml' })
      expect(diff(base, yaml).changes).toEqual([])
    }
  })
})

describe('two revisions', () => {
  const pairs = documents.slice(0, -1).map(({ base }, i) => [base, documents[i + 1]!.base] as const)
  const named = (result: ReturnType<typeof diff>, action: string): string[] =>
    result.changes
      .filter((it) => /^(operation|webhook|schema-component)-(added|removed)$/.test(it.id) && it.id.endsWith(action))
      .map((it) => String(it.before ?? it.after))
      .sort()

  test('compared the other way round, what was added was removed', () => {
    for (const [a, b] of pairs) {
      const [there, back] = [diff(a, b), diff(b, a)]
      expect(named(back, 'removed')).toEqual(named(there, 'added'))
      expect(named(back, 'added')).toEqual(named(there, 'removed'))
    }
  })

  test('give the same bytes whatever the order of keys', () => {
    const [a, b] = [documents.find((it) => it.name.includes('star-trek')) ?? documents[0]!, documents[3]!]
    const told = new Set<string>()
    for (let seed = 0; seed < 20; seed++) {
      const random = randomFrom(seed)
      const [left, right] = [a, b].map(({ text }) =>
        parseDocument(
          edited(text, (copy) => mutations.reorder!(copy, random))!,
          { source: 'api' },
        ),
      )
      const { changes } = diff(left!, right!)
      told.add(
        JSON.stringify(
          changes.map((it) => ({ ...it, base: it.base?.pointer ?? null, head: it.head?.pointer ?? null })),
        ),
      )
    }
    expect(told.size).toBe(1)
  })
})
