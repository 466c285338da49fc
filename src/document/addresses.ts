import type { Document } from './document.ts'
import { isObject, type Json } from './json.ts'
import { findReferences } from './reference-walk.ts'
import { writtenReferences } from './written-references.ts'

// Most documents refer to themselves alone, which is seen without knowing the place of any reference.
const staysInside = (value: Json, text: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !text.includes('$dynamicRef') &&
  [...writtenReferences(value)].every((it) => it.startsWith('#'))

/** The other documents that a document leads to, as it spells them: those of its references, and the sources of an Arazzo document. */
export function addressesOf({ value, format, text }: Document): ReadonlySet<string> {
  const isWhole = staysInside(value, text)
  const addresses = isWhole ? [] : findReferences(value).map(({ ref }) => ref.split('#')[0] ?? '')
  if (format?.kind === 'arazzo' && isObject(value) && Array.isArray(value.sourceDescriptions))
    for (const it of value.sourceDescriptions as readonly Json[])
      if (isObject(it) && typeof it.url === 'string') addresses.push(it.url.split('#')[0] ?? '')
  return new Set(addresses.filter((it) => it !== ''))
}
