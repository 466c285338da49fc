/** What a document refers to. */
import type { Document } from './document.ts'
import { isObject, type Json, type Path } from '../kernel/json.ts'
import { findLooseReferences, findReferences, resolveUri, type Reference } from './references-in-document.ts'
import { resourcesOf } from './resource.ts'
import { writtenReferences } from './written-references.ts'

/** A reference that leads out of its document; `path` is that of the text which names the other one. */
export interface Link extends Reference {
  /** It is where no specification has a reference: in data. Where it cannot be resolved it means itself. */
  readonly isLoose: boolean
}

// Plain names in the mapping of a discriminator are names of schemas.
export const isReference = (text: string): boolean => /[#/]|\.(?:json|ya?ml)$/i.test(text)

function findMappings(value: Json, path: Path, found: Link[]): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) findMappings(item, [...path, index], found)
    return
  }
  if (!isObject(value)) return
  if (isObject(value.discriminator) && isObject(value.discriminator.mapping))
    for (const [key, ref] of Object.entries(value.discriminator.mapping))
      if (typeof ref === 'string' && isReference(ref))
        found.push({ ref, path: [...path, 'discriminator', 'mapping', key], base: '', isLoose: false })
  for (const [key, child] of Object.entries(value)) findMappings(child, [...path, key], found)
}

// A reference that begins with something else than "#", written plainly, in quotes, or folded over lines.
const outward = /\$(?:dynamicR|r)ef["']?\s*:\s*(?:["'](?!#)|[>|][-+]?\s+(?![#\s])|[^#"'\s>|])/
// A file or a registered type: neither the name of a schema nor a place of this document.
const elsewhere = /:\s*["']?(?:svc:[^"'\s{]|[^#"'\s{][^"'\s]*(?:\.(?:json|ya?ml)|\/v1\/types\/))/i
const longestMapping = 8000

/** Whether the mapping of a discriminator may name something out of the document. */
export function mapsOutward(text: string): boolean {
  if (!text.includes('discriminator')) return false
  for (let at = text.indexOf('mapping'); at !== -1; at = text.indexOf('mapping', at + 1))
    if (elsewhere.test(text.slice(at + 7, at + longestMapping))) return true
  return false
}

/** Whether a text that is not parsed yet is worth parsing for its links: in most documents every reference begins with "#". */
export const mayLeadOut = (text: string): boolean => outward.test(text) || mapsOutward(text)

// Most documents refer to themselves alone, which is seen without knowing the place of any reference.
const staysInside = (value: Json, text: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !text.includes('$dynamicRef') &&
  [...writtenReferences(value)].every((it) => it.startsWith('#'))

/** What the mappings of discriminators name by a reference, wherever they are. */
export function mappedLinks(value: Json): Link[] {
  const found: Link[] = []
  findMappings(value, [], found)
  return found
}

const isOutward = ({ ref }: Reference): boolean => ref !== '' && !ref.startsWith('#')

const known = new WeakMap<Document, readonly Link[]>()

/** The references of a document (`$ref`, `$dynamicRef` and the mappings of discriminators) that lead into another one. */
export function findLinks(document: Document): readonly Link[] {
  let links = known.get(document)
  if (links === undefined) known.set(document, (links = searchLinks(document)))
  return links
}

function searchLinks({ value, text }: Document): readonly Link[] {
  const links: Link[] = []
  if (!staysInside(value, text)) {
    const toLink = (isLoose: boolean) => (it: Reference) => ({ ...it, path: [...it.path, '$ref'], isLoose })
    links.push(...findReferences(value).filter(isOutward).map(toLink(false)))
    // An address in data is hardly meant to be read.
    const loose = findLooseReferences(value).filter((it) => isOutward(it) && !/^[a-z][a-z0-9+.-]+:/i.test(it.ref))
    links.push(...loose.map(toLink(true)))
  }
  if (mapsOutward(text)) links.push(...mappedLinks(value).filter(isOutward))
  return links.length === 0 || !/\$(?:id|self)\b|["']?id["']?\s*:/.test(text)
    ? links
    : links.filter(leavesDocument(value))
}

/** Whether a link leads out: a schema of the document itself may have the identifier that it names. */
const leavesDocument = (value: Json): ((link: Link) => boolean) => {
  const resources = resourcesOf(value)
  return ({ ref, base }) => resources.byUri(resolveUri(base, ref)) === undefined
}

/** The links of a document, and the sources that an Arazzo document describes: those of AsyncAPI are named, and not followed. */
export function findLinksAndSources(document: Document): Link[] {
  const links = [...findLinks(document)]
  const { value, format } = document
  if (format?.kind === 'arazzo' && isObject(value) && Array.isArray(value.sourceDescriptions))
    for (const [index, it] of (value.sourceDescriptions as readonly Json[]).entries())
      if (isObject(it) && typeof it.url === 'string' && it.type !== 'asyncapi')
        links.push({ ref: it.url, path: ['sourceDescriptions', index, 'url'], base: '', isLoose: false })
  return links.filter(isOutward)
}
