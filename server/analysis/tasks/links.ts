import type { Document } from '../../../src/document/document.ts'
import { findLinks, type Link, mayLeadOut } from '../../../src/document/links.ts'
import { findExternalValues } from '../../../src/document/outside-names.ts'
import { resolveUri } from '../../../src/document/reference.ts'
import { parseMaterial } from '../material.ts'
import type { Desk } from '../desk.ts'

/** The addresses that documents name. */
export interface NamedAddresses {
  /** What references lead to. */
  readonly documents: string[]
  /** What only holds the value of an example. */
  readonly values: string[]
}

const addressesOf = ({ source }: Document, links: readonly Link[]): string[] =>
  links.map(({ ref }) => resolveUri(source, ref.split('#', 1)[0] ?? ''))

/** The addresses that documents refer to, in the order of the documents; each document is known by its own. */
export function run(_: object, desk: Desk): NamedAddresses {
  const documents = new Set<string>()
  const values = new Set<string>()
  for (const material of desk.materials) {
    const text = new TextDecoder().decode(material.bytesOf(material.text))
    if (!mayLeadOut(text) && !text.includes('externalValue')) continue
    const document = parseMaterial(material)
    for (const address of addressesOf(document, findLinks(document))) documents.add(address)
    for (const address of addressesOf(document, findExternalValues(document))) values.add(address)
  }
  return { documents: [...documents], values: [...values].filter((it) => !documents.has(it)) }
}
