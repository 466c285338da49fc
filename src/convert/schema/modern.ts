/** JSON Schema of any draft from 4 on as 2020-12. */
import type { Document } from '../../document/document.ts'
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { jsonSchema04, jsonSchema07 } from '../../document/validate/json-schema.ts'
import { edit, rebuild } from '../../document/validate/rebuild.ts'
import { upgradeKeywords } from '../../import/convert/json-schema.ts'
import type { Notes } from '../../import/notes.ts'
import { type Rename, renameReference } from './paths.ts'

/** What `$schema` says for 2020-12. */
export const dialect2020 = 'https://json-schema.org/draft/2020-12/schema'

// What says the same beside a reference whether it counts or not.
const texts: ReadonlySet<string> = new Set([
  '$ref',
  '$id',
  'id',
  '$schema',
  'title',
  'description',
  '$comment',
  'examples',
  'default',
  'definitions',
  '$defs',
])

const rename: Rename = (step, schema, next) => {
  if (step === 'definitions') return '$defs'
  if (step === 'dependencies') return 'dependentSchemas'
  if (step === 'additionalItems') return 'items'
  return step === 'items' && Array.isArray(schema.items) && next !== undefined ? 'prefixItems' : step
}

// Until draft 7 an identifier that begins with "#" was an anchor.
function identityOf(schema: JsonObject, word: 'id' | '$id'): Record<string, Json> {
  const id = schema[word]
  if (typeof id !== 'string') return {}
  return id.startsWith('#') && id.length > 1 ? { $anchor: id.slice(1) } : { $id: id.replace(/#$/, '') }
}

/** A schema of the draft that its `$schema` names as 2020-12, with its identifiers; references follow what they name. */
export function modernize(document: Document, notes: Notes): JsonObject {
  const content = document.value as JsonObject
  const draft = document.format?.version ?? '2020-12'
  const grammar = draft === 'draft-04' || draft === 'draft-03' ? jsonSchema04 : jsonSchema07
  const made = rebuild(grammar, content, (name, given, path) => {
    if (name !== 'Schema') return given
    let node = given
    if (typeof node.$ref === 'string') {
      const ignored = Object.keys(node).filter((key) => !texts.has(key) && !key.startsWith('x-'))
      if (draft.startsWith('draft-0') && ignored.length > 0) {
        notes.add(
          'ref-siblings',
          `Removed ${ignored.map((key) => `"${key}"`).join(', ')} next to "$ref", which had no effect.`,
          path,
        )
        node = edit(node, ignored)
      }
      node = { ...node, $ref: renameReference(document, String(node.$ref), path, rename) }
    }
    const identity = identityOf(given, draft === 'draft-04' ? 'id' : '$id')
    const { definitions, ...rest } = upgradeKeywords(node)
    if (!isObject(definitions)) return { ...identity, ...(definitions === undefined ? rest : { ...rest, definitions }) }
    return { ...identity, ...rest, $defs: { ...(isObject(rest.$defs) ? rest.$defs : {}), ...definitions } }
  })
  return { $schema: dialect2020, ...edit(made, ['$schema']) }
}
