import type { Json, Path } from './json.ts'

/** A key as a step of a JSON Pointer. */
export const escapeToken = (key: string | number): string => {
  const text = String(key)
  return /[~/]/.test(text) ? text.replaceAll('~', '~0').replaceAll('/', '~1') : text
}
/** The key that a step of a JSON Pointer names: "~1" is "/", "~0" is "~". */
export const unescapeToken = (token: string): string =>
  token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token

/** A path as a JSON Pointer (RFC 6901): `['paths', '/pets']` is "/paths/~1pets", the root is "". */
export const formatPointer = (path: Path): string => path.map((step) => `/${escapeToken(step)}`).join('')

/** A path as a URI fragment (RFC 6901, section 6), as `$ref` writes it: "#/paths/~1pets". */
export const formatFragment = (path: Path): string =>
  `#${path.map((step) => `/${encodeURIComponent(escapeToken(step)).replaceAll('%24', '$').replaceAll('%40', '@')}`).join('')}`

/** The keys of a JSON Pointer, or null if the text is invalid. Array positions stay strings: only a value shows which are positions. */
export const parsePointer = (pointer: string): readonly string[] | null => {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || (pointer.includes('~') && /~(?![01])/.test(pointer))) return null
  return pointer.slice(1).split('/').map(unescapeToken)
}

/** The keys of a URI fragment that holds a JSON Pointer ("#/a/b" or "/a/b"), percent-decoded; null where it holds none. */
export const parseFragment = (fragment: string): readonly string[] | null => {
  const raw = fragment.startsWith('#') ? fragment.slice(1) : fragment
  if (!raw.includes('%')) return parsePointer(raw)
  try {
    return parsePointer(decodeURIComponent(raw))
  } catch {
    // In many documents a percent sign that begins no escape is meant literally.
    return parsePointer(raw)
  }
}

const position = /^(?:0|[1-9][0-9]*)$/

/** The node of `value` at `path` with array positions as numbers, or null if there is no such node. */
export const followPath = (value: Json, path: Path): { readonly path: Path; readonly value: Json } | null => {
  const taken: (string | number)[] = []
  let node = value
  for (const step of path) {
    if (Array.isArray(node)) {
      const index = typeof step === 'number' ? step : position.test(step) ? Number(step) : -1
      const item = (node as readonly Json[])[index]
      if (item === undefined) return null
      taken.push(index)
      node = item
    } else {
      if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return null
      taken.push(String(step))
      node = (node as { readonly [key: string]: Json })[step] as Json
    }
  }
  return { path: taken, value: node }
}

/** The node at `path`, or undefined. */
export const getPath = (value: Json, path: Path): Json | undefined => followPath(value, path)?.value

/** The node that a JSON Pointer names, or undefined. */
export const getPointer = (value: Json, pointer: string): Json | undefined => {
  const path = parsePointer(pointer)
  return path === null ? undefined : getPath(value, path)
}
