/** Documents are texts of megabytes: a call in this process hands them over instead of writing and reading them as JSON. */
import { nulFault } from '../../src/document/json-steps.ts'
import { isObject } from '../../src/kernel/json.ts'

/** From so many characters on a text is handed over. */
const long = 64 * 1024
/** How deep they are looked for. */
const deepest = 4

type Path = readonly string[]

/** The long texts of a body, each by the properties that lead to it. */
type LongTexts = ReadonlyMap<Path, string>

const handed = new WeakMap<Request, LongTexts>()

const isPlain = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && Object.getPrototypeOf(value) === Object.prototype && !('toJSON' in value)

/** A body with nothing in place of its long texts, and those; the same object where it has none. */
export function withoutLongTexts(body: unknown): { readonly body: unknown; readonly texts: LongTexts } {
  const texts = new Map<Path, string>()
  const shorten = (value: unknown, path: Path): unknown => {
    if (typeof value === 'string' && value.length >= long && path.length > 0) {
      texts.set(path, value)
      return ''
    }
    if (path.length === deepest || !isPlain(value)) return value
    const changed = Object.keys(value).flatMap((key) => {
      // An assignment would set the prototype.
      const short = key === '__proto__' ? value[key] : shorten(value[key], [...path, key])
      return short === value[key] ? [] : [[key, short] as const]
    })
    return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
  }
  return { body: shorten(body, []), texts }
}

/** Gives a request the long texts that its body is without. */
export function handTexts(request: Request, texts: LongTexts): void {
  if (texts.size > 0) handed.set(request, texts)
}

/** How many bytes the long texts of a request have. */
export const handedBytes = (request: Request): number =>
  [...(handed.get(request)?.values() ?? [])].reduce((sum, text) => sum + Buffer.byteLength(text), 0)

/** Puts the long texts of a request into its body. @throws JsonFault for one with a NUL character, as everywhere */
export function putTexts(request: Request, body: unknown): unknown {
  for (const [path, text] of handed.get(request) ?? []) {
    if (text.includes('\0')) throw nulFault()
    const holder = path
      .slice(0, -1)
      .reduce((it, key) => it[key] as Record<string, unknown>, body as Record<string, unknown>)
    holder[path.at(-1) ?? ''] = text
  }
  return body
}
