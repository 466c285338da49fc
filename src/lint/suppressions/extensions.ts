/** Suppressions of the extension `x-lint-ignore`: a rule, a list of rules, or an object of rules with reasons. */
import type { Document } from '../../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import {
  refusalOf,
  scopeBelow,
  suppressionExtension,
  type InvalidSuppression,
  type Suppression,
} from './suppression.ts'

/** Objects whose keys are names of the author: `x-lint-ignore` is a name there. */
const mapsOfNames = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'schemas',
  'parameters',
  'headers',
  'requestBodies',
  'securitySchemes',
  'securityDefinitions',
  'examples',
  'links',
  'pathItems',
  'content',
  'encoding',
  'variables',
  'scopes',
  'mapping',
  'webhooks',
])
/** Objects of names that take extensions as well. */
const openMaps = new Set(['paths', 'responses', 'callbacks'])
/** Values of the author's API: nothing in them is about the document. */
const data = new Set(['example', 'default', 'const', 'enum', 'examples', 'value'])

type Place = 'object' | 'names' | 'open'

const placeOf = (key: string): Place => (mapsOfNames.has(key) ? 'names' : openMaps.has(key) ? 'open' : 'object')

interface Found {
  readonly value: Json
  /** Of the object that has the extension. */
  readonly path: Path
}

function* extensionsIn(root: Json): Generator<Found> {
  const seen = new Set<object>()
  const waiting: { readonly value: Json; readonly path: Path; readonly place: Place }[] = [
    { value: root, path: [], place: 'object' },
  ]
  const add = (value: Json, path: Path, place: Place): void => {
    // Aliases of YAML are one object: it is read where the walk finds it first.
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    waiting.push({ value, path, place })
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path, place } = next
    if (Array.isArray(value)) {
      ;(value as readonly Json[]).forEach((it, index) => add(it, [...path, index], 'object'))
      continue
    }
    for (const [key, inner] of Object.entries(value as JsonObject)) {
      const isName = place !== 'object'
      if (key === suppressionExtension && place !== 'names') yield { value: inner, path }
      else if (isName) add(inner, [...path, key], 'object')
      // A map of examples holds objects of the document, a list of them holds values.
      else if (!data.has(key) || (key === 'examples' && isObject(inner))) add(inner, [...path, key], placeOf(key))
    }
  }
}

type Named = readonly [rule: string, reason: string | null, step: Path]

/** The rules of a value of the extension; null where it names none. */
function rulesOf(value: Json): readonly Named[] | null {
  const split = (text: string, step: Path): Named[] =>
    text.split(',').flatMap((it): Named[] => (it.trim() === '' ? [] : [[it.trim(), null, step]]))
  let named: Named[] = []
  if (typeof value === 'string') named = split(value, [])
  else if (Array.isArray(value)) {
    const list = value as readonly Json[]
    if (!list.every((it) => typeof it === 'string')) return null
    named = list.flatMap((it, index) => split(it, [index]))
  } else if (isObject(value)) {
    const entries = Object.entries(value)
    if (!entries.every(([, reason]) => typeof reason === 'string' || reason === null)) return null
    named = entries.map(([rule, reason]) => [rule, typeof reason === 'string' ? reason.trim() || null : null, [rule]])
  }
  return named.length === 0 ? null : named
}

/** The suppressions by extensions of a document, with those that suppress nothing. */
export function readExtensions(document: Document): (Suppression | InvalidSuppression)[] {
  const { source } = document
  const found: (Suppression | InvalidSuppression)[] = []
  for (const { value, path } of extensionsIn(document.value)) {
    const at = [...path, suppressionExtension]
    const rules = rulesOf(value)
    if (rules === null) {
      const message = `${suppressionExtension} names no rule, so it suppresses nothing; write the id of a rule, a list of ids, or an object of ids with reasons.`
      found.push({ source, path: at, range: document.locate(at), message })
      continue
    }
    const scope = scopeBelow(source, path)
    for (const [rule, reason, step] of rules) {
      const place = { source, path: [...at, ...step], range: document.locate([...at, ...step]) }
      const refused = refusalOf(rule)
      found.push(
        refused === null ? { kind: 'extension', rule, reason, scope, ...place } : { ...place, message: refused },
      )
    }
  }
  return found
}
