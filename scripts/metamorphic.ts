/**
 * Checks that other spellings are not changes: `bun scripts/metamorphic.ts [--mutations N] [--seed N] [--limit CHARACTERS] [FILE…]`. Each document
 * is written in another way (keys reordered, a component renamed, inlined, wrapped in allOf, the dialect upgraded, a cycle
 * unrolled) and compared with itself; whatever is above documentation is printed, and the exit code is 1.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { diff } from '../src/diff/diff.ts'
import { parseDocument } from '../src/document/parse.ts'
import { mutations, randomFrom } from '../test/src/diff/mutations.ts'
import type { Json } from '../src/document/json.ts'

const args = process.argv.slice(2)
const option = (name: string, fallback: number): number => {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(args.splice(at, 2)[1])
}
const total = option('mutations', 10_000)
const limit = option('limit', 150_000)
const seed = option('seed', 1)
const examples = join(import.meta.dir, '../node_modules/@readme/oas-examples')
const files =
  args.length > 0
    ? args
    : ['3.0/json', '3.1/json', '2.0/json'].flatMap((folder) =>
        readdirSync(join(examples, folder))
          .filter((name) => name.endsWith('.json'))
          .map((name) => join(examples, folder, name)),
      )
const documents = files
  .map((file) => ({ file, base: parseDocument(readFileSync(file, 'utf8'), { source: file }) }))
  .filter(({ base }) => base.value !== null && base.text.length < limit)
const random = randomFrom(seed)
const counts: Record<string, number> = {}
let tried = 0
let failed = 0
for (let turn = 0; tried < total && turn < total * 20; turn++) {
  const { file, base } = documents[Math.floor(random() * documents.length)]!
  const names = Object.keys(mutations)
  const name = names[Math.floor(random() * names.length)]!
  const copy = structuredClone(base.value) as { [key: string]: Json }
  if (!mutations[name]!(copy, random)) continue
  tried++
  counts[name] = (counts[name] ?? 0) + 1
  const result = diff(base, parseDocument(JSON.stringify(copy), { source: file }))
  if (result.maxSeverity === null || result.maxSeverity === 'docs-only') continue
  failed++
  const worst = result.changes[0]!
  if (failed <= 40)
    console.log(
      `${name} of ${file.slice(file.lastIndexOf('/') - 8)}: ${worst.severity} ${worst.id}: ${worst.message.slice(0, 120)} ${worst.base?.pointer} → ${worst.head?.pointer}`,
    )
}
console.log(
  `seed ${seed}: ${tried} mutations of ${documents.length} documents (${Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')}): ${failed} told as a change`,
)
if (failed > 0) process.exit(1)
