/** Selectors of Arazzo 1.1: JSON Pointer (RFC 6901), JSONPath (RFC 9535) and XPath, in values that steps have. */
import { isObject, type Json, type Path } from '../kernel/json.ts'
import { followPath, parsePointer } from '../kernel/pointer.ts'
import { QueryInvalid, readQuery } from '../overlay/jsonpath.ts'
import { SelectorInvalid } from './faults.ts'
import { isTrueIn, selectIn } from './xml.ts'

/** The language of a selector or a condition. */
export type Language = 'jsonpointer' | 'jsonpath' | 'xpath'

/** The language that a `type` names, alone or in an Expression Type Object; null where it names none. */
export function languageOf(type: Json | undefined): Language | null {
  const name = isObject(type) ? type.type : type
  return name === 'jsonpointer' || name === 'jsonpath' || name === 'xpath' ? name : null
}

/** A Selector Object: what is selected from, and how. */
export interface Selector {
  readonly context: string
  readonly selector: string
  readonly language: Language
}

/** Reads a Selector Object; null for a value of another kind. */
export function readSelector(value: Json | undefined): Selector | null {
  if (!isObject(value)) return null
  const language = languageOf(value.type)
  const { context, selector } = value as { readonly context?: Json; readonly selector?: Json }
  return language !== null && typeof context === 'string' && typeof selector === 'string'
    ? { context, selector, language }
    : null
}

/** JSON as it is; a text that holds JSON as what it says. */
function structured(value: Json): Json {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as Json
  } catch {
    throw new SelectorInvalid('the context is a text, and no JSON')
  }
}

/** The paths that a JSONPath selects in a value. */
export function pathsIn(query: string, value: Json): readonly Path[] {
  try {
    return readQuery(query)
      .select(value)
      .map(({ path }) => path)
  } catch (error) {
    if (error instanceof QueryInvalid) throw new SelectorInvalid(`"${query}" is no JSONPath: ${error.message}`)
    throw error
  }
}

function selectPaths(query: string, value: Json): Json | undefined {
  const found = pathsIn(query, value).map((path) => followPath(value, path)?.value ?? null)
  return found.length > 1 ? found : found[0]
}

function selectPointer(pointer: string, value: Json): Json | undefined {
  const steps = parsePointer(pointer.startsWith('#') ? pointer.slice(1) : pointer)
  if (steps === null) throw new SelectorInvalid(`"${pointer}" is no JSON Pointer`)
  return followPath(value, steps)?.value
}

/**
 * What a selector selects: the value where it is one, a list where there are several, undefined where there is none. XPath
 * selects texts, numbers and truth values.
 * @throws SelectorInvalid where the selector is none, or cannot be applied to the value
 */
export async function select(language: Language, selector: string, value: Json): Promise<Json | undefined> {
  if (language === 'xpath') return selectIn(selector, textOfXml(value))
  const root = structured(value)
  return language === 'jsonpath' ? selectPaths(selector, root) : selectPointer(selector, root)
}

/**
 * Whether a JSONPath or an XPath is true of a value: it selects a node, or its effective boolean value is true.
 * @throws SelectorInvalid as `select`
 */
export async function holds(language: 'jsonpath' | 'xpath', selector: string, value: Json): Promise<boolean> {
  if (language === 'xpath') return isTrueIn(selector, textOfXml(value))
  return pathsIn(selector, structured(value)).length > 0
}

function textOfXml(value: Json): string {
  if (typeof value !== 'string') throw new SelectorInvalid('the context is no XML')
  return value
}
