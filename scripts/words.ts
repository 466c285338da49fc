/**
 * `bun scripts/words.ts [--comments] [PATH…]` lists the avoided words in what people read, with the better word; all of it without a path.
 * `--comments` looks at the comments of programs instead. Exits with 1 where there are any.
 */
import { join } from 'node:path'
import { excusesOf, occurrencesIn, patterns, programs } from './words/scan.ts'

const root = join(import.meta.dir, '..')
const comments = process.argv.includes('--comments')
const chosen = process.argv.slice(2).filter((it) => !it.startsWith('--'))

const found = (comments ? programs : patterns)
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true })])
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.includes('node_modules/'))
  .filter((path) => chosen.length === 0 || chosen.some((it) => `${path}/`.startsWith(`${it.replace(/\/$/, '')}/`)))
  .sort()
const texts = await Promise.all(found.map((path) => Bun.file(join(root, path)).text()))
const occurrences = found
  .flatMap((path, index) => occurrencesIn(path, texts[index] ?? '', comments))
  .filter((it) => comments || excusesOf(it).length === 0)
for (const it of occurrences) console.log(`${it.path}:${it.line}: "${it.word}" → ${it.better}\n    ${it.text.trim()}`)
console.error(`${occurrences.length} in ${found.length} files`)
process.exit(occurrences.length > 0 ? 1 : 0)
