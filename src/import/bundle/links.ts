/** What a document refers to. */
import type { Document } from '../../document/document.ts'
import { isObject, type Json, type Path } from '../../document/json.ts'
import { findReferences, type Reference } from '../../document/reference.ts'

/** A reference that leads out of its document; `path` is that of the text which names the place. */
export type Link = Reference

// Plain names in the mapping of a discriminator are names of schemas.
const isReference = (text: string): boolean => /[#/]|\.(?:json|ya?ml)$/i.test(text)

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
        found.push({ ref, path: [...path, 'discriminator', 'mapping', key], base: '' })
  for (const [key, child] of Object.entries(value)) findMappings(child, [...path, key], found)
}

// A reference that begins with something else than "#", written plainly, in quotes, or folded over lines.
const outward = /\$(?:dynamicR|r)ef["']?\s*:\s*(?:["'](?!#)|[>|][-+]?\s+(?![#\s])|[^#"'\s>|])/
const fileName = /:\s*["']?[^#"'\s{][^"'\s]*\.(?:json|ya?ml)/i
const longestMapping = 8000

function mapsToFiles(text: string): boolean {
  if (!text.includes('discriminator')) return false
  for (let at = text.indexOf('mapping'); at !== -1; at = text.indexOf('mapping', at + 1))
    if (fileName.test(text.slice(at + 7, at + longestMapping))) return true
  return false
}

/** Whether a text is worth a look: in most documents every reference begins with "#", and they may be large. */
export const mayLeadOut = (text: string): boolean => outward.test(text) || mapsToFiles(text)

/** The references of a document (`$ref`, `$dynamicRef` and the mappings of discriminators) that lead into another one. */
export function findLinks(document: Document): Link[] {
  if (!mayLeadOut(document.text)) return []
  const found = findReferences(document.value).map((it) => ({ ...it, path: [...it.path, '$ref'] }))
  if (document.text.includes('discriminator')) findMappings(document.value, [], found)
  return found.filter(({ ref }) => ref !== '' && !ref.startsWith('#'))
}
