/**
 * `node scripts/bun.mjs scripts/corpus-import.ts FOLDER`: imports every JSON and YAML document of a folder as a server would, without a
 * database, beside a validator that is not ours. Counts the documents that the validator accepts and we refuse, and the refusals without
 * a position. Ends with 1 where there is one of either.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { analyseText } from '../server/analysis/analyse-text.ts'
import type { Json } from '../src/document/json.ts'
import { parseDocument } from '../src/document/parse.ts'

const folder = process.argv[2]
if (folder === undefined) {
  console.error('Name the folder: scripts/corpus-import.ts FOLDER')
  process.exit(2)
}

const filesIn = (at: string): string[] =>
  readdirSync(at)
    .toSorted()
    .flatMap((name) => {
      const path = join(at, name)
      return statSync(path).isDirectory() ? filesIn(path) : /\.(?:json|ya?ml)$/i.test(name) ? [path] : []
    })

/** Whether the validator accepts an OpenAPI or Swagger document; null where it does not know its version. */
async function isAccepted(value: Json): Promise<boolean | null> {
  try {
    const { valid } = await new Validator().validate(structuredClone(value) as Record<string, unknown>)
    return valid
  } catch {
    return null
  }
}

const tally: Record<string, number> = {}
const count = (what: string): void => {
  tally[what] = (tally[what] ?? 0) + 1
}
let faults = 0
for (const path of filesIn(folder)) {
  const name = relative(folder, path)
  const text = readFileSync(path, 'utf8')
  const analysis = analyseText(text, { source: name, format: 'auto', projectNameField: null })
  const kind = analysis.ownFormat?.kind ?? 'none'
  const imported = analysis.invalid.length === 0
  if (kind === 'none') {
    count('not of a known format')
    continue
  }
  count(`${kind}: ${imported ? 'imported' : 'refused'}`)
  if (imported) continue
  const [reason = ''] = analysis.invalid
  if (!/:\d+:\d+: /.test(reason)) {
    faults++
    console.log(`without a position: ${name}: ${reason.slice(0, 200)}`)
  }
  const isApi = kind === 'openapi' || kind === 'swagger'
  const accepted = isApi ? await isAccepted(parseDocument(text, { source: name }).value) : null
  if (accepted === true) {
    faults++
    console.log(`refused, though its validator accepts it: ${reason.slice(0, 240)}`)
  } else if (accepted === false) count('refused by both')
}
for (const [what, n] of Object.entries(tally).toSorted(([a], [b]) => (a < b ? -1 : 1))) console.log(`${n}\t${what}`)
process.exit(faults === 0 ? 0 : 1)
