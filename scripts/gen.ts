/**
 * Runs every generator in scripts/gen: each takes the project's folder and answers the files it makes, by path; null for one that must go.
 * `--check` writes nothing and fails when a file differs from what would be written.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

type Generate = (root: string) => Promise<Record<string, string | null>>

const root = join(import.meta.dir, '..')
const check = process.argv.includes('--check')
const stale: string[] = []

const files = (await readdir(join(import.meta.dir, 'gen'))).filter((name) => name.endsWith('.ts')).sort()
// What loads the service needs the list of tables that this one writes.
const first = 'migrations.ts'
for (const file of [first, ...files.filter((name) => name !== first)]) {
  const { default: generate } = (await import(join(import.meta.dir, 'gen', file))) as { default: Generate }
  for (const [path, content] of Object.entries(await generate(root))) {
    const target = Bun.file(join(root, path))
    const present = (await target.exists()) ? await target.text() : null
    if (present === content) continue
    stale.push(path)
    if (check) continue
    if (content === null) await target.delete()
    else await Bun.write(target, content)
  }
}

if (check && stale.length > 0) {
  console.error(`Out of date, run "npm run gen":\n${stale.map((path) => `  ${path}\n`).join('')}`)
  process.exit(1)
}
for (const path of stale) console.log(`wrote ${path}`)
