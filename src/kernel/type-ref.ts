import { decodedOrSame } from './text.ts'
/** The names of registered types: `svc:money/Money`, with `@3` for a revision and a fragment for a part of the schema. */

/** The longest namespace and name, in UTF-16 units. */
export const nameLimits = { namespace: 200, name: 128 } as const

/** The scheme of references to registered types. */
export const typeScheme = 'svc:'

/** A reference to a registered type. */
export interface TypeRef {
  readonly namespace: string
  readonly name: string
  /** Null: the newest one. */
  readonly revision: number | null
  /** What follows "#": a JSON Pointer or an anchor; "" for the whole schema. */
  readonly fragment: string
}

/** A namespace as it is kept: without spaces around it and without slashes at its end. */
export const trimNamespace = (text: string): string => text.trim().replace(/\/+$/, '')

const segment = /^[\p{L}\p{N}._~-]+$/u
// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const unnameable = /[\u0000-\u001f\u007f/#@?\\]|^\s|\s$|^\.{1,2}$/u

/** Why a trimmed namespace cannot be one, as the end of a sentence; null where it can. */
export function namespaceProblem(namespace: string): string | null {
  if (namespace === '') return 'it is empty'
  if (namespace.length > nameLimits.namespace) return `it is longer than ${nameLimits.namespace} characters`
  const odd = namespace.split('/').find((part) => !segment.test(part) || part === '.' || part === '..')
  if (odd === undefined) return null
  return odd === '' ? 'it has an empty segment' : `"${odd}" is not a segment of letters, digits, ".", "_", "~" and "-"`
}

/** Why a text cannot be the name of a type, as the end of a sentence; null where it can. */
export function nameProblem(name: string): string | null {
  if (name === '') return 'it is empty'
  if (name.length > nameLimits.name) return `it is longer than ${nameLimits.name} characters`
  if (unnameable.test(name))
    return 'it contains "/", "#", "@", "?", a backslash or a control character, or begins or ends with a space'
  return null
}

// What RFC 3987 does not allow in a path is escaped; letters of every language are as they are written.
const escapeName = (text: string): string => text.replace(/[%\s"<>^`{|}]/gu, (it) => encodeURIComponent(it))

/** The reference of a type without a revision: `svc:money/Money`. */
export const refOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }): string =>
  `${typeScheme}${escapeName(namespace)}/${escapeName(name)}`

/** The reference with a revision, where there is one, and a fragment. */
export const writeRef = (it: TypeRef): string =>
  refOf(it) + (it.revision === null ? '' : `@${it.revision}`) + (it.fragment === '' ? '' : `#${it.fragment}`)

/** Reads `namespace/name[@revision][#fragment]`, percent-encoded; null for any other text. */
function readPath(path: string): TypeRef | null {
  const hash = path.indexOf('#')
  const [whole, fragment] = hash === -1 ? [path, ''] : [path.slice(0, hash), path.slice(hash + 1)]
  const at = /@([1-9]\d{0,8})$/.exec(whole)
  const bare = at === null ? whole : whole.slice(0, at.index)
  const slash = bare.lastIndexOf('/')
  if (slash < 1) return null
  const namespace = decodedOrSame(bare.slice(0, slash))
  const name = decodedOrSame(bare.slice(slash + 1))
  if (namespaceProblem(namespace) !== null || nameProblem(name) !== null) return null
  return { namespace, name, revision: at === null ? null : Number(at[1]), fragment }
}

/**
 * Reads a reference to a registered type.
 * @param text the value of a `$ref`
 * @param bases addresses below which the types of this registry are found, each with a slash at its end
 * @returns null where the text refers to anything else
 */
export function readRef(text: string, bases: readonly string[] = []): TypeRef | null {
  if (text.startsWith(typeScheme)) return readPath(text.slice(typeScheme.length))
  const base = bases.find((it) => text.startsWith(it))
  return base === undefined ? null : readPath(text.slice(base.length))
}
