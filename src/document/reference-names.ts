/** What a reference calls a file. Every loader asks here, so that all of them find the same one. */
import type { Document } from './document.ts'
import { resolveUri } from './references-in-document.ts'
import { decodedOrSame } from '../kernel/text.ts'

/** A name that a reference may mean, and the fragment that is left then. */
export interface ReferenceName {
  /** The name of a file as the file system has it, or an address. */
  readonly name: string
  readonly fragment: string
}

const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(text)

/**
 * Joins a path to that of the file which names it. A path that leads above a relative one keeps its "..".
 * @param source the file that holds the reference; both have slashes
 */
export function joinPath(source: string, path: string): string {
  const slashed = path.replaceAll('\\', '/')
  const isRooted = slashed.startsWith('/') || /^[a-z]:\//i.test(slashed)
  const steps = isRooted ? [] : source.split('/').slice(0, -1)
  const isAbsolute = isRooted || source.startsWith('/') || /^[a-z]:\//i.test(source)
  const top = isAbsolute ? 1 : 0
  for (const step of slashed.split('/')) {
    if (step === '.' || (step === '' && steps.length > 0)) continue
    if (step !== '..') steps.push(step)
    else if (steps.length > top && steps.at(-1) !== '..') steps.pop()
    else if (!isAbsolute) steps.push(step)
  }
  return steps.filter((step, index) => step !== '.' && (step !== '' || index === 0)).join('/')
}

const cut = (ref: string): readonly [string, string] => {
  const hash = ref.indexOf('#')
  return hash === -1 ? [ref, ''] : [ref.slice(0, hash), ref.slice(hash + 1)]
}

// "paths/a#b.yaml" can hardly be meant as the anchor "b.yaml".
const restOfName = /^[^/#][^#]*\.(?:json|ya?ml)(?=#|$)/i

const known = new WeakMap<Document, Map<string, readonly ReferenceName[]>>()

/** The same for a document, which names few files many times. */
export function namesIn(document: Document, ref: string): readonly ReferenceName[] {
  let names = known.get(document)
  if (names === undefined) known.set(document, (names = new Map<string, readonly ReferenceName[]>()))
  let found = names.get(ref)
  if (found === undefined) names.set(ref, (found = referenceNames(document.source, ref)))
  return found
}

/**
 * The names that a reference of a document may mean, in the order in which they are tried: the first that exists is meant. At
 * an address that is the one which RFC 3986 (section 5) says. Beside a file the reference is a name with its percent signs decoded;
 * authors and tools also write names as they are, with "?", "#" and "%" in them, which is tried after that.
 *
 * @param source the name or address of the document that holds the reference
 * @param ref the reference as it is written; not one that begins with "#"
 */
export function referenceNames(source: string, ref: string): readonly ReferenceName[] {
  const [address, fragment] = cut(ref)
  if (/^file:\/\/\//i.test(address) && !isAddress(source))
    return [{ name: decodedOrSame(address.slice(7)).replace(/^\/(?=[a-z]:)/i, ''), fragment }]
  if (isAddress(address) || isAddress(source)) return [{ name: resolveUri(source, address), fragment }]
  const names = new Map<string, string>()
  const add = (path: string, rest: string): void => {
    const name = joinPath(source, path)
    if (path !== '' && !names.has(name)) names.set(name, rest)
  }
  add(decodedOrSame(address), fragment)
  if (address.includes('?')) add(decodedOrSame(address.replace(/\?.*$/s, '')), fragment)
  if (address.includes('%')) add(address, fragment)
  const [rest] = restOfName.exec(fragment) ?? []
  if (rest !== undefined) add(decodedOrSame(`${address}#${rest}`), fragment.slice(rest.length + 1))
  return Array.from(names, ([name, left]) => ({ name, fragment: left }))
}
