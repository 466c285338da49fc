/** Request bodies: the payload with its values, its replacements, and its text in the media type (Arazzo 1.1.0, "Request Body Object"). */
import { isObject, type Json, type JsonObject, type Path, textOf } from '../kernel/json.ts'
import { parsePointer } from '../kernel/pointer.ts'
import { parseExpression } from './expression.ts'
import { derefObject, essenceOf, isJsonType, isXmlType, mediaTypeOf, type Called } from './openapi.ts'
import type { Scope } from './scope.ts'
import { SelectorInvalid } from './faults.ts'
import { languageOf, pathsIn } from './select.ts'
import { formText, multipartText } from './serialize.ts'
import { embedded, valueOf } from './values.ts'
import { replaceIn } from './xml.ts'
import { objectsOf } from './document.ts'

/** A body that is ready to be sent. */
export interface Body {
  readonly type: string
  readonly text: string
  /** As expressions see it. */
  readonly value: Json
}

/** A value with another one at a place; objects on the way are made, and "-" is behind the last item of a list. */
function withValue(value: Json | undefined, path: Path, put: Json): Json {
  const [step, ...rest] = path
  if (step === undefined) return put
  if (Array.isArray(value)) {
    const items = [...(value as readonly Json[])]
    const index = step === '-' ? items.length : Number(step)
    if (!Number.isInteger(index) || index < 0 || index > items.length)
      throw new SelectorInvalid(`the list has no place "${step}"`)
    items[index] = withValue(items[index], rest, put)
    return items
  }
  const object = isObject(value) ? value : {}
  if (value !== undefined && value !== null && !isObject(value))
    throw new SelectorInvalid(`"${step}" leads into a value that is no object`)
  const key = String(step)
  return { ...object, [key]: withValue(Object.hasOwn(object, key) ? object[key] : undefined, rest, put) }
}

const formType = 'application/x-www-form-urlencoded'

/** A form that is written out, as an object; a name that is there several times has a list. */
function fieldsOf(text: string): JsonObject {
  const all = Map.groupBy(new URLSearchParams(text), ([name]) => name)
  return Object.fromEntries(
    Array.from(all, ([name, fields]) => {
      const [first = '', ...more] = fields.map(([, value]) => value)
      return [name, more.length === 0 ? first : [first, ...more]]
    }),
  )
}

/** A text that is written out, as the value that its media type makes of it. */
const structured = (text: string, type: string): Json => {
  if (isJsonType(type)) return parsedOr(text)
  return essenceOf(type) === formType ? fieldsOf(text) : text
}

function pointerSteps(target: string): Path {
  const steps = parsePointer(target.startsWith('#') ? target.slice(1) : target)
  if (steps === null) throw new SelectorInvalid(`"${target}" is no JSON Pointer`)
  return steps
}

async function replaced(payload: Json | undefined, replacement: JsonObject, type: string, scope: Scope): Promise<Json> {
  const put = await valueOf(replacement.value ?? null, scope)
  const target = textOf(await valueOf(replacement.target ?? '', scope))
  const language = languageOf(replacement.targetSelectorType) ?? (isXmlType(type) ? 'xpath' : 'jsonpointer')
  if (language === 'xpath') {
    if (typeof payload !== 'string') throw new SelectorInvalid('an XPath needs a payload of XML')
    return replaceIn(target, payload, embedded(put))
  }
  const root = typeof payload === 'string' ? structured(payload, type) : payload
  if (language === 'jsonpointer') return withValue(root, pointerSteps(target), put)
  const paths = pathsIn(target, root ?? null)
  if (paths.length === 0) throw new SelectorInvalid(`"${target}" selects nothing in the payload`)
  return paths.reduce<Json>((value, path) => withValue(value, path, put), root ?? null)
}

function parsedOr(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function textIn(type: string, value: Json, isTemplate: boolean, media: JsonObject): { type: string; text: string } {
  const essence = essenceOf(type)
  if (isJsonType(type)) return { type, text: isTemplate && typeof value === 'string' ? value : JSON.stringify(value) }
  if (isObject(value) && essence === formType)
    return { type, text: formText(value, isObject(media.encoding) ? media.encoding : {}) }
  if (isObject(value) && essence === 'multipart/form-data') {
    // Any text will do that no part has: the parts are ours.
    let boundary = 'svc-form-boundary'
    while (JSON.stringify(value).includes(boundary)) boundary += '-x'
    return { type: `${type}; boundary=${boundary}`, text: multipartText(value, boundary) }
  }
  return { type, text: embedded(value) }
}

/** The media type of a body: as the step says, else JSON where the operation takes it, else the first that it takes. */
function typeFor(written: JsonObject, content: JsonObject, value: Json | undefined): string {
  if (typeof written.contentType === 'string' && written.contentType !== '') return written.contentType
  const types = Object.keys(content).filter((it) => !it.includes('*'))
  const fallback = typeof value === 'string' ? 'text/plain' : 'application/json'
  return types.find(isJsonType) ?? types[0] ?? fallback
}

/**
 * Makes the body of a step.
 * @returns null where the step has none
 * @throws ValueMissing, SelectorInvalid as `valueOf`
 */
export async function bodyOf(step: JsonObject, called: Called, scope: Scope): Promise<Body | null> {
  const written = step.requestBody
  if (!isObject(written)) return null
  const content = derefObject(called.root, called.operation.requestBody).content
  const described = isObject(content) ? content : {}
  const payload = written.payload
  // A text that is written out is sent as it is; a text that an expression gives is a value.
  const isTemplate = typeof payload === 'string' && parseExpression(payload) === null
  let value = payload === undefined ? undefined : await valueOf(payload, scope)
  const type = typeFor(written, described, value)
  for (const replacement of objectsOf(written.replacements)) value = await replaced(value, replacement, type, scope)
  if (value === undefined) return null
  const made = textIn(type, value, isTemplate, mediaTypeOf(described, type) ?? {})
  return { ...made, value: isTemplate && typeof value === 'string' && isJsonType(type) ? parsedOr(value) : value }
}
