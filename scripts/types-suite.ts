/**
 * Runs cases of the JSON-Schema-Test-Suite through the registry of types:
 * `bun scripts/types-suite.ts FOLDER [--only ref,anchor]`. FOLDER holds files of 2020-12 (`*.json`, `remotes/`). Each schema, and
 * each document that it refers to, is a registered type; a description refers to the schema, is rendered with the types
 * bundled and inlined, and as JSON Schema, and must accept what the case says. Exit code 1 where one does not.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type Json, type JsonObject } from '../src/kernel/json.ts'
import jsonSchema from '../src/render/formats/json-schema.ts'
import { isValid } from '../src/schema/validate.ts'
import { bundleTypes, type UsedType } from '../src/types/bundle-types.ts'
import { edgesOf } from '../src/types/edges.ts'
import { inlineTypes } from '../src/types/inline-types.ts'

interface Group {
  readonly description: string
  readonly schema: Json
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[]
}

const folder = process.argv[2] ?? ''
if (folder === '') throw new Error('usage: bun scripts/types-suite.ts FOLDER [--only ref,anchor]')
const only = process.argv.includes('--only')
  ? (process.argv[process.argv.indexOf('--only') + 1] ?? '').split(',')
  : null

const read = (path: string): Json => JSON.parse(readFileSync(path, 'utf8')) as Json

/** The documents that cases refer to, by their addresses and identifiers. */
function remoteDocuments(): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>()
  const remotes = join(folder, 'remotes')
  if (!existsSync(remotes)) return found
  for (const file of readdirSync(remotes, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.json')) continue
    const address = `http://localhost:1234/${file.replaceAll('\\', '/')}`
    const value = read(join(remotes, file))
    found.set(address, value)
    if (isObject(value) && typeof value.$id === 'string') found.set(new URL(value.$id, address).href, value)
  }
  return found
}

const remotes = remoteDocuments()

/** A schema and what it refers to as types of the registry. */
function typesOf(schema: Json): Record<string, UsedType> {
  const used: Record<string, UsedType> = {}
  const waiting: [ref: string, schema: Json][] = [['svc:suite/Case', schema]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [ref, value] = next
    if (used[ref] !== undefined) continue
    // A document is known by its address where it names none itself.
    const named = isObject(value) && value.$id === undefined && remotes.has(ref) ? { $id: ref, ...value } : value
    const name =
      ref
        .split('/')
        .at(-1)
        ?.replace(/\.json$/, '') ?? ''
    used[ref] = { name, identity: ref, schema: JSON.stringify(named) }
    for (const { target, key } of edgesOf(named))
      for (const one of [target.replace(/#.*$/s, ''), key ?? '']) {
        const found = remotes.get(one)
        if (found !== undefined) waiting.push([one, found])
      }
  }
  return used
}

// What a case says of meta-schemas is not about references to types.
const isLeftOut = (schema: Json): boolean =>
  /"\$ref":"https?:\/\/json-schema\.org|"\$schema":"http:\/\/localhost/.test(JSON.stringify(schema))

const sourceOf = (use: Json) => ({
  title: 'Suite',
  version: '1',
  description: null,
  arazzo: null,
  classes: { Use: use },
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Suite', version: '1' },
    paths: {},
    components: { schemas: { Use: use } },
  },
})

let right = 0
let wrong = 0
let leftOut = 0

function check(file: string, { description, schema, tests }: Group): void {
  const types = typesOf(schema)
  for (const write of [bundleTypes, inlineTypes]) {
    const whole = write(sourceOf({ $ref: 'svc:suite/Case' }), types)
    const { components } = whole.openapi as { readonly components: JsonObject }
    const forms: readonly Json[] = [
      { openapi: '3.1.0', $ref: '#/components/schemas/Use', components },
      jsonSchema.ofClass(whole, 'Use') ?? false,
    ]
    for (const it of tests) {
      if (forms.every((form) => isValid(form, it.data, { formats: false }) === it.valid)) right++
      else {
        wrong++
        console.log(`${file}: ${description}: ${it.description} (${write.name})`)
      }
    }
  }
}

for (const file of readdirSync(folder).filter((it) => it.endsWith('.json'))) {
  if (only !== null && !only.includes(file.replace(/\.json$/, ''))) continue
  for (const group of read(join(folder, file)) as unknown as Group[]) {
    if (isLeftOut(group.schema)) leftOut += group.tests.length
    else check(file, group)
  }
}
console.log(`${right} right, ${wrong} wrong, ${leftOut} left out`)
process.exit(wrong > 0 ? 1 : 0)
