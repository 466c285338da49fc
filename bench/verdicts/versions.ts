/**
 * Writes the cases of the track versions, pairs of two published versions of one description:
 * `bun versions.ts --name NAME --package PACKAGE --licence LICENCE --file FILE --from FOLDER --to FOLDER [--most NUMBER] [--out FOLDER]`. The folders
 * are two versions of an npm package, unpacked. A case is one path that differs, with everything that it refers to. It is breaking where a message was
 * drawn that shows it, safe where only documentation differs, and not a case otherwise.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import type { JsonObject } from './case.ts'
import { filesOf } from './generator/files.ts'
import { print } from './generator/print.ts'
import { Random } from './generator/random.ts'
import { labelled, partOf } from './generator/versions.ts'

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: '' },
    package: { type: 'string', default: '' },
    licence: { type: 'string', default: '' },
    file: { type: 'string', default: '' },
    from: { type: 'string', default: '' },
    to: { type: 'string', default: '' },
    most: { type: 'string', default: '16' },
    out: { type: 'string', default: join(import.meta.dir, 'cases') },
  },
})
const missing = (['name', 'package', 'licence', 'file', 'from', 'to'] as const).filter((name) => values[name] === '')
if (missing.length > 0) {
  console.error(`These options are missing: ${missing.map((name) => `--${name}`).join(', ')}.`)
  process.exit(2)
}

// A case has to be read by people: longer paths are left out, and only a few of those that are gone are taken.
const maxCharacters = 30_000
const maxRemoved = 2
const maxSafe = 4

const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
const read = (folder: string): JsonObject => parse(readFileSync(join(folder, values.file), 'utf8')) as JsonObject
const [from, to] = [versionOf(values.from), versionOf(values.to)]
const [base, head] = [read(values.from), read(values.to)]
const source = `${values.package} ${from} and ${to}, ${values.file}, ${values.licence}`

let removed = 0
let safe = 0
let made = 0
const later = head['paths'] as JsonObject
for (const path of new Random(`versions/${source}`).shuffle(Object.keys(base['paths'] as JsonObject))) {
  if (made >= Number(values.most)) break
  const isRemoved = later[path] === undefined
  const documents = { base: partOf(base, path), head: partOf(head, path) }
  const isLong = print(documents.base).length > maxCharacters || print(documents.head).length > maxCharacters
  if (isLong || (isRemoved && removed >= maxRemoved)) continue
  const slug = path
    .replaceAll(/[^a-zA-Z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase()
  const id = `${values.name}-${`${from}-${to}`.replaceAll('.', '-')}-${slug}`
  const found = labelled({ id, source: `${source}; the path ${path}`, ...documents })
  if (found === null || (found.verdict === 'safe' && safe >= maxSafe)) continue
  if (found.verdict === 'safe') safe++
  made++
  if (isRemoved) removed++
  for (const [name, text] of filesOf(found)) {
    mkdirSync(dirname(join(values.out, name)), { recursive: true })
    writeFileSync(join(values.out, name), text)
  }
  console.log(`${found.verdict}  ${id}`)
}
