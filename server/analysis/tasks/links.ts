import { resolveUri } from '../../../src/document/reference.ts'
import { findLinks, mayLeadOut } from '../../../src/document/links.ts'
import { parseMaterial } from '../material.ts'
import type { Desk } from '../desk.ts'

/** The addresses that documents refer to, in the order of the documents; each document is known by its own. */
export function run(_: object, desk: Desk): string[] {
  const places = new Set<string>()
  for (const material of desk.materials) {
    if (!mayLeadOut(new TextDecoder().decode(material.bytesOf(material.text)))) continue
    const document = parseMaterial(material)
    for (const { ref } of findLinks(document)) places.add(resolveUri(document.source, ref.split('#', 1)[0] ?? ''))
  }
  return [...places]
}
