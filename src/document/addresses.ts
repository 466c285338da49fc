import type { Document } from './document.ts'
import { isObject, type Json } from './json.ts'
import { findReferences } from './reference-walk.ts'

/** The other documents that a document leads to, as it spells them: those of its references, and the sources of an Arazzo document. */
export function addressesOf({ value, format }: Document): ReadonlySet<string> {
  const addresses = findReferences(value).map(({ ref }) => ref.split('#')[0] ?? '')
  if (format?.kind === 'arazzo' && isObject(value) && Array.isArray(value.sourceDescriptions))
    for (const it of value.sourceDescriptions as readonly Json[])
      if (isObject(it) && typeof it.url === 'string') addresses.push(it.url.split('#')[0] ?? '')
  return new Set(addresses.filter((it) => it !== ''))
}
