/**
 * Runs a folder of JSON Schema test cases through the validator and the comparison:
 * `bun scripts/json-schema-suite.ts FOLDER [--only ref,anchor] [--list]`. FOLDER is a copy of the JSON-Schema-Test-Suite
 * (`tests/draft7/*.json` …, `remotes/`), or holds the files of 2020-12 alone (`*.json`, `remotes/`). A case asks whether
 * `data` fits `schema`; the comparison is asked whether the one value is within the schema. Exit code 1 where an answer is
 * wrong; what the comparison leaves undecided is counted apart.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { diff } from '../src/diff/diff.ts'
import type { Json, JsonObject } from '../src/kernel/json.ts'
import { parseDocument } from '../src/document/parse.ts'
import { isValid } from '../src/schema/validate.ts'
import type { Dialect } from '../src/schema/validate.ts'

interface Group {
  readonly description: string
  readonly schema: Json
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[]
}

const folder = process.argv[2] ?? ''
if (folder === '') throw new Error('usage: bun scripts/json-schema-suite.ts FOLDER [--only ref,anchor] [--list]')
const list = process.argv.includes('--list')
const only = process.argv.includes('--only')
  ? (process.argv[process.argv.indexOf('--only') + 1] ?? '').split(',')
  : null

const json = (path: string): Json => JSON.parse(readFileSync(path, 'utf8')) as Json
const modules = join(import.meta.dir, '../node_modules')

/** The documents that cases refer to, by URI: those of the suite, and the meta-schemas. */
function remoteDocuments(): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>()
  const remotes = join(folder, 'remotes')
  if (existsSync(remotes))
    for (const file of readdirSync(remotes, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.json')) found.set(`http://localhost:1234/${file}`, json(join(remotes, file)))
  const refs = join(modules, 'ajv/dist/refs')
  const metas = [
    join(modules, 'ajv-draft-04/dist/refs/json-schema-draft-04.json'),
    ...readdirSync(refs, { recursive: true, encoding: 'utf8' })
      .filter((file) => /json-schema-(?:draft-0[67]\.json|20\d\d-\d\d\/.*\.json)$/.test(file))
      .map((file) => join(refs, file)),
  ]
  for (const file of metas) {
    const meta = json(file) as JsonObject
    found.set(String(meta.$id ?? meta.id).replace(/#$/, ''), meta)
  }
  return found
}

const drafts: readonly (readonly [string, Dialect])[] = [
  ['draft4', 'draft-04'],
  ['draft6', 'draft-06'],
  ['draft7', 'draft-07'],
  ['draft2019-09', '2019-09'],
  ['draft2020-12', '2020-12'],
]

const uris: Readonly<Record<string, string>> = {
  'draft-04': 'http://json-schema.org/draft-04/schema#',
  'draft-06': 'http://json-schema.org/draft-06/schema#',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
}

/** Whether the comparison puts a value within a schema; null where it leaves that undecided. */
function contains(schema: Json, data: Json, dialect: Dialect): boolean | null {
  const $schema = uris[dialect] ?? `https://json-schema.org/draft/${dialect}/schema`
  const side = (value: Json) => parseDocument(JSON.stringify(value), { source: 'schema.json' })
  const one = { $schema, enum: [data] }
  const many =
    typeof schema === 'object' && schema !== null
      ? { $schema, ...(schema as JsonObject) }
      : { $schema, allOf: [schema] }
  const { verdict } = diff(side(one), side(many), { mode: 'backward' })
  return verdict === 'unknown' ? null : verdict !== 'breaking'
}

const remotes = remoteDocuments()
const folders = existsSync(join(folder, 'tests'))
  ? drafts.flatMap(([name, dialect]): [string, Dialect][] => {
      const path = join(folder, 'tests', name)
      return existsSync(path) ? [[path, dialect]] : []
    })
  : [[folder, '2020-12'] as [string, Dialect]]

let wrong = 0
for (const [path, dialect] of folders) {
  const score = { cases: 0, right: 0, decided: 0, contained: 0 }
  for (const file of readdirSync(path).sort()) {
    if (!file.endsWith('.json') || (only !== null && !only.includes(file.replace('.json', '')))) continue
    for (const { description, schema, tests } of json(join(path, file)) as unknown as readonly Group[])
      for (const test of tests) {
        score.cases++
        const options = { dialect, formats: false, external: (uri: string) => remotes.get(uri) }
        const valid = isValid(schema, test.data, options)
        const inside = contains(schema, test.data, dialect)
        if (valid === test.valid) score.right++
        if (inside !== null) score.decided++
        if (inside === test.valid) score.contained++
        if (valid !== test.valid || (inside !== null && inside !== test.valid)) {
          wrong++
          const who = valid === test.valid ? 'comparison' : 'validator'
          if (list) console.log(`${who}: ${relative(folder, join(path, file))}: ${description}: ${test.description}`)
        }
      }
  }
  console.log(
    `${dialect}: validator ${score.right}/${score.cases}, comparison ${score.contained}/${score.decided} decided of ${score.cases}`,
  )
}
if (wrong > 0) process.exit(1)
