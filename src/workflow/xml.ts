/** XPath 3.1 in XML texts. Both libraries are loaded when a workflow needs them. */
import type { Node } from '@xmldom/xmldom'
import { TookTooLong, withinTime } from '../host/native.ts'
import type { Json } from '../kernel/json.ts'
import { SelectorInvalid, XmlUnread } from './faults.ts'

type Xml = Awaited<ReturnType<typeof parseXml>>

/** Texts of more characters are not searched: a tree of them takes many times their memory. */
const maxXmlLength = 20_000_000
/** Elements and attributes: each takes some kilobytes of memory, however short it is written. */
const maxXmlNodes = 250_000
/** Elements in each other: a search takes time by the square of their depth. */
const maxXmlDepth = 500
/** An XPath can ask for any amount of work, whatever the size of the XML. */
const maxSearchMs = 10_000

/** How often a pattern is in a text; no more than `most` are counted. */
function countOf(pattern: RegExp, text: string, most: number): number {
  let count = 0
  while (count <= most && pattern.exec(text) !== null) count++
  return count
}

/** The depth of the deepest element; the walk ends with the first that is too deep. */
function depthOf(root: Node): number {
  let [deepest, depth] = [0, 0]
  for (let node: Node | null = root; node !== null;) {
    if (node.firstChild !== null) {
      node = node.firstChild
      deepest = Math.max(deepest, ++depth)
      if (deepest > maxXmlDepth) return deepest
      continue
    }
    while (node !== root && node !== null && node.nextSibling === null) {
      node = node.parentNode
      depth--
    }
    node = node === root || node === null ? null : node.nextSibling
  }
  return deepest
}

/**
 * Reads an XML text.
 * @throws XmlUnread for XML that is too large or too deep, or has a document type
 * @throws SelectorInvalid for a text that is no XML
 */
export async function parseXml(text: string) {
  if (text.length > maxXmlLength) throw new XmlUnread('the XML is too large to be searched')
  // Entities of a document type can make a small text endless.
  if (/<!DOCTYPE/i.test(text)) throw new XmlUnread('XML with a document type is not read')
  // The start of an element or an attribute; a text may hold what looks like one.
  if (countOf(/<[^/!?]|=\s*["']/g, text, maxXmlNodes) > maxXmlNodes)
    throw new XmlUnread(`the XML has more than ${maxXmlNodes} elements and attributes`)
  const { DOMParser, XMLSerializer } = await import('@xmldom/xmldom')
  const reasons: string[] = []
  const parser = new DOMParser({
    onError: (level, message) => {
      if (level !== 'warning') reasons.push(message)
    },
  })
  try {
    const document = parser.parseFromString(text, 'text/xml')
    if (depthOf(document) > maxXmlDepth) throw new XmlUnread(`the XML is deeper than ${maxXmlDepth} elements`)
    if (reasons.length === 0) return { document, serializer: new XMLSerializer() }
  } catch (error) {
    if (error instanceof XmlUnread) throw error
    reasons.push(error instanceof Error ? error.message : String(error))
  }
  throw new SelectorInvalid(`the context is no XML: ${(reasons[0] ?? '').split('\n')[0]}`)
}

// A name without a prefix is one of the namespace of the document: who writes "/root/pets" means what is there.
function optionsOf({ document }: Xml) {
  const root = document.documentElement
  return {
    namespaceResolver: (prefix: string): string | null =>
      prefix === '' ? (root?.namespaceURI ?? null) : (root?.lookupNamespaceURI(prefix) ?? null),
  }
}

async function within<T>(query: string, text: string, evaluate: (xml: Xml, paths: Paths) => T): Promise<T> {
  const xml = await parseXml(text)
  const paths = await import('fontoxpath')
  try {
    return withinTime(maxSearchMs, () => evaluate(xml, paths))
  } catch (error) {
    if (error instanceof TookTooLong) throw new SelectorInvalid(`"${query}" takes longer than ${maxSearchMs / 1000} s`)
    throw new SelectorInvalid(`"${query}" cannot be evaluated: ${(error as Error).message.split('\n')[0]}`)
  }
}

type Paths = typeof import('fontoxpath')

/** The effective boolean value of an XPath (XPath 3.1, section 2.4.3). @throws SelectorInvalid */
export const isTrueIn = (query: string, text: string): Promise<boolean> =>
  within(query, text, (xml, paths) => paths.evaluateXPathToBoolean(query, xml.document, null, null, optionsOf(xml)))

/** What an XPath selects, as texts, numbers and truth values. @throws SelectorInvalid */
export const selectIn = (query: string, text: string): Promise<Json | undefined> =>
  within(query, text, (xml, paths) => {
    const found = paths.evaluateXPath(
      `for $it in (${query}) return if ($it instance of node()) then string($it) else $it`,
      xml.document,
      null,
      null,
      paths.evaluateXPath.ALL_RESULTS_TYPE,
      optionsOf(xml),
    ) as Json[]
    return found.length > 1 ? found : found[0]
  })

/**
 * An XML text with another text in each node that an XPath selects: an attribute, a text, or the whole content of an element.
 * @throws SelectorInvalid also where it selects no node
 */
export const replaceIn = (query: string, text: string, value: string): Promise<string> =>
  within(query, text, (xml, paths) => {
    const nodes = paths.evaluateXPathToNodes(query, xml.document, null, null, optionsOf(xml)) as unknown as {
      textContent: string | null
      nodeValue: string | null
      readonly nodeType: number
    }[]
    if (nodes.length === 0) throw new Error('it selects no node')
    for (const node of nodes)
      if (node.nodeType === 1) node.textContent = value
      else node.nodeValue = value
    return xml.serializer.serializeToString(xml.document)
  })
