/**
 * Runs the files of the Overlay Specification's repository: `bun scripts/overlay-suite.ts FOLDER`. FOLDER has `compliant-sets/NAME` (a
 * document, `overlay.yaml` and `output.yaml` each) and `tests/VERSION/pass` and `…/fail`. Exit code 1 where an answer is wrong.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isEqual } from '../src/anchors/equal-nodes.ts'
import type { Document } from '../src/document/document.ts'
import { parseDocument } from '../src/document/parse.ts'
import { applyOverlay } from '../src/overlay/apply.ts'
import { overlayOf, placedMessage, readOverlay } from '../src/overlay/read.ts'

const folder = process.argv[2] ?? ''
if (folder === '') throw new Error('usage: bun scripts/overlay-suite.ts FOLDER')

const read = (path: string): Document => parseDocument(readFileSync(path, 'utf8'), { source: path })
const entriesOf = (path: string): string[] => (existsSync(path) ? readdirSync(path).toSorted() : [])
const wrong: string[] = []
let count = 0

for (const name of entriesOf(join(folder, 'compliant-sets'))) {
  const set = join(folder, 'compliant-sets', name)
  const files = entriesOf(set)
  const source = files.find((it) => !['overlay.yaml', 'output.yaml'].includes(it) && it.endsWith('.yaml'))
  if (source === undefined || !files.includes('output.yaml')) continue
  count++
  const { document } = applyOverlay(read(join(set, source)), [overlayOf(read(join(set, 'overlay.yaml')))])
  if (!isEqual(document.value, read(join(set, 'output.yaml')).value)) wrong.push(`${set}: the result is another one`)
}

for (const version of entriesOf(join(folder, 'tests')))
  for (const expected of ['pass', 'fail'])
    for (const file of entriesOf(join(folder, 'tests', version, expected))) {
      count++
      const path = join(folder, 'tests', version, expected, file)
      const { overlay, problems } = readOverlay(read(path))
      if ((overlay !== null) === (expected === 'pass')) continue
      wrong.push(`${path}: ${problems.map((it) => placedMessage('', it)).join('; ') || 'nothing was found'}`)
    }

for (const it of wrong) console.log(it)
console.log(`${count - wrong.length} of ${count} are right.`)
process.exit(wrong.length === 0 && count > 0 ? 0 : 1)
