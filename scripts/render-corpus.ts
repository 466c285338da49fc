/**
 * Renders every document of a folder and lets others read it: `bun scripts/render-corpus.ts FOLDER [--write OUT]`.
 * Each document that is valid by itself is rendered as OpenAPI 3.1.0 (or Arazzo), imported and rendered again, and given to
 * three consumers. Prints what is wrong with which, and the counts; ends with 1 where something was. `--write` keeps the
 * rendered documents, for consumers that are not part of this project.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from '../src/document/parse.ts'
import { importDocument } from '../src/import/importer.ts'
import { renderArazzo, renderOpenapi, writeDocument } from '../src/render/render.ts'
import { complaintsOf } from './rendered/consumers.ts'
import { lossesOf } from './rendered/round-trip.ts'

const folder = process.argv[2]
if (!folder) throw new Error('usage: bun scripts/render-corpus.ts FOLDER [--write OUT]')
const out = process.argv.includes('--write') ? process.argv[process.argv.indexOf('--write') + 1] : undefined
if (out !== undefined) mkdirSync(out, { recursive: true })

const largest = 32 * 1024 * 1024
let rendered = 0
let refused = 0
let wrong = 0
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
  const path = join(folder, name)
  if (!/\.(?:json|ya?ml)$/.test(name) || statSync(path).size > largest) continue
  const { spec } = importDocument(parseDocument(readFileSync(path, 'utf8'), { source: name }), 'auto')
  if (spec === null || !['openapi', 'swagger', 'arazzo'].includes(spec.format.kind)) continue
  if (spec.problems.length > 0 || spec.unresolved.length > 0) {
    refused += 1
    continue
  }
  rendered += 1
  const isArazzo = spec.format.kind === 'arazzo'
  const value = (isArazzo ? renderArazzo(spec) : renderOpenapi(spec)).value ?? {}
  const text = writeDocument(value, 'json')
  if (out !== undefined) writeFileSync(join(out, `${name.replaceAll(/[/\\]/g, '__')}.rendered.json`), text)
  const found = [...lossesOf(spec), ...(isArazzo ? [] : await complaintsOf(text))]
  if (found.length > 0) wrong += 1
  for (const one of found.slice(0, 5)) console.log(`${name}: ${one}`)
}
console.log(`${rendered} rendered, ${wrong} of them with something wrong; ${refused} not valid by themselves`)
process.exitCode = wrong > 0 ? 1 : 0
