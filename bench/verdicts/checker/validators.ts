/** Validators of others: ajv in this process, Python's jsonschema in one of its own where it is installed. */
import { join } from 'node:path'
import Ajv, { type Options } from 'ajv'
import Ajv2019 from 'ajv/dist/2019.js'
import Ajv2020 from 'ajv/dist/2020.js'
import Ajv04 from 'ajv-draft-04'
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json'
import { isObject, type Json, type JsonObject } from '../case.ts'

export type Dialect = '04' | '06' | '07' | '2019-09' | '2020-12'

/** A schema that needs no other document. */
export interface Standalone {
  readonly dialect: Dialect
  readonly schema: Json
}

export type Validate = (value: Json) => boolean

const options: Options = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  addUsedSchema: false,
  logger: false,
}
// Until draft-07 keywords beside a reference say nothing.
const withoutSiblings = { ...options, ignoreKeywordsWithRef: true }

/** A validator without keywords that its draft does not have: ajv knows them in all drafts. */
function without(ajv: Ajv, keywords: readonly string[]): Ajv {
  for (const keyword of keywords) ajv.removeKeyword(keyword)
  return ajv
}

const conditions = ['if', 'then', 'else']
const makers: Readonly<Record<Dialect, () => Ajv>> = {
  '04': () => without(new Ajv04(withoutSiblings), [...conditions, 'const', 'contains', 'propertyNames']),
  '06': () => without(new Ajv(withoutSiblings).addMetaSchema(draft06), conditions),
  '07': () => new Ajv(withoutSiblings),
  '2019-09': () => new Ajv2019(options),
  '2020-12': () => new Ajv2020(options),
}
const instances = new Map<Dialect, Ajv>()

/** What decides by ajv whether values are valid. @throws Error where ajv cannot read the schema. */
export function ajvFor({ dialect, schema }: Standalone): Validate {
  // A schema with identifiers of its own gets an instance of its own: identifiers are kept.
  const isAlone = JSON.stringify(schema).includes('"$id"')
  const found = isAlone ? undefined : instances.get(dialect)
  const ajv = found ?? makers[dialect]()
  if (!isAlone) instances.set(dialect, ajv)
  const validate = ajv.compile(schema as JsonObject | boolean)
  return (value) => validate(value)
}

/** The dialect that a JSON Schema names, 2020-12 without one. */
export function dialectOf(schema: Json): Dialect {
  const named = isObject(schema) && typeof schema['$schema'] === 'string' ? schema['$schema'] : ''
  const found = /draft-0?(\d)|draft\/(\d{4}-\d\d)/.exec(named)
  const name = found?.[2] ?? (found?.[1] === undefined ? '2020-12' : `0${found[1]}`)
  if (!Object.hasOwn(makers, name)) throw new Error(`No validator for the dialect ${named}`)
  return name as Dialect
}

export interface Question extends Standalone {
  readonly value: Json
}

/** What Python's jsonschema says to each question; null where Python or jsonschema is missing. */
export function askPython(questions: readonly Question[]): readonly boolean[] | null {
  const python = Bun.which('python3')
  if (python === null) return null
  const result = Bun.spawnSync([python, join(import.meta.dir, 'values.py')], {
    stdin: Buffer.from(JSON.stringify(questions)),
    stderr: 'pipe',
    timeout: 300_000,
  })
  // 3 says that there is no jsonschema.
  if (result.exitCode === 3) return null
  if (result.exitCode !== 0) throw new Error(`values.py failed: ${result.stderr.toString().slice(-500)}`)
  return JSON.parse(result.stdout.toString()) as boolean[]
}
